extern "C" __global__ void k(const float* x, float* y) {
  __shared__ float s[64];
  int t = threadIdx.x;
  if (t < 32) {
    s[t] = x[t];
    asm volatile("bar.sync 1, 64;");
    y[t] = s[t + 32];
  } else {
    s[t] = x[t];
    asm volatile("bar.sync 2, 64;");
    y[t] = s[t - 32];
  }
}
