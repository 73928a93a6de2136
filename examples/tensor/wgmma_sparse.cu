// builds: sm_90a.O3 sm_90a.G
// wgmma with 2 of 4 elements of A: a step has 32 bytes of each row of A and 64 of each column of B. Each warp brings the metadata of
// its 16 rows, which lies as that of mma.sp.

#include "wgmma.cuh"
typedef unsigned short Half;

/// `e` has 16 bits a row for 16 columns.
__device__ Word pair(const Half* e, int steps, int step, int who) {
  const int lane = threadIdx.x % 32, row = threadIdx.x / 32 * 16 + lane / 4, at = step * 2 + lane % 2;
  return lane % 4 / 2 == who ? e[row * steps * 2 + at] | e[(row + 8) * steps * 2 + at] << 16 : 0x4e4e4e4e;
}
/// `e` has 32 bits a row for 32 columns.
__device__ Word all(const Word* e, int steps, int step, int) {
  const int lane = threadIdx.x % 32, row = threadIdx.x / 32 * 16 + lane / 4;
  return e[(row + lane % 2 * 8) * steps * 2 + step * 2 + lane % 4 / 2];
}

#define SPARSE(name, E, meta, who, T, kind, text, tail)                                                                \
  extern "C" __global__ void name(const Word* a, const Word* b, const E* e, const T* c, T* d, int steps, int width) {  \
    __shared__ __align__(1024) Byte left[64 * 64];                                                                     \
    __shared__ __align__(1024) Byte right[64 * 128];                                                                   \
    const KMajor ta{32, 64}, tb{width, 64};                                                                            \
    rows(left, a, ta, steps * 32);                                                                                     \
    rows(right, b, tb, steps * 64);                                                                                    \
    T x[32];                                                                                                           \
    for (int i = 0; i < 32; i++) x[i] = c[cell(i, 64)];                                                                \
    written();                                                                                                         \
    for (int step = 0; step < steps; step++)                                                                           \
      asm volatile("wgmma.fence.sync.aligned; wgmma.mma_async.sp.sync.aligned." text " " D32 ", %32, %33, %34, " #who  \
                   ", 1" tail "; wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;"                    \
                   : R32(kind, x)                                                                                      \
                   : "l"(descriptor(shared(left) + ta.begin(step), ta.leading(), ta.stride(), 32)),                    \
                     "l"(descriptor(shared(right) + tb.begin(step * 2), tb.leading(), tb.stride(), width)),            \
                     "r"(meta(e, steps, step, who))                                                                    \
                   : "memory");                                                                                        \
    for (int i = 0; i < 32; i++) d[cell(i, 64)] = x[i];                                                                \
  }
SPARSE(wgmma_sparse_f16, Half, pair, 0, float, "f", "m64n64k32.f32.f16.f16", ", 1, 1, 0, 0")
SPARSE(wgmma_sparse_tf32, Half, pair, 1, float, "f", "m64n64k16.f32.tf32.tf32", ", 1, 1")
SPARSE(wgmma_sparse_s8, Word, all, 0, Word, "r", "m64n64k64.s32.s8.s8", "")
SPARSE(wgmma_sparse_e5m2, Word, all, 0, float, "f", "m64n64k64.f32.e5m2.e4m3", ", 1, 1")
