// An inclusive prefix sum of any length in three launches: of each block, of the blocks' sums, and the carrying over.

__device__ unsigned scanBlock(unsigned value) {
  __shared__ unsigned sums[32];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (unsigned distance = 1; distance < 32; distance *= 2) {
    const unsigned before = __shfl_up_sync(~0u, value, distance);
    if (lane >= distance) value += before;
  }
  if (lane == 31) sums[warp] = value;
  __syncthreads();
  if (warp == 0) {
    unsigned sum = lane < blockDim.x / 32 ? sums[lane] : 0;
    for (unsigned distance = 1; distance < 32; distance *= 2) {
      const unsigned before = __shfl_up_sync(~0u, sum, distance);
      if (lane >= distance) sum += before;
    }
    sums[lane] = sum;
  }
  __syncthreads();
  return warp == 0 ? value : value + sums[warp - 1];
}

extern "C" __global__ void scan_blocks(const unsigned* in, unsigned* out, unsigned* sums, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned sum = scanBlock(i < n ? in[i] : 0);
  if (i < n) out[i] = sum;
  if (threadIdx.x == blockDim.x - 1) sums[blockIdx.x] = sum;
}

extern "C" __global__ void scan_sums(unsigned* sums, unsigned n) {
  const unsigned sum = scanBlock(threadIdx.x < n ? sums[threadIdx.x] : 0);
  if (threadIdx.x < n) sums[threadIdx.x] = sum;
}

extern "C" __global__ void scan_add(unsigned* out, const unsigned* sums, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (blockIdx.x > 0 && i < n) out[i] += sums[blockIdx.x - 1];
}
