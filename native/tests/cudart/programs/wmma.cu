#include <mma.h>
#include "../check.cuh"
using namespace nvcuda;
__global__ void k(const __half* a, const __half* b, float* c, int n) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
  wmma::fill_fragment(fc, 0.f);
  int x = blockIdx.x * 16, y = blockIdx.y * 16;
  for (int i = 0; i < n; i += 16) {
    wmma::load_matrix_sync(fa, a + y * n + i, n);
    wmma::load_matrix_sync(fb, b + x * n + i, n);
    wmma::mma_sync(fc, fa, fb, fc);
  }
  wmma::store_matrix_sync(c + y * n + x, fc, n, wmma::mem_row_major);
}
int main() {
  const int n = 64;
  static __half a[n * n], b[n * n];
  static float c[n * n];
  for (int i = 0; i < n * n; i++) {
    a[i] = __float2half((i * 7) % 13 - 6);
    b[i] = __float2half((i * 5) % 11 - 5);
  }
  __half *da, *db;
  float* dc;
  WORKS(cudaMalloc(&da, sizeof a));
  WORKS(cudaMalloc(&db, sizeof b));
  WORKS(cudaMalloc(&dc, sizeof c));
  WORKS(cudaMemcpy(da, a, sizeof a, cudaMemcpyDefault));
  WORKS(cudaMemcpy(db, b, sizeof b, cudaMemcpyDefault));
  k<<<dim3(4, 4), 32>>>(da, db, dc, n);
  WORKS(cudaMemcpy(c, dc, sizeof c, cudaMemcpyDefault));
  for (int y = 0; y < n; y++)
    for (int x = 0; x < n; x++) {
      float s = 0;
      for (int i = 0; i < n; i++) s += __half2float(a[y * n + i]) * __half2float(b[x * n + i]);
      CHECK(s == c[y * n + x]);
    }
  puts("ok");
}
