// The four texels around a point, a channel of them.
extern "C" __global__ void gather(cudaTextureObject_t plane, int4* out, int width, int height) {
  int x = threadIdx.x, y = blockIdx.x;
  int4* to = out + 4 * (y * width + x);
  to[0] = tex2Dgather<int4>(plane, x + 0.75f, y + 0.25f, 0);
  to[1] = tex2Dgather<int4>(plane, x + 0.75f, y + 0.25f, 1);
  to[2] = tex2Dgather<int4>(plane, x + 0.75f, y + 0.25f, 2);
  to[3] = tex2Dgather<int4>(plane, x + 0.75f, y + 0.25f, 3);
}
