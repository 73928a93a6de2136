// A stable radix sort of each block's 512 pairs, four bits a pass: every thread counts its own four keys' digits, one
// scan of 16 x 128 counts gives each its place.

extern "C" __global__ void __launch_bounds__(128) radixsort(unsigned* keys, unsigned short* values) {
  __shared__ unsigned key[512];
  __shared__ unsigned short value[512];
  __shared__ unsigned count[16 * 128];
  __shared__ unsigned sums[128];
  const unsigned t = threadIdx.x;
  keys += blockIdx.x * 512, values += blockIdx.x * 512;
  for (unsigned i = t; i < 512; i += 128) key[i] = keys[i], value[i] = values[i];
  __syncthreads();
  for (unsigned shift = 0; shift < 32; shift += 4) {
    unsigned own[4];
    unsigned short with[4];
    for (unsigned digit = 0; digit < 16; digit++) count[digit * 128 + t] = 0;
    for (unsigned j = 0; j < 4; j++) {
      own[j] = key[t * 4 + j], with[j] = value[t * 4 + j];
      count[(own[j] >> shift & 15) * 128 + t]++;
    }
    __syncthreads();
    unsigned sum = 0;
    for (unsigned j = 0; j < 16; j++) {
      const unsigned here = count[t * 16 + j];
      count[t * 16 + j] = sum;
      sum += here;
    }
    sums[t] = sum;
    __syncthreads();
    for (unsigned distance = 1; distance < 128; distance *= 2) {
      const unsigned before = t >= distance ? sums[t - distance] : 0;
      __syncthreads();
      sums[t] += before;
      __syncthreads();
    }
    for (unsigned j = 0; j < 16; j++) count[t * 16 + j] += sums[t] - sum;
    __syncthreads();
    for (unsigned j = 0; j < 4; j++) {
      const unsigned place = count[(own[j] >> shift & 15) * 128 + t]++;
      key[place] = own[j], value[place] = with[j];
    }
    __syncthreads();
  }
  for (unsigned i = t; i < 512; i += 128) keys[i] = key[i], values[i] = value[i];
}
