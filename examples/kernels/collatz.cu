// How many steps of n/2, 3n+1 lead from start[i] down to 1: a loop that the lanes of a warp leave at different times.
// nvcc -ptx -arch=sm_90 -O3 -lineinfo collatz.cu -o collatz.ptx
extern "C" __global__ void collatz(int n, const unsigned *start, unsigned *steps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned long long value = start[i];
  unsigned count = 0;
#pragma unroll 1
  while (value > 1) {
    if (value & 1) value = 3 * value + 1;
    else value >>= 1;
    count++;
  }
  steps[i] = count;
}
