// A volume, linearly filtered in all three directions.
extern "C" __global__ void sample(cudaTextureObject_t volume, const float* x, const float* y, const float* z, float* out, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = tex3D<float>(volume, x[i], y[i], z[i]);
}
