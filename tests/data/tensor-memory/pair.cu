// Two blocks of a cluster: D[256][64] = A[256][16] * B[64][16]^T of f16. Each has half of the rows of A, of B and of D.
#include "tcgen05.h"

constexpr int K = 16;
constexpr int N = 64;

__device__ inline void cluster() {
  asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
}

extern "C" __global__ void __cluster_dims__(2, 1, 1) pair(const __half* a, const __half* b, float* d) {
  __shared__ __align__(128) __half sa[128 * K];
  __shared__ __align__(128) __half sb[N / 2 * K];
  __shared__ __align__(8) uint64_t barrier;
  __shared__ uint32_t slot;
  int thread = threadIdx.x;
  uint32_t rank;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  for (int at = thread; at < 128 * K; at += 128)
    sa[core(at / K, 2 * (at % K), 2 * K) / 2] = a[rank * 128 * K + at];
  for (int at = thread; at < N / 2 * K; at += 128)
    sb[core(at / K, 2 * (at % K), 2 * K) / 2] = b[rank * (N / 2) * K + at];
  uint32_t bar = shared_address(&barrier);
  if (thread == 0) init(bar, 1);
  if (thread < 32)
    asm volatile("tcgen05.alloc.cta_group::2.sync.aligned.shared::cta.b32 [%0], 64;" ::"r"(shared_address(&slot)) : "memory");
  proxy();
  before();
  __syncthreads();
  cluster();
  after();
  uint32_t t = slot;
  if (rank == 0 && thread == 0) {
    uint32_t idesc = 1u << 4 | uint32_t(N >> 3) << 17 | uint32_t(256 >> 4) << 24;
    asm volatile("tcgen05.mma.cta_group::2.kind::f16 [%0], %1, %2, %3, 0;" ::"r"(t),
                 "l"(descriptor(shared_address(sa), 128, 256, 0)), "l"(descriptor(shared_address(sb), 128, 256, 0)), "r"(idesc)
                 : "memory");
    asm volatile(
        "tcgen05.commit.cta_group::2.mbarrier::arrive::one.shared::cluster.multicast::cluster.b64 [%0], %1;" ::"r"(bar),
        "h"(uint16_t(3))
        : "memory");
  }
  wait(bar, 0);
  after();
  for (int n = 0; n < N; n += 8)
    load8(t + (uint32_t(thread / 32 * 32) << 16) + n, d + (rank * 128 + thread) * N + n);
  before();
  __syncthreads();
  cluster();
  if (thread < 32) {
    asm volatile("tcgen05.dealloc.cta_group::2.sync.aligned.b32 %0, 64;" ::"r"(t) : "memory");
    asm volatile("tcgen05.relinquish_alloc_permit.cta_group::2.sync.aligned;" ::: "memory");
  }
}
