#include "../check.cuh"
__constant__ float table[16];
__device__ int counter = 5;
__device__ float buf[64];
__global__ void k() {
  buf[threadIdx.x] = table[threadIdx.x % 16] * 2;
  atomicAdd(&counter, 1);
}
int main() {
  float t[16], b[64];
  for (int i = 0; i < 16; i++) t[i] = i;
  WORKS(cudaMemcpyToSymbol(table, t, 64));
  k<<<1, 64>>>();
  int c;
  WORKS(cudaMemcpyFromSymbol(&c, counter, 4));
  CHECK(c == 69);
  WORKS(cudaMemcpyFromSymbol(b, buf, 256));
  for (int i = 0; i < 64; i++) CHECK(b[i] == 2 * (i % 16));
  void* p;
  size_t n;
  WORKS(cudaGetSymbolAddress(&p, buf));
  WORKS(cudaGetSymbolSize(&n, buf));
  CHECK(n == 256);
  WORKS(cudaMemset(p, 0, 256));
  WORKS(cudaMemcpyFromSymbol(b, buf, 128, 128));
  CHECK(b[0] == 0);
  puts("ok");
}
