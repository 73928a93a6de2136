extern "C" __global__ void k(const int* rp, const int* ci, const float* v, const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float s = 0;
    for (int j = rp[i]; j < rp[i + 1]; j++) s += v[j] * x[ci[j]];
    y[i] = s;
  }
}
