// A histogram of bytes: each block counts in shared memory, then adds its counts to the global ones.

extern "C" __global__ void histogram(const unsigned char* bytes, unsigned n, unsigned* bins, unsigned long long* weight,
                                     int* least, int* greatest) {
  __shared__ unsigned counts[256];
  for (unsigned bin = threadIdx.x; bin < 256; bin += blockDim.x) counts[bin] = 0;
  __syncthreads();
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    atomicAdd(&counts[bytes[i]], 1u);
    atomicMin(least, static_cast<int>(bytes[i]) - 128);
    atomicMax(greatest, static_cast<int>(bytes[i]) - 128);
  }
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < 256; bin += blockDim.x) {
    if (counts[bin] == 0) continue;
    atomicAdd(&bins[bin], counts[bin]);
    atomicAdd(weight, static_cast<unsigned long long>(counts[bin]) << bin % 48);
  }
}
