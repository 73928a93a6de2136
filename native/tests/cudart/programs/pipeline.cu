#include <cuda/barrier>
#include <cuda/pipeline>
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include "../check.cuh"
namespace cg = cooperative_groups;
__global__ void k(const int* in, int* out, int n) {
  __shared__ int buf[2][128];
  auto b = cg::this_thread_block();
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> st;
  auto p = cuda::make_pipeline(b, &st);
  int sum = 0;
  p.producer_acquire();
  cuda::memcpy_async(b, buf[0], in, cuda::aligned_size_t<16>(512), p);
  p.producer_commit();
  for (int i = 0; i < n; i++) {
    if (i + 1 < n) {
      p.producer_acquire();
      cuda::memcpy_async(b, buf[(i + 1) & 1], in + (i + 1) * 128, cuda::aligned_size_t<16>(512), p);
      p.producer_commit();
    }
    p.consumer_wait();
    sum += buf[i & 1][threadIdx.x];
    p.consumer_release();
  }
  out[threadIdx.x] = sum;
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  if (threadIdx.x == 0) init(&bar, blockDim.x);
  __syncthreads();
  buf[0][threadIdx.x] = sum;
  auto tok = bar.arrive();
  bar.wait(std::move(tok));
  out[128 + threadIdx.x] = buf[0][127 - threadIdx.x];
}
int main() {
  const int n = 8;
  int h[n * 128], o[256];
  for (int i = 0; i < n * 128; i++) h[i] = i * 3;
  int *a, *b;
  WORKS(cudaMalloc(&a, sizeof h));
  WORKS(cudaMalloc(&b, sizeof o));
  WORKS(cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice));
  k<<<1, 128>>>(a, b, n);
  WORKS(cudaMemcpy(o, b, sizeof o, cudaMemcpyDeviceToHost));
  for (int t = 0; t < 128; t++) {
    int s = 0;
    for (int i = 0; i < n; i++) s += h[i * 128 + t];
    CHECK(o[t] == s);
    CHECK(o[128 + 127 - t] == s);
  }
  puts("ok");
}
