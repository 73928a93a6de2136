// A polynomial by Horner's rule, in f32 (fma) and in f64 (mul, add), unoptimised and with debug sections: every variable
// is in memory or in a register of its own, so a debugger sees it.
// nvcc -ptx -arch=sm_90 -G -fmad=false horner.cu -o horner.ptx
extern "C" __global__ void horner(int n, int degree, const float *coefficient, const float *x, float *single, double *twice) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float narrow = coefficient[degree];
    double wide = coefficient[degree];
    for (int k = degree - 1; k >= 0; k--) {
      narrow = narrow * x[i] + coefficient[k];
      wide = wide * (double)x[i] + (double)coefficient[k];
    }
    single[i] = narrow;
    twice[i] = wide;
  }
}
