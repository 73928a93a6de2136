extern "C" __global__ void k(const float* x, int* y, int n) {
  __shared__ float s[128];
  __shared__ int ix[128];
  int t = threadIdx.x;
  float b = -1e30f;
  int bi = -1;
  for (int i = t; i < n; i += 128)
    if (x[i] > b) {
      b = x[i];
      bi = i;
    }
  s[t] = b;
  ix[t] = bi;
  __syncthreads();
  for (int d = 64; d; d >>= 1) {
    if (t < d && s[t + d] > s[t]) {
      s[t] = s[t + d];
      ix[t] = ix[t + d];
    }
    __syncthreads();
  }
  if (t == 0) y[0] = ix[0];
}
