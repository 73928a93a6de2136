#include <thread>
#include <vector>
#include "../check.cuh"
__global__ void k(int* p, int n, int v) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] += v;
}
static int calls;
static void fn(void* d) { calls += *(int*)d; }
static void CUDART_CB cb(cudaStream_t, cudaError_t e, void* d) {
  if (e == cudaSuccess) calls += *(int*)d;
}
int main() {
  cudaStream_t s[4];
  int *h, *d;
  WORKS(cudaMallocHost(&h, 4096 * 4));
  WORKS(cudaMalloc(&d, 4096 * 4));
  for (int i = 0; i < 4096; i++) h[i] = i;
  int lo, hi;
  WORKS(cudaDeviceGetStreamPriorityRange(&lo, &hi));
  for (int i = 0; i < 4; i++) {
    WORKS(cudaStreamCreateWithPriority(&s[i], cudaStreamNonBlocking, hi));
    WORKS(cudaMemcpyAsync(d + i * 1024, h + i * 1024, 4096, cudaMemcpyHostToDevice, s[i]));
    k<<<4, 256, 0, s[i]>>>(d + i * 1024, 1024, i);
    WORKS(cudaMemcpyAsync(h + i * 1024, d + i * 1024, 4096, cudaMemcpyDeviceToHost, s[i]));
  }
  int two = 2, three = 3;
  WORKS(cudaLaunchHostFunc(s[0], fn, &two));
  WORKS(cudaStreamAddCallback(s[1], cb, &three, 0));
  for (auto x : s) {
    WORKS(cudaStreamSynchronize(x));
    WORKS(cudaStreamQuery(x));
  }
  CHECK(calls == 5);
  for (int i = 0; i < 4096; i++) CHECK(h[i] == i + i / 1024);
  void* p;
  WORKS(cudaMallocAsync(&p, 4096, s[0]));
  k<<<4, 256, 0, s[0]>>>((int*)p, 0, 0);
  WORKS(cudaFreeAsync(p, s[0]));
  std::vector<std::thread> t;
  for (int j = 0; j < 4; j++)
    t.emplace_back([j] {
      int *q, v[64];
      WORKS(cudaSetDevice(0));
      WORKS(cudaMalloc(&q, 256));
      WORKS(cudaMemset(q, 0, 256));
      for (int r = 0; r < 10; r++) k<<<1, 64>>>(q, 64, j);
      WORKS(cudaMemcpy(v, q, 256, cudaMemcpyDeviceToHost));
      for (int x : v) CHECK(x == 10 * j);
      WORKS(cudaFree(q));
    });
  for (auto& x : t) x.join();
  for (auto x : s) WORKS(cudaStreamDestroy(x));
  puts("ok");
}
