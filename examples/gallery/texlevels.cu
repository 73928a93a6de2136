// Levels of detail, given and from derivatives.
extern "C" __global__ void levels(cudaTextureObject_t sharp, cudaTextureObject_t mixed, float* a, float* b, float* c, int count) {
  int i = threadIdx.x;
  if (i >= count) return;
  a[i] = tex2DLod<float>(sharp, 0.5f, 0.5f, i * 0.25f);
  b[i] = tex2DLod<float>(mixed, 0.5f, 0.5f, i * 0.25f);
  c[i] = tex2DGrad<float>(mixed, 0.5f, 0.5f, make_float2(i / 8.0f, 0.0f), make_float2(0.0f, i / 16.0f));
}
