// Bitonic sort of each block's 256 keys in shared memory; keys behind the end sort last and are not written back.

extern "C" __global__ void bitonic(int* keys, unsigned n) {
  __shared__ int tile[256];
  const unsigned t = threadIdx.x, i = blockIdx.x * 256 + t;
  tile[t] = i < n ? keys[i] : 0x7fffffff;
  __syncthreads();
  for (unsigned size = 2; size <= 256; size *= 2) {
    for (unsigned stride = size / 2; stride > 0; stride /= 2) {
      const unsigned other = t ^ stride;
      if (other > t) {
        const bool ascending = (t & size) == 0;
        const int a = tile[t], b = tile[other];
        if ((a > b) == ascending) tile[t] = b, tile[other] = a;
      }
      __syncthreads();
    }
  }
  if (i < n) keys[i] = tile[t];
}
