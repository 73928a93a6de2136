#include "../check.cuh"
__global__ void k(cudaTextureObject_t t, float* o) {
  int i = threadIdx.x;
  o[i] = tex2D<float>(t, i * 0.25f + 0.5f, 1.0f);
  o[32 + i] = tex1Dfetch<float>(0 ? t : t, 0) * 0;
}
__global__ void g(cudaTextureObject_t t, float* o) { o[threadIdx.x] = tex2D<float>(t, threadIdx.x * 0.25f, 1.0f); }
__global__ void sw(cudaSurfaceObject_t s) {
  uchar4 c = make_uchar4(threadIdx.x, threadIdx.y, 3, 4);
  surf2Dwrite(c, s, threadIdx.x * 4, threadIdx.y);
}
int main() {
  cudaChannelFormatDesc f = cudaCreateChannelDesc<float>();
  cudaArray_t a;
  WORKS(cudaMallocArray(&a, &f, 8, 4));
  float h[4][8];
  for (int y = 0; y < 4; y++)
    for (int x = 0; x < 8; x++) h[y][x] = 10 * y + x;
  WORKS(cudaMemcpy2DToArray(a, 0, 0, h, 32, 32, 4, cudaMemcpyHostToDevice));
  cudaResourceDesc r = {};
  r.resType = cudaResourceTypeArray;
  r.res.array.array = a;
  cudaTextureDesc d = {};
  d.filterMode = cudaFilterModeLinear;
  d.addressMode[0] = d.addressMode[1] = cudaAddressModeClamp;
  d.readMode = cudaReadModeElementType;
  cudaTextureObject_t t;
  WORKS(cudaCreateTextureObject(&t, &r, &d, 0));
  float *o, ho[32];
  WORKS(cudaMalloc(&o, 256));
  g<<<1, 32>>>(t, o);
  WORKS(cudaMemcpy(ho, o, 128, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 32; i++) {
    float x = i * 0.25f - 0.5f;
    if (x < 0) x = 0;
    if (x > 7) x = 7;
    CHECK(fabsf(ho[i] - (x + 5)) < 0.03f);
  }
  WORKS(cudaDestroyTextureObject(t));
  WORKS(cudaFreeArray(a));
  cudaChannelFormatDesc u = cudaCreateChannelDesc<uchar4>();
  WORKS(cudaMallocArray(&a, &u, 8, 4, cudaArraySurfaceLoadStore));
  r.res.array.array = a;
  cudaSurfaceObject_t s;
  WORKS(cudaCreateSurfaceObject(&s, &r));
  sw<<<1, dim3(8, 4)>>>(s);
  uchar4 c[4][8];
  WORKS(cudaMemcpy2DFromArray(c, 32, a, 0, 0, 32, 4, cudaMemcpyDeviceToHost));
  for (int y = 0; y < 4; y++)
    for (int x = 0; x < 8; x++) CHECK(c[y][x].x == x && c[y][x].y == y && c[y][x].w == 4);
  puts("ok");
}
