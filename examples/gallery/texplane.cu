// A plane of float4 turned by a matrix, between its texels; and the same points sampled.
extern "C" __global__ void turn(cudaTextureObject_t smooth, cudaTextureObject_t coarse, float4* out, float4* near,
                                int width, int height, float a, float b, float x0, float y0) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float u = __fadd_rn(__fadd_rn(__fmul_rn(a, x), __fmul_rn(b, y)), x0);
  float v = __fadd_rn(__fadd_rn(__fmul_rn(a, y), -__fmul_rn(b, x)), y0);
  out[y * width + x] = tex2D<float4>(smooth, u, v);
  near[y * width + x] = tex2D<float4>(coarse, u, v);
}
