extern "C" __global__ void k(const int* x, int* y) {
  int t = threadIdx.x, l = t & 31;
  int v = x[t];
  for (int d = 1; d < 32; d *= 2) {
    int u = __shfl_up_sync(0xffffffff, v, d);
    if (l >= d) v += u;
  }
  y[t] = v;
}
