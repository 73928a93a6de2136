// builds: sm_90.O3 sm_90.G sm_100.O3 sm_120.O3
// Tiles of tensors by their maps. A map is a parameter; the host makes it.

#include <cooperative_groups.h>
#include <cuda/ptx>
#include <cuda.h>
namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;
typedef unsigned Word;

struct Load {
  uint64_t* full;
  Word phase = 0;
  __device__ Load(uint64_t* barrier) : full(barrier) {
    if (threadIdx.x == 0) {
      ptx::mbarrier_init(full, 1);
      ptx::fence_proxy_async(ptx::space_shared);
    }
    __syncthreads();
  }
  __device__ void expect(Word bytes) { ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, full, bytes); }
  __device__ void wait() {
    while (!ptx::mbarrier_try_wait_parity(full, phase)) {}
    phase ^= 1;
  }
};

// The raw bytes of one tile as they lie in shared memory. `rank` coordinates; tile of `bytes`.
extern "C" __global__ void tile_load(const __grid_constant__ CUtensorMap map, Word* out, int rank, int bytes, int x, int y, int z, int u, int v) {
  extern __shared__ __align__(1024) Word tile[];
  __shared__ uint64_t barrier;
  Load load(&barrier);
  if (threadIdx.x == 0) {
    const auto to = ptx::space_cluster;
    const auto from = ptx::space_global;
    load.expect(bytes);
    if (rank == 1) ptx::cp_async_bulk_tensor(to, from, tile, &map, {x}, &barrier);
    if (rank == 2) ptx::cp_async_bulk_tensor(to, from, tile, &map, {x, y}, &barrier);
    if (rank == 3) ptx::cp_async_bulk_tensor(to, from, tile, &map, {x, y, z}, &barrier);
    if (rank == 4) ptx::cp_async_bulk_tensor(to, from, tile, &map, {x, y, z, u}, &barrier);
    if (rank == 5) ptx::cp_async_bulk_tensor(to, from, tile, &map, {x, y, z, u, v}, &barrier);
  }
  load.wait();
  for (int i = threadIdx.x; i < bytes / 4; i += blockDim.x) out[i] = tile[i];
}

// The other way: shared memory holds `in`, and the tile goes to the tensor. What lies outside of it is dropped.
extern "C" __global__ void tile_store(const __grid_constant__ CUtensorMap map, const Word* in, int rank, int bytes, int add, int x, int y, int z, int u) {
  extern __shared__ __align__(1024) Word tile[];
  for (int i = threadIdx.x; i < bytes / 4; i += blockDim.x) tile[i] = in[i];
  ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  if (threadIdx.x == 0) {
    const auto to = ptx::space_global;
    const auto from = ptx::space_shared;
    if (add) {
      if (rank == 2) ptx::cp_reduce_async_bulk_tensor(to, from, ptx::op_add, &map, {x, y}, tile);
      if (rank == 3) ptx::cp_reduce_async_bulk_tensor(to, from, ptx::op_max, &map, {x, y, z}, tile);
    } else {
      if (rank == 2) ptx::cp_async_bulk_tensor(to, from, &map, {x, y}, tile);
      if (rank == 3) ptx::cp_async_bulk_tensor(to, from, &map, {x, y, z}, tile);
      if (rank == 4) ptx::cp_async_bulk_tensor(to, from, &map, {x, y, z, u}, tile);
    }
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
  }
}

// 32 x 32 words in, 32 x 32 transposed out: with rows of 128 bytes swizzled, columns are read without bank conflicts.
extern "C" __global__ void tile_transpose(const __grid_constant__ CUtensorMap from, const __grid_constant__ CUtensorMap to) {
  __shared__ alignas(1024) Word a[32 * 32];
  __shared__ alignas(1024) Word b[32 * 32];
  __shared__ uint64_t barrier;
  Load load(&barrier);
  const int x = blockIdx.x * 32, y = blockIdx.y * 32;
  if (threadIdx.x == 0) {
    asm volatile("prefetch.tensormap [%0];" ::"l"(&to) : "memory");
    load.expect(sizeof a);
    ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, a, &from, {x, y}, &barrier);
  }
  load.wait();
  auto at = [](int row, int column) { return row * 32 + ((column / 4 ^ row % 8) * 4 | column % 4); };
  for (int i = threadIdx.x; i < 1024; i += blockDim.x) b[at(i / 32, i % 32)] = a[at(i % 32, i / 32)];
  ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  if (threadIdx.x == 0) {
    ptx::cp_async_bulk_tensor(ptx::space_global, ptx::space_shared, &to, {y, x}, b);
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
  }
}

// Image rows become columns: `offsetW`, `offsetH` (and `offsetD`) say which weight of the filter the pixels are for.
extern "C" __global__ void im2col_load(const __grid_constant__ CUtensorMap map, Word* out, int rank, int bytes, int c, int w, int h, int d, int n,
                                       unsigned short ow, unsigned short oh, unsigned short od) {
  extern __shared__ __align__(1024) Word tile[];
  __shared__ uint64_t barrier;
  Load load(&barrier);
  if (threadIdx.x == 0) {
    load.expect(bytes);
    const Word to = (Word)__cvta_generic_to_shared(tile), bar = (Word)__cvta_generic_to_shared(&barrier);
    if (rank == 3)
      asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [%0], [%1, {%2,%3,%4}], [%5], {%6};" ::"r"(to),
                   "l"(&map), "r"(c), "r"(w), "r"(n), "r"(bar), "h"(ow) : "memory");
    if (rank == 4)
      asm volatile("cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [%0], [%1, {%2,%3,%4,%5}], [%6], {%7,%8};" ::"r"(to),
                   "l"(&map), "r"(c), "r"(w), "r"(h), "r"(n), "r"(bar), "h"(ow), "h"(oh) : "memory");
    if (rank == 5)
      asm volatile("cp.async.bulk.tensor.5d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [%0], [%1, {%2,%3,%4,%5,%6}], [%7], {%8,%9,%10};" ::"r"(to),
                   "l"(&map), "r"(c), "r"(w), "r"(h), "r"(d), "r"(n), "r"(bar), "h"(ow), "h"(oh), "h"(od) : "memory");
  }
  load.wait();
  for (int i = threadIdx.x; i < bytes / 4; i += blockDim.x) out[i] = tile[i];
}

// Two tiles, the halves of each fetched by one block of the cluster for both.
extern "C" __global__ void __cluster_dims__(2, 1, 1) tile_multicast(const __grid_constant__ CUtensorMap map, Word* out) {
  __shared__ alignas(1024) Word tile[2][16 * 16];
  __shared__ uint64_t full;
  auto cluster = cg::this_cluster();
  const int rank = cluster.block_rank();
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&full, 1);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cluster, ptx::space_shared, &full, sizeof tile);
  }
  cluster.sync();
  const int pair = blockIdx.x / 2;
  if (threadIdx.x == 0)
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1, {%2,%3}], [%4], %5;" ::"r"(
                     (Word)__cvta_generic_to_shared(tile[rank])),
                 "l"(&map), "r"(rank * 16), "r"(pair * 16), "r"((Word)__cvta_generic_to_shared(&full)), "h"((unsigned short)3) : "memory");
  while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster, &full, 0)) {}
  for (int i = threadIdx.x; i < 512; i += blockDim.x) out[blockIdx.x * 512 + i] = tile[0][i] * (rank + 1);
  cluster.sync();
}

// Bulk multicast of a flat range by one block for all of its cluster.
extern "C" __global__ void __cluster_dims__(4, 1, 1) flat_multicast(const Word* in, Word* out) {
  __shared__ alignas(128) Word tile[64];
  __shared__ uint64_t full;
  auto cluster = cg::this_cluster();
  const int rank = cluster.block_rank();
  tile[threadIdx.x] = 7;
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&full, 1);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    if (rank != 2) ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cluster, ptx::space_shared, &full, 256);
  }
  ptx::fence_proxy_async(ptx::space_shared);
  cluster.sync();
  if (threadIdx.x == 0 && rank == 1)
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], %2, [%3], %4;" ::"r"((Word)__cvta_generic_to_shared(tile)),
                 "l"(in), "r"(256), "r"((Word)__cvta_generic_to_shared(&full)), "h"((unsigned short)0b1011) : "memory");
  if (rank != 2) while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster, &full, 0)) {}
  out[rank * 64 + threadIdx.x] = tile[threadIdx.x] + rank;
  cluster.sync();
}
