extern "C" __global__ void k(const float* x, float* y, int n) {
  __shared__ float s[256];
  int t = threadIdx.x;
  int i = blockIdx.x * 256 + t;
  if (i < n) {
    s[t] = x[i];
    __syncthreads();
    y[i] = s[t ^ 1 < n ? t ^ 1 : t];
  }
}
