extern "C" __global__ void k(const int* x, int* count, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && x[i] > 50) *count = *count + 1;
}
