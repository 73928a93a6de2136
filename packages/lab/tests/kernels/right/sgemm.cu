extern "C" __global__ void k(const float* A, const float* B, float* C, int M, int N, int K) {
  __shared__ float a[16][16], b[16][16];
  int r = blockIdx.y * 16 + threadIdx.y, c = blockIdx.x * 16 + threadIdx.x;
  float s = 0;
  for (int k = 0; k < K; k += 16) {
    a[threadIdx.y][threadIdx.x] = r < M && k + threadIdx.x < K ? A[r * K + k + threadIdx.x] : 0;
    b[threadIdx.y][threadIdx.x] = c < N && k + threadIdx.y < K ? B[(k + threadIdx.y) * N + c] : 0;
    __syncthreads();
    for (int j = 0; j < 16; j++) s += a[threadIdx.y][j] * b[j][threadIdx.x];
    __syncthreads();
  }
  if (r < M && c < N) C[r * N + c] = s;
}
