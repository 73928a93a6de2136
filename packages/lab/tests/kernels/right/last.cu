extern "C" __global__ void k(const float* x, float* part, unsigned* count, float* out) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    float s = 0;
    for (int i = 0; i < blockDim.x; i++) s += x[blockIdx.x * blockDim.x + i];
    part[blockIdx.x] = s;
    __threadfence();
    last = atomicAdd(count, 1) == gridDim.x - 1;
    if (last) {
      __threadfence();
      float t = 0;
      for (int i = 0; i < gridDim.x; i++) t += ((volatile float*)part)[i];
      out[0] = t;
    }
  }
}
