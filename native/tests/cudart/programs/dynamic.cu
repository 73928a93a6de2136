// nvcc: -rdc=true -lcudadevrt
// Kernels that launch kernels: quicksort by ranges, with streams, a tail launch, and copies.
#include <algorithm>
#include <vector>

#include "../check.cuh"

__global__ void sort(int *values, int from, int to) {
  while (to - from > 16) {
    int pivot = values[(from + to) / 2], i = from, j = to - 1;
    while (i <= j) {
      while (values[i] < pivot) i++;
      while (values[j] > pivot) j--;
      if (i > j) break;
      int other = values[i];
      values[i++] = values[j];
      values[j--] = other;
    }
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    sort<<<1, 1, 0, stream>>>(values, i, to);
    cudaStreamDestroy(stream);
    to = j + 1;
    if (cudaGetLastError() != cudaSuccess) return;
  }
  for (int i = from + 1; i < to; i++)
    for (int k = i; k > from && values[k - 1] > values[k]; k--) {
      int other = values[k];
      values[k] = values[k - 1];
      values[k - 1] = other;
    }
}

__global__ void check(const int *values, int n, int *unsorted) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 1 < n && values[i] > values[i + 1]) atomicAdd(unsorted, 1);
}

__global__ void begin(int *values, int *copy, int n, int *unsorted) {
  cudaMemcpyAsync(copy, values, n * sizeof(int), cudaMemcpyDeviceToDevice, 0);
  cudaMemsetAsync(unsorted, 0, sizeof(int), 0);
  check<<<(n + 63) / 64, 64, 0, cudaStreamTailLaunch>>>(values, n, unsorted);
  sort<<<1, 1>>>(values, 0, n);
}

int main() {
  const int n = 1000;
  std::vector<int> values(n), sorted(n), copied(n);
  for (int i = 0; i < n; i++) values[i] = (i * 7919) % 1009 - 300;
  int *device, *copy, *unsorted, wrong = -1;
  WORKS(cudaMalloc(&device, n * sizeof(int)));
  WORKS(cudaMalloc(&copy, n * sizeof(int)));
  WORKS(cudaMalloc(&unsorted, sizeof(int)));
  WORKS(cudaMemcpy(device, values.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  begin<<<1, 1>>>(device, copy, n, unsorted);
  WORKS(cudaDeviceSynchronize());
  WORKS(cudaMemcpy(sorted.data(), device, n * sizeof(int), cudaMemcpyDeviceToHost));
  WORKS(cudaMemcpy(copied.data(), copy, n * sizeof(int), cudaMemcpyDeviceToHost));
  WORKS(cudaMemcpy(&wrong, unsorted, sizeof(int), cudaMemcpyDeviceToHost));
  CHECK(wrong == 0);
  CHECK(copied == values);
  std::sort(values.begin(), values.end());
  CHECK(sorted == values);
  puts("ok");
  return 0;
}
