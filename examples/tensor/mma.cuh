// Fragments of mma.sync, by the manual's figures. In all shapes of 8 columns but m8n8k4.f16, a register is a word of a row of A
// or of a column of B: row lane / 4 (and 8 more for odd registers of A), word lane % 4 (and 4 more a pair of registers).
#pragma once

struct Lane {
  int group = threadIdx.x % 32 / 4, four = threadIdx.x % 4;

  /// Register i of A, whose rows have `words` words of 32 bits each.
  template <class T>
  __device__ T a(const T* rows, int words, int i) const {
    return rows[(group + i % 2 * 8) * words + four + i / 2 * 4];
  }
  /// Register i of A where D has 8 rows.
  template <class T>
  __device__ T a8(const T* rows, int words, int i) const {
    return rows[group * words + four + i * 4];
  }
  /// Register i of B, whose columns have `words` words each.
  template <class T>
  __device__ T b(const T* columns, int words, int i) const {
    return columns[group * words + four + i * 4];
  }
  /// Where element i of C or D is, in rows of 8.
  __device__ int c(int i) const { return (group + i / 2 * 8) * 8 + four * 2 + i % 2; }
  /// Where register i of C or D is, in rows of 4 words, when it holds two halves.
  __device__ int c2(int i) const { return (group + i * 8) * 4 + four; }
};


/// D has 16 rows and 32-bit elements; NA and NB registers of A and B a step. KIND is f or r.
#define MMA_A4_B2(kind, d, a, b, text)                                                                                \
  asm(text " {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};"                                                      \
      : "+" kind(d[0]), "+" kind(d[1]), "+" kind(d[2]), "+" kind(d[3])                                                \
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]))
#define MMA_A2_B1(kind, d, a, b, text)                                                                                \
  asm(text " {%0,%1,%2,%3},{%4,%5},{%6},{%0,%1,%2,%3};"                                                               \
      : "+" kind(d[0]), "+" kind(d[1]), "+" kind(d[2]), "+" kind(d[3])                                                \
      : "r"(a[0]), "r"(a[1]), "r"(b[0]))
/// D has 8 rows of 32-bit elements.
#define MMA_A1_B1(kind, d, a, b, text)                                                                                \
  asm(text " {%0,%1},{%2},{%3},{%0,%1};" : "+" kind(d[0]), "+" kind(d[1]) : "r"(a[0]), "r"(b[0]))
/// D has 16 rows of halves.
#define MMA_H_A4_B2(kind, d, a, b, text)                                                                              \
  asm(text " {%0,%1},{%2,%3,%4,%5},{%6,%7},{%0,%1};"                                                                  \
      : "+r"(d[0]), "+r"(d[1])                                                                                        \
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]))
#define MMA_H_A2_B1(kind, d, a, b, text)                                                                              \
  asm(text " {%0,%1},{%2,%3},{%4},{%0,%1};" : "+r"(d[0]), "+r"(d[1]) : "r"(a[0]), "r"(a[1]), "r"(b[0]))

typedef unsigned Word;

/// One warp: D = A * B + C, 16 x 8, `words` words of K. NA registers of A and NB of B a step.
#define MMA_KERNEL(name, shape, kind, T, NA, NB, NC, at, text)                                                        \
  extern "C" __global__ void name(const Word* a, const Word* b, const T* c, T* d, int words) {                        \
    const Lane lane;                                                                                                  \
    T sum[NC];                                                                                                        \
    for (int i = 0; i < NC; i++) sum[i] = c[lane.at(i)];                                                              \
    for (int k = 0; k < words; k += NB * 4) {                                                                         \
      Word left[NA], right[NB];                                                                                       \
      for (int i = 0; i < NA; i++) left[i] = NA > NB ? lane.a(a + k, words, i) : lane.a8(a + k, words, i);            \
      for (int i = 0; i < NB; i++) right[i] = lane.b(b + k, words, i);                                                \
      shape(kind, sum, left, right, text);                                                                            \
    }                                                                                                                 \
    for (int i = 0; i < NC; i++) d[lane.at(i)] = sum[i];                                                              \
  }
#define MMA_F32(name, text) MMA_KERNEL(name, MMA_A4_B2, "f", float, 4, 2, 4, c, text)
#define MMA_F32_SHORT(name, text) MMA_KERNEL(name, MMA_A2_B1, "f", float, 2, 1, 4, c, text)
#define MMA_F16(name, text) MMA_KERNEL(name, MMA_H_A4_B2, "r", Word, 4, 2, 2, c2, text)
#define MMA_F16_SHORT(name, text) MMA_KERNEL(name, MMA_H_A2_B1, "r", Word, 2, 1, 2, c2, text)
#define MMA_S32(name, text) MMA_KERNEL(name, MMA_A4_B2, "r", Word, 4, 2, 4, c, text)
#define MMA_S32_SHORT(name, text) MMA_KERNEL(name, MMA_A2_B1, "r", Word, 2, 1, 4, c, text)
#define MMA_S32_SMALL(name, text) MMA_KERNEL(name, MMA_A1_B1, "r", Word, 1, 1, 2, c, text)
