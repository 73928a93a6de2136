// Inclusive sums within each block of 256 words, by warps.
extern "C" __global__ void scan(const unsigned* in, unsigned* out, int n) {
  __shared__ unsigned sums[8];
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  unsigned value = i < n ? in[i] : 0;
#pragma unroll
  for (int d = 1; d < 32; d *= 2) {
    unsigned before = __shfl_up_sync(~0u, value, d);
    if (lane >= d) value += before;
  }
  if (lane == 31) sums[warp] = value;
  __syncthreads();
  unsigned sum = 0;
#pragma unroll
  for (int w = 0; w < 7; w++)
    if (w < warp) sum += sums[w];
  if (i < n) out[i] = value + sum;
}
