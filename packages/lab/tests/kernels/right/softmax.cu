extern "C" __global__ void k(const float* x, float* y, int n) {
  float m = -1e30f, s = 0;
  for (int i = 0; i < n; i++) m = fmaxf(m, x[i]);
  for (int i = 0; i < n; i++) s += expf(x[i] - m);
  for (int i = threadIdx.x; i < n; i += blockDim.x) y[i] = expf(x[i] - m) / s;
}
