extern "C" __global__ void k(const float4* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float4 v = x[i];
    y[i * 4] = v.x;
    y[i * 4 + 1] = v.y;
    y[i * 4 + 2] = v.z;
    y[i * 4 + 2] = v.w;
  }
}
