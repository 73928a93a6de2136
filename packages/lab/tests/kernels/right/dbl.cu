extern "C" __global__ void k(double* a, double b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = a[i] * b + 1.0;
}
