// Cubemaps: directions to faces, alone and in layers.
extern "C" __global__ void faces(cudaTextureObject_t cube, cudaTextureObject_t cubes, const float3* d, int* a, int* b, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  a[i] = texCubemap<int>(cube, d[i].x, d[i].y, d[i].z);
  b[i] = texCubemapLayered<int>(cubes, d[i].x, d[i].y, d[i].z, i % 2);
}
