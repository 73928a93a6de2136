#include <cassert>
#include "../check.cuh"
__global__ void k(int n) {
  printf("%d %5.2f %s %c %llx\n", threadIdx.x, threadIdx.x * 1.5, "text", 'a' + threadIdx.x, 0x123456789abcull);
  assert(threadIdx.x < (unsigned)n);
}
int main() {
  k<<<1, 4>>>(4);
  WORKS(cudaDeviceSynchronize());
  k<<<1, 4>>>(2);
  CHECK(cudaDeviceSynchronize() == cudaErrorAssert);
  puts("ok");
}
