// builds: sm_80.O3 sm_80.G sm_86.O3 sm_90.O3 sm_100.O3
// The types that came with sm_80: bf16, tf32 and double by nvcuda::wmma.

#include <mma.h>
using namespace nvcuda;
using row = wmma::row_major;
using col = wmma::col_major;

template <int M, int N, int K, class P, class LayoutA, class LayoutB, class T, class S>
__device__ void product(const T* a, const T* b, const S* c, S* d, int rows, int columns, int inner) {
  const int y = blockIdx.y * M, x = blockIdx.x * N;
  constexpr bool byRowsA = std::is_same<LayoutA, row>::value, byRowsB = std::is_same<LayoutB, row>::value;
  const int lda = byRowsA ? inner : rows, ldb = byRowsB ? columns : inner;
  wmma::fragment<wmma::matrix_a, M, N, K, P, LayoutA> left;
  wmma::fragment<wmma::matrix_b, M, N, K, P, LayoutB> right;
  wmma::fragment<wmma::accumulator, M, N, K, S> sum;
  wmma::load_matrix_sync(sum, c + y * columns + x, columns, wmma::mem_row_major);
  for (int k = 0; k < inner; k += K) {
    wmma::load_matrix_sync(left, a + (byRowsA ? y * lda + k : k * lda + y), lda);
    wmma::load_matrix_sync(right, b + (byRowsB ? k * ldb + x : x * ldb + k), ldb);
    if constexpr (std::is_same<P, wmma::precision::tf32>::value) {
      for (int i = 0; i < left.num_elements; i++) left.x[i] = wmma::__float_to_tf32(left.x[i]);
      for (int i = 0; i < right.num_elements; i++) right.x[i] = wmma::__float_to_tf32(right.x[i]);
    }
    wmma::mma_sync(sum, left, right, sum);
  }
  wmma::store_matrix_sync(d + y * columns + x, sum, columns, wmma::mem_row_major);
}

#define KERNEL(name, M, N, K, P, T, S, la, lb)                                                             \
  extern "C" __global__ void name(const T* a, const T* b, const S* c, S* d, int m, int n, int k) {         \
    product<M, N, K, P, la, lb>(a, b, c, d, m, n, k);                                                      \
  }
KERNEL(wmma_bf16, 16, 16, 16, __nv_bfloat16, __nv_bfloat16, float, row, row)
KERNEL(wmma_bf16_wide, 8, 32, 16, __nv_bfloat16, __nv_bfloat16, float, col, row)
KERNEL(wmma_bf16_tall, 32, 8, 16, __nv_bfloat16, __nv_bfloat16, float, row, col)
KERNEL(wmma_tf32, 16, 16, 8, wmma::precision::tf32, float, float, row, col)
KERNEL(wmma_tf32_col, 16, 16, 8, wmma::precision::tf32, float, float, col, row)
KERNEL(wmma_f64, 8, 8, 4, double, double, double, row, col)
KERNEL(wmma_f64_col, 8, 8, 4, double, double, double, col, row)
