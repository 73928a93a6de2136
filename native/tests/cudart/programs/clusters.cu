// nvcc: -arch=compute_90
#include <cooperative_groups.h>
#include "../check.cuh"
namespace cg = cooperative_groups;
__global__ void __cluster_dims__(4, 1, 1) k(int* o) {
  __shared__ int v[32];
  auto c = cg::this_cluster();
  v[threadIdx.x] = blockIdx.x * 100 + threadIdx.x;
  c.sync();
  int* other = c.map_shared_rank(v, (c.block_rank() + 1) % 4);
  o[blockIdx.x * 32 + threadIdx.x] = other[threadIdx.x];
  c.sync();
}
int main() {
  int *d, h[256];
  WORKS(cudaMalloc(&d, 1024));
  k<<<8, 32>>>(d);
  WORKS(cudaMemcpy(h, d, 1024, cudaMemcpyDeviceToHost));
  for (int b = 0; b < 8; b++)
    for (int i = 0; i < 32; i++) CHECK(h[b * 32 + i] == (b / 4 * 4 + (b + 1) % 4) * 100 + i);
  cudaLaunchConfig_t c = {};
  c.gridDim = 4;
  c.blockDim = 32;
  cudaLaunchAttribute a[1];
  a[0].id = cudaLaunchAttributeProgrammaticStreamSerialization;
  a[0].val.programmaticStreamSerializationAllowed = 1;
  c.attrs = a;
  c.numAttrs = 1;
  WORKS(cudaLaunchKernelEx(&c, k, d));
  WORKS(cudaDeviceSynchronize());
  puts("ok");
}
