// Mixes the bits of integers, negative ones too.
extern "C" __global__ void mix(const int *x, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int v = x[i];
  for (int round = 0; round < 3; round++) v = (v >> 3) - v * 5 + round;
  out[i] = v;
}
