// A radix-2 transform of 512 complex points in one block: bit reversal, then nine rounds of butterflies. The roots of
// unity come from a table, so that the result is known to the bit.

extern "C" __global__ void fft(const float2* in, float2* out, const float2* roots) {
  __shared__ float2 data[512];
  in += blockIdx.x * 512, out += blockIdx.x * 512;
  for (unsigned i = threadIdx.x; i < 512; i += blockDim.x) data[__brev(i) >> 23] = in[i];
  __syncthreads();
  for (unsigned half = 1; half < 512; half *= 2) {
    for (unsigned i = threadIdx.x; i < 256; i += blockDim.x) {
      const unsigned k = i % half, low = (i - k) * 2 + k, high = low + half;
      const float2 w = roots[k * (256 / half)], a = data[low], b = data[high];
      const float x = fmaf(b.x, w.x, -__fmul_rn(b.y, w.y)), y = fmaf(b.x, w.y, __fmul_rn(b.y, w.x));
      data[low] = make_float2(a.x + x, a.y + y);
      data[high] = make_float2(a.x - x, a.y - y);
    }
    __syncthreads();
  }
  for (unsigned i = threadIdx.x; i < 512; i += blockDim.x) out[i] = data[i];
}
