extern "C" __global__ void k(const unsigned char* x, unsigned* h, int n) {
  __shared__ unsigned s[256];
  s[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) atomicAdd(&s[x[i]], 1);
  __syncthreads();
  atomicAdd(&h[threadIdx.x], s[threadIdx.x]);
}
