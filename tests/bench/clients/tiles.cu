// c = a * b on square matrices whose side is a multiple of 16, a tile of them at a time in shared memory.
// nvcc -ptx -arch=compute_75 tiles.cu -o tiles.ptx
extern "C" __global__ void tiles(float *c, const float *a, const float *b, int n) {
  __shared__ float left[16][16], right[16][16];
  int column = threadIdx.x, row = threadIdx.y;
  int x = 16 * blockIdx.x + column, y = 16 * blockIdx.y + row;
  float sum = 0;
  for (int k = 0; k < n; k += 16) {
    left[row][column] = a[y * n + k + column];
    right[row][column] = b[(k + row) * n + x];
    __syncthreads();
    for (int i = 0; i < 16; i++) sum += left[row][i] * right[i][column];
    __syncthreads();
  }
  c[y * n + x] = sum;
}
