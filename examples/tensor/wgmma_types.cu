// builds: sm_90a.O3 sm_90a.G
// wgmma in all types, 64 x 64 tiles, A and B along K in every swizzle. Each step waits for its own result: a compiler that keeps the
// sums in memory between two steps, as with -G, would read registers that are still in use.

#include "wgmma.cuh"

#define TYPE(name, T, kind, text, tail)                                                                                \
  extern "C" __global__ void name(const Word* a, const Word* b, const T* c, T* d, int steps, int width) {              \
    __shared__ __align__(1024) Byte left[64 * 128];                                                                    \
    __shared__ __align__(1024) Byte right[64 * 128];                                                                   \
    const KMajor tile{width, 64};                                                                                      \
    rows(left, a, tile, steps * 32);                                                                                   \
    rows(right, b, tile, steps * 32);                                                                                  \
    T x[32];                                                                                                           \
    for (int i = 0; i < 32; i++) x[i] = c[cell(i, 64)];                                                                \
    written();                                                                                                         \
    for (int step = 0; step < steps; step++)                                                                           \
      asm volatile("wgmma.fence.sync.aligned; wgmma.mma_async.sync.aligned." text " " D32 ", %32, %33, 1" tail                \
                   "; wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;"                               \
                   : R32(kind, x)                                                                                      \
                   : "l"(descriptor(shared(left) + tile.begin(step), tile.leading(), tile.stride(), width)),           \
                     "l"(descriptor(shared(right) + tile.begin(step), tile.leading(), tile.stride(), width))           \
                   : "memory");                                                                                        \
    for (int i = 0; i < 32; i++) d[cell(i, 64)] = x[i];                                                                \
  }
TYPE(wgmma_tf32, float, "f", "m64n64k8.f32.tf32.tf32", ", 1, -1")
TYPE(wgmma_e4m3, float, "f", "m64n64k32.f32.e4m3.e4m3", ", 1, 1")
TYPE(wgmma_e5m2, float, "f", "m64n64k32.f32.e5m2.e4m3", ", -1, 1")
TYPE(wgmma_s8, Word, "r", "m64n64k32.s32.s8.s8", "")
TYPE(wgmma_u8, Word, "r", "m64n64k32.satfinite.s32.u8.u8", "")
TYPE(wgmma_b1, Word, "r", "m64n64k256.s32.b1.b1.and.popc", "")

