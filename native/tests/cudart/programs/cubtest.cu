#include <cub/cub.cuh>
#include "../check.cuh"
__global__ void k(const int* in, int* out) {
  typedef cub::BlockRadixSort<int, 128, 4> Sort;
  typedef cub::BlockScan<int, 128> Scan;
  __shared__ union {
    Sort::TempStorage s;
    Scan::TempStorage c;
  } t;
  int v[4];
  for (int i = 0; i < 4; i++) v[i] = in[threadIdx.x * 4 + i];
  Sort(t.s).Sort(v);
  __syncthreads();
  for (int i = 0; i < 4; i++) out[threadIdx.x * 4 + i] = v[i];
  int x;
  Scan(t.c).InclusiveSum((int)threadIdx.x, x);
  out[512 + threadIdx.x] = x;
}
int main() {
  int h[512], o[640];
  for (int i = 0; i < 512; i++) h[i] = (i * 7919) % 1000 - 500;
  int *a, *b;
  WORKS(cudaMalloc(&a, 2048));
  WORKS(cudaMalloc(&b, 2560));
  WORKS(cudaMemcpy(a, h, 2048, cudaMemcpyHostToDevice));
  k<<<1, 128>>>(a, b);
  WORKS(cudaMemcpy(o, b, 2560, cudaMemcpyDeviceToHost));
  for (int i = 1; i < 512; i++) CHECK(o[i - 1] <= o[i]);
  for (int i = 0; i < 128; i++) CHECK(o[512 + i] == i * (i + 1) / 2);
  int *keys, *sorted;
  void* tmp = 0;
  size_t bytes = 0;
  const int n = 5000;
  WORKS(cudaMalloc(&keys, n * 4));
  WORKS(cudaMalloc(&sorted, n * 4));
  int* hk = new int[n];
  for (int i = 0; i < n; i++) hk[i] = (i * 48271) % 65537;
  WORKS(cudaMemcpy(keys, hk, n * 4, cudaMemcpyHostToDevice));
  WORKS(cub::DeviceRadixSort::SortKeys(tmp, bytes, keys, sorted, n));
  WORKS(cudaMalloc(&tmp, bytes));
  WORKS(cub::DeviceRadixSort::SortKeys(tmp, bytes, keys, sorted, n));
  WORKS(cudaMemcpy(hk, sorted, n * 4, cudaMemcpyDeviceToHost));
  for (int i = 1; i < n; i++) CHECK(hk[i - 1] <= hk[i]);
  puts("ok");
}
