// Algorithms of the toolkit's own library.
#include <thrust/device_vector.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/transform.h>

#include <cub/device/device_reduce.cuh>

#include "check.cuh"

int main() {
  thrust::device_vector<int> values(1000);
  for (int i = 0; i < 1000; i++) values[i] = (i * 7919) % 1000;
  CHECK(thrust::reduce(values.begin(), values.end()) == 499500);
  thrust::sort(values.begin(), values.end());
  CHECK(values[10] == 10 && values[999] == 999);
  thrust::inclusive_scan(values.begin(), values.end(), values.begin());
  CHECK(values[999] == 499500);
  int *sum, got;
  void *room = nullptr;
  size_t bytes = 0;
  WORKS(cudaMalloc(&sum, sizeof(int)));
  WORKS(cub::DeviceReduce::Max(room, bytes, values.begin(), sum, 1000));
  WORKS(cudaMalloc(&room, bytes));
  WORKS(cub::DeviceReduce::Max(room, bytes, values.begin(), sum, 1000));
  WORKS(cudaMemcpy(&got, sum, sizeof got, cudaMemcpyDeviceToHost));
  CHECK(got == 499500);
  printf("thrust\n");
}
