// builds: sm_90.O3 sm_90.G sm_100.O3 sm_120.O3
// How grids and blocks start: griddepcontrol, and blocks that take over the work of others that have not begun.

#include <cooperative_groups.h>
#include <cuda/ptx>
namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;
typedef unsigned Word;

// The first of two kernels lets the second one start before it ends; the second waits for its results.
extern "C" __global__ void depend_first(const Word* in, Word* middle) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
  middle[i] = in[i] * 7 + 1;
}
extern "C" __global__ void depend_second(const Word* middle, Word* out, Word add) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const Word own = i * add;
  asm volatile("griddepcontrol.wait;" ::: "memory");
  out[i] = (middle[i] ^ middle[i ^ 1]) + own;
}

#if __CUDA_ARCH__ >= 1000
// Each tile is worked on exactly once, by whoever gets it. `out` counts, and has a value of the tile's own.
extern "C" __global__ void steal_work(const Word* in, Word* out, Word* runs) {
  __shared__ uint4 answer;
  __shared__ uint64_t ready;
  Word tile = blockIdx.x, phase = 0;
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&ready, 1);
    atomicAdd(runs, 1);
  }
  __syncthreads();
  for (;;) {
    if (threadIdx.x == 0) {
      ptx::fence_proxy_async_generic_sync_restrict(ptx::sem_acquire, ptx::space_cluster, ptx::scope_cluster);
      ptx::mbarrier_arrive_expect_tx(ptx::sem_relaxed, ptx::scope_cta, ptx::space_shared, &ready, sizeof answer);
      ptx::clusterlaunchcontrol_try_cancel(&answer, &ready);
    }
    atomicAdd(&out[tile * 64 + threadIdx.x], in[tile] * (threadIdx.x + 1));
    while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cta, &ready, phase)) {}
    phase ^= 1;
    const bool got = ptx::clusterlaunchcontrol_query_cancel_is_canceled(answer);
    if (!got) break;
    tile = ptx::clusterlaunchcontrol_query_cancel_get_first_ctaid_x<Word>(answer);
    ptx::fence_proxy_async_generic_sync_restrict(ptx::sem_release, ptx::space_shared, ptx::scope_cluster);
    __syncthreads();
  }
}
#endif

// A cluster's blocks exchange halves of an array in their shared memories, as a sort across blocks does.
extern "C" __global__ void __cluster_dims__(2, 1, 1) cluster_merge(const int* in, int* out) {
  __shared__ int own[64];
  auto cluster = cg::this_cluster();
  const Word rank = cluster.block_rank(), me = threadIdx.x;
  own[me] = in[blockIdx.x * 64 + me];
  // Odd-even steps over the 128 numbers of both blocks.
  for (int step = 0; step < 128; step++) {
    cluster.sync();
    const int at = rank * 64 + me;
    const int other = step % 2 == at % 2 ? at + 1 : at - 1;
    const int x = own[me];
    int y = x;
    if (other >= 0 && other < 128) y = *cluster.map_shared_rank(&own[other % 64], other / 64);
    cluster.sync();
    if (other >= 0 && other < 128) own[me] = other > at ? min(x, y) : max(x, y);
  }
  out[blockIdx.x * 64 + me] = own[me];
}

// Transposed by distributed shared memory: a block writes its rows into the columns of all four.
extern "C" __global__ void __cluster_dims__(4, 1, 1) cluster_transpose(const Word* in, Word* out) {
  __shared__ Word columns[16][64];
  auto cluster = cg::this_cluster();
  const Word rank = cluster.block_rank();
  cluster.sync();
  for (int i = threadIdx.x; i < 16 * 64; i += blockDim.x) {
    const int row = rank * 16 + i / 64, column = i % 64;
    *cluster.map_shared_rank(&columns[column % 16][row], column / 16) = in[row * 64 + column];
  }
  cluster.sync();
  for (int i = threadIdx.x; i < 16 * 64; i += blockDim.x) out[rank * 16 * 64 + i] = columns[i / 64][i % 64];
}
