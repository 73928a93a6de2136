// d = a to the power e modulo m in 64 bits; the product's 128 bits are divided bit by bit.
// nvcc -ptx -arch=sm_90 -O3 modpow.cu -o modpow.ptx
__device__ __forceinline__ unsigned long long mulmod(unsigned long long a, unsigned long long b, unsigned long long m) {
  unsigned long long high = __umul64hi(a, b) % m, low = a * b;
#pragma unroll 1
  for (int k = 63; k >= 0; k--) {
    unsigned long long top = high >> 63;
    high = high << 1 | (low >> k & 1);
    if (top || high >= m) high -= m;
  }
  return high;
}

extern "C" __global__ void modpow(int n, const unsigned long long *a, const unsigned long long *e,
                                  const unsigned long long *m, unsigned long long *d) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned long long square = a[i] % m[i], result = 1 % m[i];
  for (unsigned long long left = e[i]; left; left >>= 1) {
    if (left & 1) result = mulmod(result, square, m[i]);
    square = mulmod(square, square, m[i]);
  }
  d[i] = result;
}
