extern "C" __global__ void reduce(const float *in, float *out) {
  __shared__ float s[64];
  int t = threadIdx.x;
  s[t] = in[blockIdx.x * 64 + t];
  __syncthreads();
  for (int d = 32; d > 0; d /= 2) {
    if (t < d) s[t] += s[t + d];
    // __syncthreads() is missing
  }
  if (t == 0) out[blockIdx.x] = s[0];
}
