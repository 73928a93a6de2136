#include "../check.cuh"
typedef unsigned __int128 u128;
__global__ void k(const unsigned long long* a, u128* o, long long* q) {
  int i = threadIdx.x;
  u128 x = ((u128)a[i] << 64) | a[i + 1];
  o[i] = x * a[i + 2] + x / (a[i + 2] | 1) + x % 1000000007ull;
  q[i] = (long long)a[i] / ((int)a[i + 1] | 1) + (long long)a[i] % ((int)a[i + 2] | 1);
}
int main() {
  unsigned long long h[40], x = 1;
  for (auto& v : h) v = x = x * 6364136223846793005ull + 1442695040888963407ull;
  unsigned long long* a;
  u128 *b, o[32];
  long long *c, q[32];
  WORKS(cudaMalloc(&a, sizeof h));
  WORKS(cudaMalloc(&b, sizeof o));
  WORKS(cudaMalloc(&c, sizeof q));
  WORKS(cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice));
  k<<<1, 32>>>(a, b, c);
  WORKS(cudaMemcpy(o, b, sizeof o, cudaMemcpyDeviceToHost));
  WORKS(cudaMemcpy(q, c, sizeof q, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 32; i++) {
    u128 x = ((u128)h[i] << 64) | h[i + 1];
    CHECK(o[i] == x * h[i + 2] + x / (h[i + 2] | 1) + x % 1000000007ull);
    CHECK(q[i] == (long long)h[i] / ((int)h[i + 1] | 1) + (long long)h[i] % ((int)h[i + 2] | 1));
  }
  puts("ok");
}
