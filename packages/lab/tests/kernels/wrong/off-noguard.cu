extern "C" __global__ void k(const float* x, const float* y, float* z, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int j = i; j <= n; j += gridDim.x * blockDim.x) z[j] = x[j] * y[j];
}
