extern "C" __global__ void k(const float* x, float* y) {
  __shared__ float s[256];
  int t = threadIdx.x;
  s[t] = x[blockIdx.x * 256 + t];
  y[blockIdx.x * 256 + t] = s[255 - t];
}
