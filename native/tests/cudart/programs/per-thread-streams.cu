// nvcc: --default-stream per-thread -Xcompiler -pthread
#include <thread>
#include "../check.cuh"
__global__ void k(int* p, int v) { p[threadIdx.x] += v; }
static void work(int id) {
  int *d, h[64];
  WORKS(cudaMalloc(&d, 256));
  WORKS(cudaMemsetAsync(d, 0, 256));
  for (int i = 0; i < 5; i++) k<<<1, 64>>>(d, id);
  WORKS(cudaMemcpyAsync(h, d, 256, cudaMemcpyDeviceToHost));
  WORKS(cudaStreamSynchronize(0));
  for (int v : h) CHECK(v == 5 * id);
  WORKS(cudaFree(d));
}
int main() {
  std::thread a(work, 1), b(work, 2), c(work, 3);
  a.join();
  b.join();
  c.join();
  puts("ok");
}
