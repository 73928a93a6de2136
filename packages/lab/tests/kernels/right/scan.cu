extern "C" __global__ void k(const int* x, int* y, int n) {
  __shared__ int s[256];
  int t = threadIdx.x;
  s[t] = t < n ? x[t] : 0;
  for (int d = 1; d < 256; d *= 2) {
    __syncthreads();
    int v = t >= d ? s[t - d] : 0;
    __syncthreads();
    s[t] += v;
  }
  if (t < n) y[t] = s[t];
}
