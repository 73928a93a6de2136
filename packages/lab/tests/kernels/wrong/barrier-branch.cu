extern "C" __global__ void k(const int* x, int* y) {
  __shared__ int s;
  int t = threadIdx.x;
  if (x[t] > 20) {
    if (t == 0) s = 1;
    __syncthreads();
  }
  y[t] = s;
}
