extern "C" __global__ void k(const unsigned char* x, unsigned* h, int n) {
  __shared__ unsigned s[256];
  s[threadIdx.x] = 0;
  __syncthreads();
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) s[x[i]]++;
  __syncthreads();
  atomicAdd(&h[threadIdx.x], s[threadIdx.x]);
}
