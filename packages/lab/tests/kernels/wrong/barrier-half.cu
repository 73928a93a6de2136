extern "C" __global__ void k(const float* x, float* y) {
  __shared__ float s[128];
  int t = threadIdx.x;
  s[t] = x[t];
  if (t < 40) {
    __syncthreads();
  } else {
    s[t] += 1;
  }
  __syncthreads();
  y[t] = s[127 - t];
}
