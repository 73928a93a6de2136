#include <algorithm>
#include "../check.cuh"
__global__ void sort(unsigned* v) {
  extern __shared__ unsigned s[];
  int t = threadIdx.x;
  s[t] = v[t];
  __syncthreads();
  for (int k = 2; k <= blockDim.x; k *= 2)
    for (int j = k / 2; j; j /= 2) {
      int o = t ^ j;
      if (o > t && (s[t] > s[o]) == !(t & k)) {
        unsigned x = s[t];
        s[t] = s[o];
        s[o] = x;
      }
      __syncthreads();
    }
  v[t] = s[t];
}
int main() {
  unsigned h[1024], w[1024], x = 1, *d;
  for (auto& v : h) v = x = x * 1664525 + 1013904223;
  std::copy(h, h + 1024, w);
  std::sort(w, w + 1024);
  WORKS(cudaMalloc(&d, 4096));
  WORKS(cudaMemcpy(d, h, 4096, cudaMemcpyHostToDevice));
  sort<<<1, 1024, 4096>>>(d);
  WORKS(cudaMemcpy(h, d, 4096, cudaMemcpyDeviceToHost));
  CHECK(std::equal(h, h + 1024, w));
  puts("ok");
}
