// A matrix turned over through tiles of 32 x 33 (the extra column keeps a GPU's banks apart), 32 x 8 threads a tile.

template <typename T>
__device__ void transposeTile(const T* in, T* out, int width, int height) {
  __shared__ T tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 32 + threadIdx.y;
  for (int row = 0; row < 32; row += 8)
    if (x < width && y + row < height) tile[threadIdx.y + row][threadIdx.x] = in[(y + row) * width + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int row = 0; row < 32; row += 8)
    if (x < height && y + row < width) out[(y + row) * height + x] = tile[threadIdx.x][threadIdx.y + row];
}

extern "C" __global__ void transpose_words(const unsigned* in, unsigned* out, int width, int height) {
  transposeTile(in, out, width, height);
}

extern "C" __global__ void transpose_bytes(const unsigned char* in, unsigned char* out, int width, int height) {
  transposeTile(in, out, width, height);
}

extern "C" __global__ void transpose_doubles(const double2* in, double2* out, int width, int height) {
  transposeTile(in, out, width, height);
}
