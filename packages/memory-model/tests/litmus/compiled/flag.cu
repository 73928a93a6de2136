extern "C" __global__ void pass(int *data, volatile int *flag, int *out) {
  if (blockIdx.x == 0) { data[0] = 42; flag[0] = 1; }
  else { while (flag[0] == 0); out[0] = data[0]; }
}
