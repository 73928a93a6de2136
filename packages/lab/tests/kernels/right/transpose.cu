extern "C" __global__ void k(const float* x, float* y, int w, int h) {
  __shared__ float s[32][33];
  int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (c < w && r + j < h) s[threadIdx.y + j][threadIdx.x] = x[(r + j) * w + c];
  __syncthreads();
  c = blockIdx.y * 32 + threadIdx.x;
  r = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (c < h && r + j < w) y[(r + j) * h + c] = s[threadIdx.x][threadIdx.y + j];
}
