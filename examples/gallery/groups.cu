// Cooperative groups below the grid: tiles of 8 lanes, a tile's reduction, coalesced threads, a labelled partition.

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;

extern "C" __global__ void groups(const int* in, int* out, double* halves, unsigned* odd, int n) {
  const cg::thread_block block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  const auto tile = cg::tiled_partition<8>(warp);
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int key = i < n ? in[i] : 0;
  out[i] = cg::reduce(tile, key, cg::plus<int>());
  const int total = n + (128 - n % 128) % 128;
  out[total + i] = cg::reduce(warp, key, cg::greater<int>());
  out[2 * total + i] = cg::inclusive_scan(tile, key);
  out[3 * total + i] = tile.shfl(key, tile.size() - 1 - tile.thread_rank());
  double value = key * 0.5;
  for (int distance = warp.size() / 2; distance > 0; distance /= 2) value += __shfl_xor_sync(~0u, value, distance);
  halves[i] = value;
  if (key & 1) {
    const cg::coalesced_group together = cg::coalesced_threads();
    if (together.thread_rank() == 0) atomicAdd(odd, together.size());
  }
  block.sync();
}
