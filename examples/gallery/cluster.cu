// A histogram of a cluster: each of its four blocks has a quarter of the 256 counts in its shared memory, and all
// threads of the cluster count there.

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

extern "C" __global__ void __cluster_dims__(4, 1, 1)
    cluster(const unsigned* keys, int n, unsigned* bins, unsigned* ranks) {
  __shared__ unsigned counts[64];
  const cg::cluster_group blocks = cg::this_cluster();
  for (int bin = threadIdx.x; bin < 64; bin += blockDim.x) counts[bin] = 0;
  blocks.sync();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(blocks.map_shared_rank(&counts[keys[i] % 64], keys[i] / 64), 1u);
  blocks.sync();
  for (int bin = threadIdx.x; bin < 64; bin += blockDim.x) bins[blockIdx.x * 64 + bin] = counts[bin];
  if (threadIdx.x == 0) ranks[blockIdx.x] = blocks.block_rank() * 1000 + blocks.num_blocks();
}
