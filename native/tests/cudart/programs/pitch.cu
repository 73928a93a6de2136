#include "../check.cuh"
__global__ void transpose(const float* in, size_t ip, float* out, size_t op, int w, int h) {
  __shared__ float t[16][17];
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x < w && y < h) t[threadIdx.y][threadIdx.x] = ((const float*)((const char*)in + y * ip))[x];
  __syncthreads();
  x = blockIdx.y * 16 + threadIdx.x;
  y = blockIdx.x * 16 + threadIdx.y;
  if (x < h && y < w) ((float*)((char*)out + y * op))[x] = t[threadIdx.x][threadIdx.y];
}
int main() {
  const int w = 50, h = 37;
  static float a[h][w], b[w][h];
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) a[y][x] = y * 1000 + x;
  float *da, *db;
  size_t pa, pb;
  WORKS(cudaMallocPitch(&da, &pa, w * 4, h));
  WORKS(cudaMallocPitch(&db, &pb, h * 4, w));
  CHECK(pa % 256 == 0);
  WORKS(cudaMemcpy2D(da, pa, a, w * 4, w * 4, h, cudaMemcpyHostToDevice));
  transpose<<<dim3(4, 3), dim3(16, 16)>>>(da, pa, db, pb, w, h);
  WORKS(cudaMemcpy2D(b, h * 4, db, pb, h * 4, w, cudaMemcpyDeviceToHost));
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) CHECK(b[x][y] == a[y][x]);
  WORKS(cudaMemset2D(da, pa, 0x11, w * 4, h));
  unsigned v;
  WORKS(cudaMemcpy(&v, (char*)da + pa * 3 + 4, 4, cudaMemcpyDeviceToHost));
  CHECK(v == 0x11111111);
  puts("ok");
}
