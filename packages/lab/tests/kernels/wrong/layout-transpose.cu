extern "C" __global__ void k(const float* x, float* y, int w, int h) {
  __shared__ float s[32][32];
  int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 32 + threadIdx.y;
  if (c < w && r < h) s[threadIdx.y][threadIdx.x] = x[r * w + c];
  __syncthreads();
  if (c < w && r < h) y[r * h + c] = s[threadIdx.x][threadIdx.y];
}
