// builds: sm_75.O3 sm_75.G sm_80.O3 sm_90.O3 sm_120.O3
// D = A * B + C by nvcuda::wmma: one warp a tile of D, a loop over K. A, B and C may be in rows or in columns.

#include <mma.h>
using namespace nvcuda;

template <int M, int N, int K, class LayoutA, class LayoutB, wmma::layout_t layout, class T>
__device__ void product(const half* a, const half* b, const T* c, T* d, int rows, int columns, int inner) {
  const int row = blockIdx.y * M, column = blockIdx.x * N;
  constexpr bool byRowsA = std::is_same<LayoutA, wmma::row_major>::value;
  constexpr bool byRowsB = std::is_same<LayoutB, wmma::row_major>::value;
  const int lda = byRowsA ? inner : rows, ldb = byRowsB ? columns : inner;
  const int ldc = layout == wmma::mem_row_major ? columns : rows;
  const int at = layout == wmma::mem_row_major ? row * ldc + column : column * ldc + row;
  wmma::fragment<wmma::matrix_a, M, N, K, half, LayoutA> left;
  wmma::fragment<wmma::matrix_b, M, N, K, half, LayoutB> right;
  wmma::fragment<wmma::accumulator, M, N, K, T> sum;
  wmma::load_matrix_sync(sum, c + at, ldc, layout);
  for (int k = 0; k < inner; k += K) {
    wmma::load_matrix_sync(left, a + (byRowsA ? row * lda + k : k * lda + row), lda);
    wmma::load_matrix_sync(right, b + (byRowsB ? k * ldb + column : column * ldb + k), ldb);
    wmma::mma_sync(sum, left, right, sum);
  }
  wmma::store_matrix_sync(d + at, sum, ldc, layout);
}

using row = wmma::row_major;
using col = wmma::col_major;

#define KERNEL(name, M, N, K, T, la, lb, lc)                                                                \
  extern "C" __global__ void name(const half* a, const half* b, const T* c, T* d, int m, int n, int k) {    \
    product<M, N, K, la, lb, lc>(a, b, c, d, m, n, k);                                                      \
  }
KERNEL(wmma_f32_rows, 16, 16, 16, float, row, row, wmma::mem_row_major)
KERNEL(wmma_f32_row_col, 16, 16, 16, float, row, col, wmma::mem_row_major)
KERNEL(wmma_f32_col_row, 16, 16, 16, float, col, row, wmma::mem_col_major)
KERNEL(wmma_f16_wide, 8, 32, 16, half, row, col, wmma::mem_row_major)
KERNEL(wmma_f16_tall, 32, 8, 16, half, col, col, wmma::mem_col_major)

// What each lane does to its elements must reach the element of D that it stands for, whatever the fragments look like.
extern "C" __global__ void wmma_scale(const half* a, const half* b, float* d, float alpha) {
  __shared__ half left[256], right[256];
  for (int i = threadIdx.x; i < 256; i += 32) left[i] = a[i], right[i] = b[i];
  __syncwarp();
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, row> x;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, row> y;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 1.0f);
  wmma::load_matrix_sync(x, left, 16);
  wmma::load_matrix_sync(y, right, 16);
  for (int i = 0; i < x.num_elements; i++) x.x[i] = x.x[i] + x.x[i];
  wmma::mma_sync(sum, x, y, sum);
  for (int i = 0; i < sum.num_elements; i++) sum.x[i] = alpha * sum.x[i] - 3.0f;
  __shared__ float out[256];
  wmma::store_matrix_sync(out, sum, 16, wmma::mem_row_major);
  __syncwarp();
  for (int i = threadIdx.x; i < 256; i += 32) d[i] = out[i];
}
