// builds: sm_120a.O3 sm_120a.G sm_121a.O3
// mma.sync of sm_120a: 6 and 4 bits in bytes of their own, and blocks of 32 or 16 along K that have a scale each.

#include "mma.cuh"

MMA_F32(mma_e3m2, "mma.sync.aligned.kind::f8f6f4.m16n8k32.row.col.f32.e3m2.e3m2.f32")
MMA_F32(mma_e2m3_e4m3, "mma.sync.aligned.kind::f8f6f4.m16n8k32.row.col.f32.e2m3.e4m3.f32")
MMA_F32(mma_e2m1_e5m2, "mma.sync.aligned.kind::f8f6f4.m16n8k32.row.col.f32.e2m1.e5m2.f32")
MMA_F16(mma_e2m1_f16, "mma.sync.aligned.kind::f8f6f4.m16n8k32.row.col.f16.e2m1.e2m3.f16")

// Scales: `sa` has `blocks` bytes a row of A, `sb` a column of B, for each step. Thread `pair` of four (of B: `one`) gives those of
// its row; of a register that holds more, `byte` says where they begin.
#define SCALED(name, blocks, text, pair, byteA, one, byteB)                                                           \
  extern "C" __global__ void name(const Word* a, const Word* b, const unsigned char* sa, const unsigned char* sb,     \
                                  const float* c, float* d, int words) {                                              \
    const Lane lane;                                                                                                  \
    float x[4];                                                                                                       \
    for (int i = 0; i < 4; i++) x[i] = c[lane.c(i)];                                                                  \
    const int steps = words / 8;                                                                                      \
    for (int step = 0; step < steps; step++) {                                                                        \
      Word p[4], q[2], r = 0xd5d5d5d5, s = 0x5d5d5d5d;                                                                \
      for (int i = 0; i < 4; i++) p[i] = lane.a(a + step * 8, words, i);                                              \
      for (int i = 0; i < 2; i++) q[i] = lane.b(b + step * 8, words, i);                                              \
      if (lane.four / 2 == pair) {                                                                                    \
        const int row = lane.group + lane.four % 2 * 8;                                                               \
        for (int i = 0; i < blocks; i++) {                                                                            \
          r &= ~(255u << (byteA + i) * 8);                                                                            \
          r |= sa[(row * steps + step) * blocks + i] << (byteA + i) * 8;                                              \
        }                                                                                                             \
      }                                                                                                               \
      if (lane.four == one)                                                                                           \
        for (int i = 0; i < blocks; i++) {                                                                            \
          s &= ~(255u << (byteB + i) * 8);                                                                            \
          s |= sb[(lane.group * steps + step) * blocks + i] << (byteB + i) * 8;                                       \
        }                                                                                                             \
      asm("mma.sync.aligned." text                                                                                    \
          " {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3},{%10},{%12,%14},{%11},{%13,%15};"                       \
          : "+f"(x[0]), "+f"(x[1]), "+f"(x[2]), "+f"(x[3])                                                            \
          : "r"(p[0]), "r"(p[1]), "r"(p[2]), "r"(p[3]), "r"(q[0]), "r"(q[1]), "r"(r), "r"(s), "n"(byteA), "n"(byteB), \
            "n"(pair), "n"(one));                                                                                     \
    }                                                                                                                 \
    for (int i = 0; i < 4; i++) d[lane.c(i)] = x[i];                                                                  \
  }
SCALED(mma_mxf8, 1, "kind::mxf8f6f4.block_scale.scale_vec::1X.m16n8k32.row.col.f32.e4m3.e4m3.f32.ue8m0", 0, 0, 0, 0)
SCALED(mma_mxf6, 1, "kind::mxf8f6f4.block_scale.m16n8k32.row.col.f32.e3m2.e2m1.f32.ue8m0", 1, 2, 3, 1)
SCALED(mma_mxf4, 2, "kind::mxf4.block_scale.scale_vec::2X.m16n8k64.row.col.f32.e2m1.e2m1.f32.ue8m0", 1, 2, 2, 0)
SCALED(mma_nvf4, 4, "kind::mxf4nvf4.block_scale.scale_vec::4X.m16n8k64.row.col.f32.e2m1.e2m1.f32.ue4m3", 1, 0, 1, 0)
SCALED(mma_nvf4_2x, 2, "kind::mxf4nvf4.block_scale.scale_vec::2X.m16n8k64.row.col.f32.e2m1.e2m1.f32.ue8m0", 0, 2, 3, 2)
