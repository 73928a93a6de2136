// builds: sm_90.O3 sm_90.G sm_100.O3
// mma.sync on doubles: the shape of sm_80, and the three of sm_90.

#include "mma.cuh"

extern "C" __global__ void mma_f64(const double* a, const double* b, const double* c, double* d, int k) {
  const Lane lane;
  double x[2] = {c[lane.c(0)], c[lane.c(1)]};
  for (int i = 0; i < k; i += 4)
    asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1},{%2},{%3},{%0,%1};"
        : "+d"(x[0]), "+d"(x[1])
        : "d"(lane.a8(a + i, k, 0)), "d"(lane.b(b + i, k, 0)));
  d[lane.c(0)] = x[0], d[lane.c(1)] = x[1];
}

#define SUM "{%0,%1,%2,%3}"
#define KERNEL(name, NA, NB, text, ...)                                                                               \
  extern "C" __global__ void name(const double* a, const double* b, const double* c, double* d, int k) {              \
    const Lane lane;                                                                                                  \
    double x[4], p[NA], q[NB];                                                                                        \
    for (int i = 0; i < 4; i++) x[i] = c[lane.c(i)];                                                                  \
    for (int at = 0; at < k; at += NB * 4) {                                                                          \
      for (int i = 0; i < NA; i++) p[i] = lane.a(a + at, k, i);                                                       \
      for (int i = 0; i < NB; i++) q[i] = lane.b(b + at, k, i);                                                       \
      asm("mma.sync.aligned." text : "+d"(x[0]), "+d"(x[1]), "+d"(x[2]), "+d"(x[3]) : __VA_ARGS__);                   \
    }                                                                                                                 \
    for (int i = 0; i < 4; i++) d[lane.c(i)] = x[i];                                                                  \
  }
KERNEL(mma_f64_k4, 2, 1, "m16n8k4.row.col.f64.f64.f64.f64 " SUM ",{%4,%5},{%6}," SUM ";", "d"(p[0]), "d"(p[1]),
       "d"(q[0]))
KERNEL(mma_f64_k8, 4, 2, "m16n8k8.row.col.f64.f64.f64.f64 " SUM ",{%4,%5,%6,%7},{%8,%9}," SUM ";", "d"(p[0]),
       "d"(p[1]), "d"(p[2]), "d"(p[3]), "d"(q[0]), "d"(q[1]))
KERNEL(mma_f64_k16, 8, 4,
       "m16n8k16.row.col.f64.f64.f64.f64 " SUM ",{%4,%5,%6,%7,%8,%9,%10,%11},{%12,%13,%14,%15}," SUM ";", "d"(p[0]),
       "d"(p[1]), "d"(p[2]), "d"(p[3]), "d"(p[4]), "d"(p[5]), "d"(p[6]), "d"(p[7]), "d"(q[0]), "d"(q[1]), "d"(q[2]),
       "d"(q[3]))
