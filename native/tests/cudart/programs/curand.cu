#include <curand_kernel.h>
#include "../check.cuh"
__global__ void k(float* o, unsigned* u) {
  curandState s;
  curand_init(1234, threadIdx.x, 0, &s);
  u[threadIdx.x] = curand(&s);
  float t = 0;
  for (int i = 0; i < 100; i++) t += curand_uniform(&s);
  o[threadIdx.x] = t / 100;
  curandStatePhilox4_32_10_t p;
  curand_init(5, threadIdx.x, 0, &p);
  float4 n = curand_normal4(&p);
  o[threadIdx.x + 32] = n.x + n.y + n.z + n.w;
}
int main() {
  float* d;
  unsigned* u;
  WORKS(cudaMalloc(&d, 256));
  WORKS(cudaMalloc(&u, 128));
  k<<<1, 32>>>(d, u);
  float h[64];
  unsigned v[32];
  WORKS(cudaMemcpy(h, d, 256, cudaMemcpyDeviceToHost));
  WORKS(cudaMemcpy(v, u, 128, cudaMemcpyDeviceToHost));
  float m = 0;
  for (int i = 0; i < 32; i++) {
    CHECK(h[i] > 0.3f && h[i] < 0.7f);
    m += h[i];
    CHECK(h[32 + i] > -12 && h[32 + i] < 12);
  }
  CHECK(m / 32 > 0.45f && m / 32 < 0.55f);
  CHECK(v[0] != v[1]);
  puts("ok");
}
