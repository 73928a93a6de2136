// A barrier of the whole grid, and clusters.
#include <cooperative_groups.h>

#include "check.cuh"

namespace groups = cooperative_groups;

__global__ void pass(int *parts, int *total) {
  groups::grid_group grid = groups::this_grid();
  if (threadIdx.x == 0) parts[blockIdx.x] = blockIdx.x + 1;
  grid.sync();
  if (grid.thread_rank() == 0)
    for (int i = 0; i < gridDim.x; i++) *total += parts[i];
}

__global__ void twice_as_many(int *ranks) { ranks[blockIdx.x] = blockIdx.x; }

int main() {
  int *parts, *total, got = 0, blocks = 8;
  WORKS(cudaMalloc(&parts, blocks * sizeof(int)));
  WORKS(cudaMalloc(&total, sizeof(int)));
  WORKS(cudaMemset(total, 0, sizeof(int)));
  void *parameters[] = {&parts, &total};
  WORKS(cudaLaunchCooperativeKernel((void *)pass, dim3(blocks), dim3(32), parameters, 0, 0));
  WORKS(cudaMemcpy(&got, total, sizeof got, cudaMemcpyDeviceToHost));
  CHECK(got == 36);
  cudaLaunchConfig_t config = {};
  config.gridDim = blocks;
  config.blockDim = 32;
  cudaLaunchAttribute attribute;
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = 2;
  attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
  config.attrs = &attribute;
  config.numAttrs = 1;
  WORKS(cudaLaunchKernelEx(&config, twice_as_many, parts));
  WORKS(cudaDeviceSynchronize());
  printf("grid\n");
}
