extern "C" __global__ void k(const float* x, float* y, int n) {
  const float* r = x + blockIdx.x * n;
  float s = 0;
  for (int i = 0; i < n; i++) s += r[i];
  float m = s / n, q = 0;
  for (int i = 0; i < n; i++) q += (r[i] - m) * (r[i] - m);
  float d = rsqrtf(q / n + 1e-5f);
  for (int i = threadIdx.x; i < n; i += blockDim.x) y[blockIdx.x * n + i] = (r[i] - m) * d;
}
