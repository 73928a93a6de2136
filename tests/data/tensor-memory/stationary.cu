// .ws with A in tensor memory: D[64][64] = A[64][16] * B[64][16]^T of f16. A row of A lies in the two lanes whose columns of D it makes.
#include "tcgen05.h"

constexpr int K = 16;
constexpr int N = 64;

extern "C" __global__ void stationary(const uint32_t* a, const __half* b, float* d) {
  __shared__ __align__(128) __half sb[N * K];
  __shared__ __align__(8) uint64_t barrier;
  __shared__ uint32_t slot;
  int thread = threadIdx.x;
  for (int at = thread; at < N * K; at += 128) sb[core(at / K, 2 * (at % K), 2 * K) / 2] = b[at];
  uint32_t bar = shared_address(&barrier);
  if (thread == 0) init(bar, 1);
  if (thread < 32) allocate<64>(&slot);
  together();
  uint32_t t = slot;
  uint32_t lanes = uint32_t(thread / 32 * 32) << 16;
  const uint32_t* row = a + (thread % 64) * (K / 2);
  asm volatile("tcgen05.st.sync.aligned.32x32b.x8.b32 [%0], {%1,%2,%3,%4,%5,%6,%7,%8};" ::"r"(t + lanes + 32), "r"(row[0]),
               "r"(row[1]), "r"(row[2]), "r"(row[3]), "r"(row[4]), "r"(row[5]), "r"(row[6]), "r"(row[7])
               : "memory");
  asm volatile("tcgen05.wait::st.sync.aligned;" ::: "memory");
  together();
  if (thread == 0) {
    uint32_t idesc = 1u << 4 | uint32_t(N >> 3) << 17 | uint32_t(64 >> 4) << 24;
    asm volatile("tcgen05.mma.ws.cta_group::1.kind::f16.collector::b0::fill [%0], [%1], %2, %3, 0;" ::"r"(t), "r"(t + 32),
                 "l"(descriptor(shared_address(sb), 128, 256, 0)), "r"(idesc)
                 : "memory");
    commit(bar);
  }
  wait(bar, 0);
  after();
  // Lanes 0 to 63 have columns 0 to 31 of their rows, lanes 64 to 127 the others.
  for (int n = 0; n < N / 2; n += 8) load8(t + lanes + n, d + (thread % 64) * N + thread / 64 * (N / 2) + n);
  before();
  __syncthreads();
  if (thread < 32) release<64>(t);
}
