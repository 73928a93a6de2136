// Arrays of lines and of planes.
extern "C" __global__ void layers(cudaTextureObject_t lines, cudaTextureObject_t planes, float* a, float2* b, int width,
                                  int height, int count) {
  int x = threadIdx.x, y = threadIdx.y, layer = blockIdx.x;
  if (y == 0) a[layer * width + x] = tex1DLayered<float>(lines, x + 0.5f, layer);
  b[(layer * height + y) * width + x] = tex2DLayered<float2>(planes, x + 1.0f, y + 0.5f, layer);
}
