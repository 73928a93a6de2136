extern "C" __global__ void k(const float* x, float* y) {
  __shared__ float s[16 * 17];
  int t = threadIdx.x, u = threadIdx.y;
  s[u * 17 + t] = x[u * 16 + t];
  __syncthreads();
  y[u * 16 + t] = s[t * 16 + u];
}
