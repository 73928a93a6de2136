// builds: sm_90a.O3
// wgmma with several steps in flight: 64 x 64 tiles, A and B in shared memory in every swizzle, along K or along M and N; A in
// registers; sums in f16.

#include "wgmma.cuh"

typedef unsigned short Half;

/// 16-bit tiles of 64 rows and 64 columns (of K), from rows in global memory.
template <class Tile>
__device__ void fill(Byte* to, const Half* from, const Tile& tile, int element) {
  for (int i = threadIdx.x; i < 64 * 64; i += blockDim.x) *(Half*)(to + tile.at(i / 64, i % 64 * element)) = from[i];
}

#define MAJORS(name, TA, TB, transA, transB, ea, eb, initA, initB)                                                     \
  extern "C" __global__ void name(const Half* a, const Half* b, const float* c, float* d, int widthA, int widthB) {    \
    __shared__ __align__(1024) Byte left[64 * 128];                                                                    \
    __shared__ __align__(1024) Byte right[64 * 128];                                                                   \
    const TA ta initA;                                                                                                 \
    const TB tb initB;                                                                                                 \
    fill(left, a, ta, ea);                                                                                             \
    fill(right, b, tb, eb);                                                                                            \
    float x[32];                                                                                                       \
    for (int i = 0; i < 32; i++) x[i] = c[cell(i, 64)];                                                                \
    written();                                                                                                         \
    fence();                                                                                                           \
    for (int step = 0; step < 4; step++)                                                                               \
      asm volatile("wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 " D32 ", %32, %33, 1, 1, 1, " #transA         \
                   ", " #transB ";"                                                                                    \
                   : R32("f", x)                                                                                       \
                   : "l"(descriptor(shared(left) + ta.begin(step), ta.leading(), ta.stride(), widthA)),                \
                     "l"(descriptor(shared(right) + tb.begin(step), tb.leading(), tb.stride(), widthB))                \
                   : "memory");                                                                                        \
    commit();                                                                                                          \
    wait<0>();                                                                                                         \
    for (int i = 0; i < 32; i++) d[cell(i, 64)] = x[i];                                                                \
  }
MAJORS(wgmma_k_k, KMajor, KMajor, 0, 0, 2, 2, ({widthA, 64}), ({widthB, 64}))
MAJORS(wgmma_k_n, KMajor, MNMajor, 0, 1, 2, 1, ({widthA, 64}), ({widthB, 64, 64}))
MAJORS(wgmma_m_k, MNMajor, KMajor, 1, 0, 1, 2, ({widthA, 64, 64}), ({widthB, 64}))
MAJORS(wgmma_m_n, MNMajor, MNMajor, 1, 1, 1, 1, ({widthA, 64, 64}), ({widthB, 64, 64}))

// Sums in f16, two to a register: 16 registers for 64 columns.
extern "C" __global__ void wgmma_half(const Word* a, const Word* b, Word* d, int steps, int width, int keep) {
  __shared__ __align__(1024) Byte left[64 * 128];
  __shared__ __align__(1024) Byte right[64 * 128];
  const KMajor tile{width, 64};
  rows(left, a, tile, steps * 32);
  rows(right, b, tile, steps * 32);
  Word x[16];
  for (int i = 0; i < 16; i++) x[i] = 0x4c004c00;  // 16
  written();
  fence();
  for (int step = 0; step < steps; step++)
    asm volatile(SCALE "%18, 0; wgmma.mma_async.sync.aligned.m64n64k16.f16.f16.f16 " D16 ", %16, %17, p, 1, 1, 0, 0; }"
                 : R16("r", x, 0)
                 : "l"(descriptor(shared(left) + tile.begin(step), tile.leading(), tile.stride(), width)),
                   "l"(descriptor(shared(right) + tile.begin(step), tile.leading(), tile.stride(), width)), "r"(int(step > 0 || keep))
                 : "memory");
  commit();
  wait<0>();
  for (int i = 0; i < 16; i++) d[cell(i * 2, 64) / 2] = x[i];
}

// A from registers, 8 columns, two groups in flight of which the first is read while the second may run.
extern "C" __global__ void wgmma_registers(const Word* a, const Word* b, float* d, int steps) {
  __shared__ __align__(1024) Byte right[2][8 * 128];
  const KMajor tile{128, 8};
  rows(right[0], b, tile, steps * 32);
  rows(right[1], b + steps * 64, tile, steps * 32);
  const int lane = threadIdx.x % 32, row = threadIdx.x / 32 * 16 + lane / 4;
  Word p[4][4];
  float x[4] = {1, 2, 3, 4}, y[4] = {9, 9, 9, 9};
  for (int step = 0; step < 4; step++)
    for (int i = 0; i < 4; i++) p[step][i] = step < steps ? a[(row + i % 2 * 8) * steps * 8 + step * 8 + lane % 4 + i / 2 * 4] : 0;
  written();
  fence();
#define STEP(to, which, step, keep)                                                                                             \
  asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0,%1,%2,%3}, {%4,%5,%6,%7}, %8, " #keep ", 1, 1, 0;"      \
               : R4("f", to, 0)                                                                                                 \
               : "r"(p[step][0]), "r"(p[step][1]), "r"(p[step][2]), "r"(p[step][3]),                                            \
                 "l"(descriptor(shared(right[which]) + tile.begin(step), 16, 1024, By128))                                      \
               : "memory")
  STEP(x, 0, 0, 1);
  STEP(x, 0, 1, 1);
  commit();
  STEP(y, 1, 0, 0);
  STEP(y, 1, 1, 1);
  commit();
  wait<1>();
  for (int i = 0; i < 4; i++) d[cell(i, 8)] = x[i];
  wait<0>();
  for (int i = 0; i < 4; i++) d[512 + cell(i, 8)] = y[i];
}
