// builds: sm_80.O3 sm_80.G sm_86.O3 sm_90.O3 sm_120.O3
// mma.sp: A keeps 2 of 4 elements (tf32: 1 of 2; nibbles: 2 pairs of 4), and metadata says which. `a` has half of the words of a
// row that is not sparse. `e` has 16 bits a row for 16 columns (f16; tf32: 8), or 32 bits for 32 columns (bytes; nibbles: 64).

#include "mma.cuh"

#if __CUDA_ARCH__ >= 900
#define SP "mma.sp::ordered_metadata.sync.aligned."
#else
#define SP "mma.sp.sync.aligned."
#endif

/// Where a lane finds its metadata: `steps` words or halves a row.
struct Meta : Lane {
  /// 16 columns by one of four lanes: rows `group` and `group + 8`.
  __device__ Word one(const unsigned short* e, int steps, int step, int who) const {
    if (four != who) return 0x4e4e4e4e;
    return e[group * steps + step] | e[(group + 8) * steps + step] << 16;
  }
  /// Two halves a step, one each by a pair of lanes.
  __device__ Word pair(const unsigned short* e, int steps, int step, int who) const {
    if (four / 2 != who) return 0x4e4e4e4e;
    const int at = step * 2 + four % 2;
    return e[group * steps * 2 + at] | e[(group + 8) * steps * 2 + at] << 16;
  }
  /// A word a row: the first of two lanes has row `group`, the second `group + 8`.
  __device__ Word rows(const Word* e, int steps, int step, int who) const {
    return four / 2 == who ? e[(group + four % 2 * 8) * steps + step] : 0x4e4e4e4e;
  }
  /// Two words a row, of all lanes.
  __device__ Word all(const Word* e, int steps, int step, int) const {
    return e[(group + four % 2 * 8) * steps * 2 + step * 2 + four / 2];
  }
};

#define LOAD(NA, NB)                                                             \
  for (int i = 0; i < NA; i++) p[i] = lane.a(a + step * NA * 2, words / 2, i);   \
  for (int i = 0; i < NB; i++) q[i] = lane.b(b + step * NB * 4, words, i);

#define SPARSE(name, T, kind, E, meta, who, NA, NB, text, lists, ...)                                                 \
  extern "C" __global__ void name(const Word* a, const Word* b, const E* e, const T* c, T* d, int words) {            \
    const Meta lane;                                                                                                  \
    T x[4];                                                                                                           \
    for (int i = 0; i < 4; i++) x[i] = c[lane.c(i)];                                                                  \
    const int steps = words / (NB * 4);                                                                               \
    for (int step = 0; step < steps; step++) {                                                                        \
      Word p[NA], q[NB];                                                                                              \
      LOAD(NA, NB)                                                                                                    \
      const Word m = lane.meta(e, steps, step, who);                                                                  \
      asm(SP text " {%0,%1,%2,%3}," lists ",{%0,%1,%2,%3},%4,%5;"                                                     \
          : "+" kind(x[0]), "+" kind(x[1]), "+" kind(x[2]), "+" kind(x[3])                                            \
          : "r"(m), "n"(who), __VA_ARGS__);                                                                           \
    }                                                                                                                 \
    for (int i = 0; i < 4; i++) d[lane.c(i)] = x[i];                                                                  \
  }
#define SHORT(name, T, kind, E, meta, who, text)                                                                      \
  SPARSE(name, T, kind, E, meta, who, 2, 2, text, "{%6,%7},{%8,%9}", "r"(p[0]), "r"(p[1]), "r"(q[0]), "r"(q[1]))
#define LONG(name, T, kind, E, meta, who, text)                                                                       \
  SPARSE(name, T, kind, E, meta, who, 4, 4, text, "{%6,%7,%8,%9},{%10,%11,%12,%13}", "r"(p[0]), "r"(p[1]), "r"(p[2]), \
         "r"(p[3]), "r"(q[0]), "r"(q[1]), "r"(q[2]), "r"(q[3]))

typedef unsigned short Half;
SHORT(sparse_f16_k16, float, "f", Half, one, 2, "m16n8k16.row.col.f32.f16.f16.f32")
LONG(sparse_f16, float, "f", Half, pair, 1, "m16n8k32.row.col.f32.f16.f16.f32")
LONG(sparse_bf16, float, "f", Half, pair, 0, "m16n8k32.row.col.f32.bf16.bf16.f32")
SHORT(sparse_tf32_k8, float, "f", Half, one, 3, "m16n8k8.row.col.f32.tf32.tf32.f32")
LONG(sparse_tf32, float, "f", Half, pair, 1, "m16n8k16.row.col.f32.tf32.tf32.f32")
SHORT(sparse_s8_k32, Word, "r", Word, rows, 1, "m16n8k32.row.col.s32.s8.u8.s32")
LONG(sparse_s8, Word, "r", Word, all, 0, "m16n8k64.row.col.s32.s8.s8.s32")
SHORT(sparse_s4_k64, Word, "r", Word, rows, 0, "m16n8k64.row.col.s32.s4.s4.s32")
LONG(sparse_u4, Word, "r", Word, all, 0, "m16n8k128.row.col.s32.u4.u4.s32")
#if __CUDA_ARCH__ >= 890
LONG(sparse_e4m3, float, "f", Word, all, 0, "m16n8k64.row.col.f32.e4m3.e5m2.f32")
#endif
