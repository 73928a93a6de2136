// Linear memory as a texture: whole elements, in range and out of it, and bytes as fractions.
extern "C" __global__ void fetch(cudaTextureObject_t floats, cudaTextureObject_t colours, cudaTextureObject_t fractions,
                                 const int* index, float* f, uchar4* c, float4* n, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  f[i] = tex1Dfetch<float>(floats, index[i]);
  c[i] = tex1Dfetch<uchar4>(colours, index[i]);
  n[i] = tex1Dfetch<float4>(fractions, index[i]);
}
