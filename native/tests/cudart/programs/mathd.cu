#include <cmath>
#include "../check.cuh"
#define ALL(F)                                                                                                      \
  F(sin)                                                                                                            \
  F(cos)                                                                                                            \
  F(tan) F(exp) F(log) F(sqrt) F(cbrt) F(erf) F(erfc) F(tgamma) F(lgamma) F(sinh) F(atan) F(log2) F(expm1) F(asinh) \
      F(j0) F(y1) F(floor) F(rint)
__global__ void k(const double* x, double* o, float* f, int n) {
  int i = threadIdx.x, m = 0;
#define F(g)                        \
  o[i + n * m] = g(x[i]);           \
  f[i + n * m] = g##f((float)x[i]); \
  m++;
  ALL(F)
}
int main() {
  const int n = 64;
  double h[n];
  static double o[n * 20];
  static float f[n * 20];
  for (int i = 0; i < n; i++) h[i] = 0.07 * (i + 1);
  double *a, *b;
  float* c;
  WORKS(cudaMalloc(&a, sizeof h));
  WORKS(cudaMalloc(&b, sizeof o));
  WORKS(cudaMalloc(&c, sizeof f));
  WORKS(cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice));
  k<<<1, n>>>(a, b, c, n);
  WORKS(cudaMemcpy(o, b, sizeof o, cudaMemcpyDeviceToHost));
  WORKS(cudaMemcpy(f, c, sizeof f, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; i++) {
    int m = 0;
#undef F
#define F(g)                                                   \
  {                                                            \
    double w = ::g(h[i]);                                      \
    CHECK(fabs(o[i + n * m] - w) <= 1e-13 * fmax(1, fabs(w))); \
    CHECK(fabs(f[i + n * m] - w) <= 2e-5 * fmax(1, fabs(w)));  \
    m++;                                                       \
  }

    ALL(F)
  }
  puts("ok");
}
