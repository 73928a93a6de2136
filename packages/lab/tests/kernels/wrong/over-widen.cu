extern "C" __global__ void k(const int* a, const int* b, long long* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a[i] * b[i];
}
