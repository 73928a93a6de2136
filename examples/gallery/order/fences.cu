// A sum in one launch: each block leaves its part, and the block that counts last adds the parts up. What the last block
// reads is in order by the fence before the count and the fence behind it.

__device__ unsigned count = 0;

template <bool before, bool behind>
__device__ void total(const unsigned* in, unsigned* parts, unsigned* sum) {
  __shared__ unsigned part[32];
  __shared__ bool last;
  const unsigned t = threadIdx.x;
  part[t] = in[blockIdx.x * 32 + t];
  __syncthreads();
  if (t == 0) {
    unsigned all = 0;
    for (int i = 0; i < 32; i++) all += part[i];
    parts[blockIdx.x] = all;
    if (before) __threadfence();
    last = atomicAdd(&count, 1u) == gridDim.x - 1;
    if (behind) __threadfence();
  }
  __syncthreads();
  if (last && t == 0) {
    unsigned all = 0;
    for (unsigned i = 0; i < gridDim.x; i++) all += parts[i];
    *sum = all;
  }
}

extern "C" __global__ void right(const unsigned* in, unsigned* parts, unsigned* sum) {
  total<true, true>(in, parts, sum);
}
extern "C" __global__ void unreleased(const unsigned* in, unsigned* parts, unsigned* sum) {
  total<false, true>(in, parts, sum);
}
extern "C" __global__ void unacquired(const unsigned* in, unsigned* parts, unsigned* sum) {
  total<true, false>(in, parts, sum);
}
