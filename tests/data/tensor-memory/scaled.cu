// Block scale: D[128][32] = (A[128][32] * sa[128]) * (B[32][32] * sb[32])^T of e4m3 with ue8m0 scales, which tcgen05.cp brings to
// tensor memory, four times the same 32 lanes.
#include "tcgen05.h"

constexpr int K = 32;
constexpr int N = 32;

extern "C" __global__ void scaled(const uint8_t* a, const uint8_t* b, const uint8_t* sa, const uint8_t* sb, float* d) {
  __shared__ __align__(128) uint8_t ma[128 * K];
  __shared__ __align__(128) uint8_t mb[N * K];
  __shared__ __align__(128) uint8_t ms[2][32 * 16];
  __shared__ __align__(8) uint64_t barrier;
  __shared__ uint32_t slot;
  int thread = threadIdx.x;
  for (int at = thread; at < 128 * K; at += 128) ma[core(at / K, at % K, K)] = a[at];
  for (int at = thread; at < N * K; at += 128) mb[core(at / K, at % K, K)] = b[at];
  // Lane i has the scales of rows i, i + 32, i + 64 and i + 96 in the lowest bytes of four words.
  for (int at = thread; at < 32 * 16; at += 128) {
    int lane = at / 16, word = at % 16 / 4;
    ms[0][at] = at % 4 == 0 ? sa[lane + 32 * word] : 0;
    ms[1][at] = at % 4 == 0 && word == 0 ? sb[lane] : 0;
  }
  uint32_t bar = shared_address(&barrier);
  if (thread == 0) init(bar, 1);
  if (thread < 32) allocate<64>(&slot);
  together();
  uint32_t t = slot;
  if (thread == 0) {
    for (int i = 0; i < 2; i++)
      asm volatile("tcgen05.cp.cta_group::1.32x128b.warpx4 [%0], %1;" ::"r"(t + 32 + 4 * i),
                   "l"(descriptor(shared_address(ms[i]), 0, 128, 0))
                   : "memory");
    uint32_t idesc = uint32_t(N >> 3) << 17 | 1u << 23 | uint32_t(128 >> 7) << 27;
    asm volatile("tcgen05.mma.cta_group::1.kind::mxf8f6f4.block_scale [%0], %1, %2, %3, [%4], [%5], 0;" ::"r"(t),
                 "l"(descriptor(shared_address(ma), 128, 256, 0)), "l"(descriptor(shared_address(mb), 128, 256, 0)), "r"(idesc),
                 "r"(t + 32), "r"(t + 36)
                 : "memory");
    commit(bar);
  }
  wait(bar, 0);
  after();
  for (int n = 0; n < N; n += 8) load8(t + (uint32_t(thread / 32 * 32) << 16) + n, d + thread * N + n);
  before();
  __syncthreads();
  if (thread < 32) release<64>(t);
}
