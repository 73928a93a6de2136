#include "../check.cuh"
__host__ __device__ int steps(float x, float y) {
  float a = 0, b = 0;
  int n = 0;
  for (; n < 64 && a * a + b * b < 4; n++) {
    float c = a * a - b * b + x;
    b = 2 * a * b + y;
    a = c;
  }
  return n;
}
__global__ void k(unsigned char* p, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) p[y * w + x] = steps(x * 3.0f / w - 2, y * 2.0f / h - 1);
}
int main() {
  const int w = 160, h = 100;
  static unsigned char p[w * h], *d;
  WORKS(cudaMalloc(&d, w * h));
  k<<<dim3((w + 15) / 16, (h + 15) / 16), dim3(16, 16)>>>(d, w, h);
  WORKS(cudaMemcpy(p, d, w * h, cudaMemcpyDeviceToHost));
  int off = 0;
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) off += p[y * w + x] != steps(x * 3.0f / w - 2, y * 2.0f / h - 1);
  CHECK(off < w * h / 100);
  puts("ok");
}
