// builds: sm_75.O3 sm_80.G sm_89.O3
// Integer products by nvcuda::wmma: bytes in three shapes, nibbles and single bits.

#include <mma.h>
using namespace nvcuda;
namespace sub = nvcuda::wmma::experimental;
using row = wmma::row_major;
using col = wmma::col_major;

template <int M, int N, int K, class T, class LayoutA, class LayoutB>
__device__ void bytes(const T* a, const T* b, const int* c, int* d, int rows, int columns, int inner) {
  const int y = blockIdx.y * M, x = blockIdx.x * N;
  constexpr bool byRowsA = std::is_same<LayoutA, row>::value, byRowsB = std::is_same<LayoutB, row>::value;
  const int lda = byRowsA ? inner : rows, ldb = byRowsB ? columns : inner;
  wmma::fragment<wmma::matrix_a, M, N, K, T, LayoutA> left;
  wmma::fragment<wmma::matrix_b, M, N, K, T, LayoutB> right;
  wmma::fragment<wmma::accumulator, M, N, K, int> sum;
  wmma::load_matrix_sync(sum, c + y * columns + x, columns, wmma::mem_row_major);
  for (int k = 0; k < inner; k += K) {
    wmma::load_matrix_sync(left, a + (byRowsA ? y * lda + k : k * lda + y), lda);
    wmma::load_matrix_sync(right, b + (byRowsB ? k * ldb + x : x * ldb + k), ldb);
    wmma::mma_sync(sum, left, right, sum, (k & K) != 0);
  }
  wmma::store_matrix_sync(d + y * columns + x, sum, columns, wmma::mem_row_major);
}

#define BYTES(name, M, N, K, T, la, lb)                                                                    \
  extern "C" __global__ void name(const T* a, const T* b, const int* c, int* d, int m, int n, int k) {     \
    bytes<M, N, K, T, la, lb>(a, b, c, d, m, n, k);                                                        \
  }
BYTES(wmma_s8, 16, 16, 16, signed char, row, col)
BYTES(wmma_u8, 16, 16, 16, unsigned char, col, row)
BYTES(wmma_s8_wide, 8, 32, 16, signed char, row, row)
BYTES(wmma_u8_tall, 32, 8, 16, unsigned char, col, col)

template <class P>
__device__ void nibbles(const unsigned char* a, const unsigned char* b, const int* c, int* d, int columns, int inner) {
  const int y = blockIdx.y * 8, x = blockIdx.x * 8;
  wmma::fragment<wmma::matrix_a, 8, 8, 32, P, row> left;
  wmma::fragment<wmma::matrix_b, 8, 8, 32, P, col> right;
  wmma::fragment<wmma::accumulator, 8, 8, 32, int> sum;
  wmma::load_matrix_sync(sum, c + y * columns + x, columns, wmma::mem_row_major);
  for (int k = 0; k < inner; k += 32) {
    wmma::load_matrix_sync(left, a + (y * inner + k) / 2, inner);
    wmma::load_matrix_sync(right, b + (x * inner + k) / 2, inner);
    wmma::mma_sync(sum, left, right, sum);
  }
  wmma::store_matrix_sync(d + y * columns + x, sum, columns, wmma::mem_row_major);
}
#define NIBBLES(name, P)                                                                                   \
  extern "C" __global__ void name(const unsigned char* a, const unsigned char* b, const int* c, int* d,    \
                                  int m, int n, int k) {                                                   \
    nibbles<P>(a, b, c, d, n, k);                                                                          \
  }
NIBBLES(wmma_s4, sub::precision::s4)
NIBBLES(wmma_u4, sub::precision::u4)

extern "C" __global__ void wmma_b1(const unsigned char* a, const unsigned char* b, const int* c, int* d, int m, int n,
                                   int k, int both) {
  const int y = blockIdx.y * 8, x = blockIdx.x * 8;
  wmma::fragment<wmma::matrix_a, 8, 8, 128, sub::precision::b1, row> left;
  wmma::fragment<wmma::matrix_b, 8, 8, 128, sub::precision::b1, col> right;
  wmma::fragment<wmma::accumulator, 8, 8, 128, int> sum;
  wmma::load_matrix_sync(sum, c + y * n + x, n, wmma::mem_row_major);
  for (int i = 0; i < k; i += 128) {
    wmma::load_matrix_sync(left, a + (y * k + i) / 8, k);
    wmma::load_matrix_sync(right, b + (x * k + i) / 8, k);
#if __CUDA_ARCH__ >= 800
    if (both) wmma::bmma_sync(sum, left, right, sum, sub::bmmaBitOpAND, sub::bmmaAccumulateOpPOPC);
    else
#endif
      wmma::bmma_sync(sum, left, right, sum, sub::bmmaBitOpXOR, sub::bmmaAccumulateOpPOPC);
  }
  wmma::store_matrix_sync(d + y * n + x, sum, n, wmma::mem_row_major);
}
