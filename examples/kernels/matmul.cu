// c = a * b on square matrices, a thread an element, on a grid of two dimensions; threads outside return early.
// nvcc -ptx -arch=sm_100 -O3 matmul.cu -o matmul.ptx
extern "C" __global__ void matmul(int n, const float *a, const float *b, float *c) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= n) return;
  float sum = 0;
  for (int k = 0; k < n; k++) sum = fmaf(a[y * n + k], b[k * n + x], sum);
  c[y * n + x] = sum;
}
