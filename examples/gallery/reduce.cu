// Sums by shuffles: a warp halves its distance, the first warp adds the warps' sums, an atomic adds the blocks' sums.
// Blocks of 103 threads leave a last warp of 7, whose lanes alone are named by its member mask.

__device__ float warpSum(float value, unsigned lanes) {
  const unsigned lane = threadIdx.x % 32;
  const unsigned members = lanes == 32 ? ~0u : (1u << lanes) - 1;
  for (unsigned distance = 16; distance > 0; distance /= 2) {
    const float other = __shfl_down_sync(members, value, distance);
    if (lane + distance < lanes) value += other;
  }
  return value;
}

__device__ unsigned warpSum(unsigned value, unsigned lanes) {
  const unsigned members = lanes == 32 ? ~0u : (1u << lanes) - 1;
  const unsigned lane = threadIdx.x % 32;
  for (unsigned distance = 16; distance > 0; distance /= 2) {
    const unsigned other = __shfl_xor_sync(members, value, distance);
    if ((lane ^ distance) < lanes) value += other;
  }
  return value;
}

extern "C" __global__ void reduce(const float* x, const unsigned* k, unsigned n, float* blockSums, unsigned* total) {
  __shared__ float floats[32];
  __shared__ unsigned integers[32];
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const unsigned lanes = min(32u, blockDim.x - warp * 32), warps = (blockDim.x + 31) / 32;
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

  const float f = warpSum(i < n ? x[i] : 0.0f, lanes);
  // A butterfly over 7 lanes is no sum: the odd ones go the other way.
  const unsigned u = lanes == 32 ? warpSum(i < n ? k[i] : 0u, lanes) : 0u;
  if (lanes != 32 && i < n) atomicAdd(total, k[i]);
  if (lane == 0) floats[warp] = f, integers[warp] = u;
  __syncthreads();
  if (threadIdx.x < warps) {
    const float sum = warpSum(floats[threadIdx.x], warps);
    atomicAdd(total, integers[threadIdx.x]);
    if (threadIdx.x == 0) blockSums[blockIdx.x] = sum;
  }
}
