#include "../check.cuh"
template <typename T, int N>
__global__ void gemm(const T* a, const T* b, T* c, int n) {
  __shared__ T sa[N][N], sb[N][N];
  int x = blockIdx.x * N + threadIdx.x, y = blockIdx.y * N + threadIdx.y;
  T sum = 0;
  for (int t = 0; t < n; t += N) {
    sa[threadIdx.y][threadIdx.x] = a[y * n + t + threadIdx.x];
    sb[threadIdx.y][threadIdx.x] = b[(t + threadIdx.y) * n + x];
    __syncthreads();
    for (int i = 0; i < N; i++) sum += sa[threadIdx.y][i] * sb[i][threadIdx.x];
    __syncthreads();
  }
  c[y * n + x] = sum;
}
template <typename T>
static void test() {
  const int n = 64;
  static T a[n * n], b[n * n], c[n * n];
  for (int i = 0; i < n * n; i++) a[i] = (i * 3) % 17 - 8, b[i] = (i * 5) % 13 - 6;
  T *da, *db, *dc;
  WORKS(cudaMalloc(&da, sizeof a));
  WORKS(cudaMalloc(&db, sizeof a));
  WORKS(cudaMalloc(&dc, sizeof a));
  WORKS(cudaMemcpy(da, a, sizeof a, cudaMemcpyHostToDevice));
  WORKS(cudaMemcpy(db, b, sizeof a, cudaMemcpyHostToDevice));
  gemm<T, 16><<<dim3(4, 4), dim3(16, 16)>>>(da, db, dc, n);
  WORKS(cudaMemcpy(c, dc, sizeof a, cudaMemcpyDeviceToHost));
  for (int y = 0; y < n; y++)
    for (int x = 0; x < n; x++) {
      T s = 0;
      for (int i = 0; i < n; i++) s += a[y * n + i] * b[i * n + x];
      CHECK(s == c[y * n + x]);
    }
}
int main() {
  test<int>();
  test<float>();
  test<double>();
  test<long long>();
  puts("ok");
}
