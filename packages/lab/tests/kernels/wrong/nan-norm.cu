extern "C" __global__ void k(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float a = fmaxf(x[i], 0.f);
    y[i] = a / (a + 0.f * i);
  }
}
