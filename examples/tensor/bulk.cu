// builds: sm_90.O3 sm_90.G sm_100.O3 sm_120.O3
// Bulk copies and reductions of flat ranges through cuda::ptx and cuda::barrier.

#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/ptx>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;
using Barrier = cuda::barrier<cuda::thread_scope_block>;
typedef unsigned Word;
typedef unsigned long long Long;

// in -> shared -> changed -> out, in two buffers: while one is worked on, the other is filled.
extern "C" __global__ void bulk_stream(const Word* in, Word* out, int tiles) {
  __shared__ alignas(128) Word tile[2][128];
  __shared__ Barrier full[2];
  if (threadIdx.x == 0) {
    init(&full[0], blockDim.x), init(&full[1], blockDim.x);
    ptx::fence_proxy_async(ptx::space_shared);
  }
  __syncthreads();
  Barrier::arrival_token token[2];
  auto fetch = [&](int at) {
    if (threadIdx.x == 0) {
      cuda::memcpy_async(tile[at % 2], in + at * 128, cuda::aligned_size_t<16>(512), full[at % 2]);
      token[at % 2] = full[at % 2].arrive();
    } else
      token[at % 2] = full[at % 2].arrive();
  };
  fetch(0);
  for (int at = 0; at < tiles; at++) {
    if (at + 1 < tiles) {
      // The buffer was read by a bulk store; only who issued that can wait for it.
      if (threadIdx.x == 0) ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
      __syncthreads();
      fetch(at + 1);
    }
    full[at % 2].wait(std::move(token[at % 2]));
    for (int i = threadIdx.x; i < 128; i += blockDim.x) tile[at % 2][i] = tile[at % 2][i] * 3 + i + at;
    ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads();
    if (threadIdx.x == 0) {
      ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out + at * 128, tile[at % 2], 512);
      ptx::cp_async_bulk_commit_group();
    }
  }
  if (threadIdx.x == 0) ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
}

// Every operation that a bulk reduction to global memory has. Each block adds its own; 64 bytes of each kind.
template <class T>
__device__ T* place(unsigned char* base, int at) { return reinterpret_cast<T*>(base + at * 64); }
extern "C" __global__ void bulk_reduce(const unsigned char* in, unsigned char* out) {
  __shared__ alignas(128) unsigned char tile[17 * 64];
  for (int i = threadIdx.x; i < sizeof tile; i += blockDim.x) tile[i] = in[blockIdx.x * sizeof tile + i];
  ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  if (threadIdx.x != 0) return;
  int at = 0;
#define REDUCE(T, op)                                                                                                           \
  ptx::cp_reduce_async_bulk(ptx::space_global, ptx::space_shared, op, place<T>(out, at), place<const T>(tile, at), 64), at++
  REDUCE(uint32_t, ptx::op_add);
  REDUCE(uint32_t, ptx::op_min);
  REDUCE(uint32_t, ptx::op_max);
  REDUCE(uint32_t, ptx::op_inc);
  REDUCE(int32_t, ptx::op_add);
  REDUCE(int32_t, ptx::op_min);
  REDUCE(int32_t, ptx::op_max);
  REDUCE(uint32_t, ptx::op_and_op);
  REDUCE(uint32_t, ptx::op_or_op);
  REDUCE(uint32_t, ptx::op_xor_op);
  REDUCE(uint64_t, ptx::op_add);
  REDUCE(int64_t, ptx::op_min);
  REDUCE(float, ptx::op_add);
  REDUCE(double, ptx::op_add);
  REDUCE(__half, ptx::op_add);
  REDUCE(__half, ptx::op_max);
  REDUCE(__nv_bfloat16, ptx::op_add);
  ptx::cp_async_bulk_commit_group();
  ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
}

// Each block of a cluster sends its tile to the next one, and adds it to that of the one after.
extern "C" __global__ void __cluster_dims__(4, 1, 1) bulk_cluster(const Word* in, Word* out) {
  __shared__ alignas(128) Word own[64], got[64], sum[64];
  __shared__ uint64_t full;
  auto cluster = cg::this_cluster();
  const Word rank = cluster.block_rank(), me = threadIdx.x;
  own[me] = in[rank * 64 + me];
  sum[me] = 1000 * rank;
  if (me == 0) {
    ptx::mbarrier_init(&full, 1);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
  }
  ptx::fence_proxy_async(ptx::space_shared);
  cluster.sync();
  if (me == 0) {
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cluster, ptx::space_shared, &full, 512);
    const Word next = (rank + 1) % 4, after = (rank + 2) % 4;
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_shared, cluster.map_shared_rank(got, next), own, 256, cluster.map_shared_rank(&full, next));
    ptx::cp_reduce_async_bulk(ptx::space_cluster, ptx::space_shared, ptx::op_add, (uint32_t*)cluster.map_shared_rank(sum, after),
                              (const uint32_t*)own, 256, cluster.map_shared_rank(&full, after));
  }
  while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster, &full, 0)) {}
  out[(rank * 2) * 64 + me] = got[me];
  out[(rank * 2 + 1) * 64 + me] = sum[me];
  cluster.sync();
}

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 1000 && __CUDA_ARCH__ < 1200
// Only some bytes of every 16 are stored.
extern "C" __global__ void bulk_bytes(const Word* in, Word* out) {
  __shared__ alignas(128) Word tile[32];
  tile[threadIdx.x] = in[threadIdx.x];
  ptx::fence_proxy_async(ptx::space_shared);
  __syncwarp();
  if (threadIdx.x == 0) {
    ptx::cp_async_bulk_cp_mask(ptx::space_global, ptx::space_shared, out, tile, 128, (uint16_t)0x8e31);
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
  }
}
#endif

// A sum over a long array: each block brings its piece by one bulk copy, adds it up, and adds the result by another.
extern "C" __global__ void bulk_sum(const int* in, int* total, int each) {
  extern __shared__ __align__(128) int piece[];
  __shared__ alignas(16) int result[4];
  __shared__ uint64_t full;
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&full, 1);
    ptx::fence_proxy_async(ptx::space_shared);
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, piece, in + blockIdx.x * each, each * 4, &full);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full, each * 4);
  }
  if (threadIdx.x < 4) result[threadIdx.x] = 0;
  __syncthreads();
  while (!ptx::mbarrier_try_wait_parity(&full, 0)) {}
  int sum = 0;
  for (int i = threadIdx.x; i < each; i += blockDim.x) sum += piece[i];
  sum = __reduce_add_sync(~0u, sum);
  if (threadIdx.x % 32 == 0) atomicAdd(&result[threadIdx.x / 32 % 4], sum);
  ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  if (threadIdx.x == 0) {
    ptx::cp_reduce_async_bulk(ptx::space_global, ptx::space_shared, ptx::op_add, total, result, 16);
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
  }
}
