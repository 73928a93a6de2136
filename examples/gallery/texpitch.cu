// Rows that a program has laid out itself: bytes as fractions, filtered; signed shorts; halves.
#include <cuda_fp16.h>
extern "C" __global__ void rows(cudaTextureObject_t bytes, cudaTextureObject_t shorts, cudaTextureObject_t halves,
                                float* a, float2* b, float* c, int width, int height) {
  int x = threadIdx.x, y = blockIdx.x;
  if (x >= width || y >= height) return;
  a[y * width + x] = tex2D<float>(bytes, x + 0.75f, y + 1.0f);
  b[y * width + x] = tex2D<float2>(shorts, x, y);
  c[y * width + x] = tex2D<float>(halves, x + 1.0f, y + 0.5f);
}
