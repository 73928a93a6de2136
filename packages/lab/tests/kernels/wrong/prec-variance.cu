extern "C" __global__ void k(const float* x, float* y, int n) {
  float s = 0, q = 0;
  for (int i = 0; i < n; i++) {
    s += x[i];
    q += x[i] * x[i];
  }
  float m = s / n;
  y[threadIdx.x] = q / n - m * m;
}
