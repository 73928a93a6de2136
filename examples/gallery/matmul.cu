// C = A * B in tiles of 16 x 16 in shared memory; no size needs to be a multiple of 16.

extern "C" __global__ void matmul(const float* a, const float* b, float* c, int rows, int inner, int columns) {
  __shared__ float left[16][16], right[16][16];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * 16 + y, column = blockIdx.x * 16 + x;
  float sum = 0;
  for (int start = 0; start < inner; start += 16) {
    left[y][x] = row < rows && start + x < inner ? a[row * inner + start + x] : 0;
    right[y][x] = start + y < inner && column < columns ? b[(start + y) * columns + column] : 0;
    __syncthreads();
    for (int k = 0; k < 16; k++) sum = fmaf(left[y][k], right[k][x], sum);
    __syncthreads();
  }
  if (row < rows && column < columns) c[row * columns + column] = sum;
}
