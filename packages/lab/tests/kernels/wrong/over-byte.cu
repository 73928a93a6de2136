extern "C" __global__ void k(const unsigned char* x, unsigned char* y, int n) {
  unsigned char s = 0;
  for (int i = 0; i < n; i++) s += x[i];
  if (threadIdx.x == 0) y[0] = s / 4;
}
