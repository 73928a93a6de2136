#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include "../check.cuh"
namespace cg = cooperative_groups;
__device__ int count;
__global__ void k(int* out) {
  auto g = cg::this_grid();
  auto b = cg::this_thread_block();
  auto t = cg::tiled_partition<16>(b);
  int s = cg::reduce(t, (int)t.thread_rank(), cg::plus<int>());
  int x = cg::exclusive_scan(t, 1);
  atomicAdd(&count, 1);
  g.sync();
  int all = count;
  auto c = cg::coalesced_threads();
  if (b.thread_rank() % 2) {
    auto o = cg::coalesced_threads();
    x += 1000 * o.size();
  }
  out[g.thread_rank()] = s + x * 10000 * 0 + x + all * 0;
  out[g.thread_rank() + g.size()] = all;
  (void)c;
}
int main() {
  int* d;
  const int n = 4 * 64;
  WORKS(cudaMalloc(&d, n * 8));
  void* args[] = {&d};
  WORKS(cudaLaunchCooperativeKernel((void*)k, dim3(4), dim3(64), args, 0, 0));
  int h[2 * n];
  WORKS(cudaMemcpy(h, d, n * 8, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; i++) {
    CHECK(h[i] == 120 + i % 16 + (i % 2 ? 16000 : 0));
    CHECK(h[n + i] == n);
  }
  puts("ok");
}
