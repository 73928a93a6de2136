extern "C" __global__ void k(const float* x, float* y) {
  int t = threadIdx.x;
  float v = x[t];
  if ((t & 31) < 16) v += __shfl_down_sync(0xffffffff, v, 8);
  y[t] = v;
}
