// A picture blurred: read through a texture between its texels, written to a surface.
extern "C" __global__ void blur(cudaTextureObject_t from, cudaSurfaceObject_t to, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  // Each fetch is the mean of four texels, and all of them weigh 1 2 1 in both directions.
  float sum = tex2D<float>(from, x, y) + tex2D<float>(from, x + 1, y) + tex2D<float>(from, x, y + 1) +
              tex2D<float>(from, x + 1, y + 1);
  surf2Dwrite((unsigned char)__float2int_rn(sum * 63.75f), to, x, y);
}
