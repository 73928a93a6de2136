#include <cuda/std/atomic>
#include <cuda/std/array>
#include <cuda/std/complex>
#include <cuda/std/tuple>
#include <cuda/atomic>
#include "../check.cuh"
__device__ cuda::atomic<int, cuda::thread_scope_device> flag;
__global__ void k(double* o, int* q) {
  cuda::std::complex<double> z(0, 0), c(threadIdx.x * 0.01, 0.3);
  int i = 0;
  while (i < 50 && cuda::std::norm(z) < 4) {
    z = z * z + c;
    i++;
  }
  o[threadIdx.x] = i;
  cuda::std::array<int, 4> a = {1, 2, 3, 4};
  auto t = cuda::std::make_tuple(a[threadIdx.x % 4], 2.5);
  q[threadIdx.x] = cuda::std::get<0>(t);
  flag.fetch_add(2, cuda::std::memory_order_relaxed);
  if (blockIdx.x == 1) {
    while (flag.load(cuda::std::memory_order_acquire) < 64) {
    }
  }
}
int main() {
  double* d;
  int* q;
  WORKS(cudaMalloc(&d, 256));
  WORKS(cudaMalloc(&q, 128));
  k<<<2, 32>>>(d, q);
  double h[32];
  int g[32];
  WORKS(cudaMemcpy(h, d, 256, cudaMemcpyDeviceToHost));
  WORKS(cudaMemcpy(g, q, 128, cudaMemcpyDeviceToHost));
  for (int x = 0; x < 32; x++) {
    double a = 0, b = 0;
    int i = 0;
    while (i < 50 && a * a + b * b < 4) {
      double n = a * a - b * b + x * 0.01;
      b = a * b + b * a + 0.3;
      a = n;
      i++;
    }
    CHECK(h[x] == i && g[x] == x % 4 + 1);
  }
  puts("ok");
}
