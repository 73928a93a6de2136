// One tile D[128][64] = A[128][64] * B[64][64]^T of f16, without swizzling and with 128 bytes of it.
#include "tcgen05.h"

constexpr int K = 64;
constexpr int N = 64;

template <int SWIZZLE>
__device__ void tile(const __half* a, const __half* b, float* d) {
  __shared__ __align__(1024) __half sa[128 * K];
  __shared__ __align__(1024) __half sb[N * K];
  __shared__ __align__(8) uint64_t barrier;
  __shared__ uint32_t slot;
  int thread = threadIdx.x;
  auto place = [](int row, int k) {
    if (SWIZZLE == 2) return (row * 8 + ((k / 8) ^ (row % 8))) * 8 + k % 8;
    return core(row, 2 * k, 2 * K) / 2;
  };
  for (int at = thread; at < 128 * K; at += 128) sa[place(at / K, at % K)] = a[at];
  for (int at = thread; at < N * K; at += 128) sb[place(at / K, at % K)] = b[at];
  uint32_t bar = shared_address(&barrier);
  if (thread == 0) init(bar, 1);
  if (thread < 32) allocate<N>(&slot);
  together();
  uint32_t t = slot;
  if (thread == 0) {
    uint32_t idesc = 1u << 4 | uint32_t(N >> 3) << 17 | uint32_t(128 >> 4) << 24;
    for (int k = 0; k < K; k += 16) {
      uint32_t step = SWIZZLE == 2 ? k * 2 : (k / 8) * 128;
      uint32_t stride = SWIZZLE == 2 ? 1024 : (K / 8) * 128;
      asm volatile(
          "{\n .reg .pred p;\n setp.ne.u32 p, %4, 0;\n"
          " tcgen05.mma.cta_group::1.kind::f16 [%0], %1, %2, %3, p;\n}" ::"r"(t),
          "l"(descriptor(shared_address(sa) + step, 128, stride, SWIZZLE)),
          "l"(descriptor(shared_address(sb) + step, 128, stride, SWIZZLE)), "r"(idesc), "r"(k)
          : "memory");
    }
    commit(bar);
  }
  wait(bar, 0);
  after();
  for (int n = 0; n < N; n += 8) load8(t + (uint32_t(thread / 32 * 32) << 16) + n, d + thread * N + n);
  before();
  __syncthreads();
  if (thread < 32) release<N>(t);
}

extern "C" __global__ void plain(const __half* a, const __half* b, float* d) { tile<0>(a, b, d); }
extern "C" __global__ void swizzled(const __half* a, const __half* b, float* d) { tile<2>(a, b, d); }
