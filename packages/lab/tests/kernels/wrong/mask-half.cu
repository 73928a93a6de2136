extern "C" __global__ void k(const int* x, int* y) {
  int t = threadIdx.x;
  int v = __shfl_xor_sync(0x0000ffff, x[t], 1);
  y[t] = v;
}
