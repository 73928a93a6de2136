// builds: sm_80.O3 sm_80.G sm_89.O3 sm_90.O3 sm_120.O3
// Matrix products as programs write them: a pipeline of three stages by cp.async, ldmatrix from swizzled rows, mma.m16n8k16, and
// what is done with D at the end.

#include <cuda_bf16.h>
typedef unsigned Word;
typedef unsigned short Half;
__device__ Word shared(const void* p) { return (Word)__cvta_generic_to_shared(p); }

// Tiles of 64 x 64 x 32, 4 warps of 32 x 32 each. A is in rows, B in columns (both K-contiguous). A row of a tile has 4 pieces of 16
// bytes; piece p of row r lies at p ^ (r / 2 % 4), so that ldmatrix meets no bank twice.
struct Tile {
  __align__(128) Half stage[3][2][64 * 32];
};

__device__ int piece(int row, int p) { return row * 32 + (p ^ row / 2 % 4) * 8; }

struct Gemm {
  float sum[2][4][4] = {};
  int row, column;

  __device__ void fetch(Tile& tile, const Half* a, const Half* b, int k, int step) const {
    for (int i = threadIdx.x; i < 64 * 4; i += 128) {
      const int r = i / 4, p = i % 4;
      asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared(&tile.stage[step % 3][0][piece(r, p)])), "l"(a + (row + r) * k + step * 32 + p * 8) : "memory");
      asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared(&tile.stage[step % 3][1][piece(r, p)])), "l"(b + (column + r) * k + step * 32 + p * 8) : "memory");
    }
  }

  /// D = A * B over `steps` steps of 32, from `first` on.
  __device__ void run(Tile& tile, const Half* a, const Half* b, int k, int first, int steps) {
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, top = warp / 2 * 32, left = warp % 2 * 32;
    a += first * 32, b += first * 32;
    for (int step = 0; step < 2; step++) {
      if (step < steps) fetch(tile, a, b, k, step);
      asm volatile("cp.async.commit_group;" ::: "memory");
    }
    for (int step = 0; step < steps; step++) {
      asm volatile("cp.async.wait_group 1;" ::: "memory");
      __syncthreads();
      if (step + 2 < steps) fetch(tile, a, b, k, step + 2);
      asm volatile("cp.async.commit_group;" ::: "memory");
      const Half* x = tile.stage[step % 3][0];
      const Half* y = tile.stage[step % 3][1];
#pragma unroll
      for (int half = 0; half < 2; half++) {
        Word p[2][4], q[4][2];
        for (int i = 0; i < 2; i++)
          asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                       : "=r"(p[i][0]), "=r"(p[i][1]), "=r"(p[i][2]), "=r"(p[i][3])
                       : "r"(shared(x + piece(top + i * 16 + lane % 16, half * 2 + lane / 16))) : "memory");
        for (int j = 0; j < 4; j += 2)
          asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                       : "=r"(q[j][0]), "=r"(q[j][1]), "=r"(q[j + 1][0]), "=r"(q[j + 1][1])
                       : "r"(shared(y + piece(left + j * 8 + lane / 16 * 8 + lane % 8, half * 2 + lane / 8 % 2))) : "memory");
        for (int i = 0; i < 2; i++)
          for (int j = 0; j < 4; j++)
            asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                         : "+f"(sum[i][j][0]), "+f"(sum[i][j][1]), "+f"(sum[i][j][2]), "+f"(sum[i][j][3])
                         : "r"(p[i][0]), "r"(p[i][1]), "r"(p[i][2]), "r"(p[i][3]), "r"(q[j][0]), "r"(q[j][1]));
      }
    }
    asm volatile("cp.async.wait_all;" ::: "memory");
  }

  /// Calls f(row, column, two neighbours of D).
  template <class F>
  __device__ void each(F f) const {
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (int i = 0; i < 2; i++)
      for (int j = 0; j < 4; j++)
        for (int half = 0; half < 2; half++)
          f(row + warp / 2 * 32 + i * 16 + half * 8 + lane / 4, column + warp % 2 * 32 + j * 8 + lane % 4 * 2, sum[i][j][half * 2], sum[i][j][half * 2 + 1]);
  }
};

extern "C" __global__ void __launch_bounds__(128) gemm_pipelined(const Half* a, const Half* b, float* d, int n, int k) {
  __shared__ Tile tile;
  Gemm gemm;
  gemm.row = blockIdx.y * 64, gemm.column = blockIdx.x * 64;
  gemm.run(tile, a, b, k, 0, k / 32);
  gemm.each([&](int row, int column, float x, float y) { *(float2*)(d + row * n + column) = make_float2(x, y); });
}

// A bias, max(x, 0), and D in bf16.
extern "C" __global__ void __launch_bounds__(128) gemm_bias_relu(const Half* a, const Half* b, const float* bias, __nv_bfloat162* d, int n, int k) {
  __shared__ Tile tile;
  Gemm gemm;
  gemm.row = blockIdx.y * 64, gemm.column = blockIdx.x * 64;
  gemm.run(tile, a, b, k, 0, k / 32);
  gemm.each([&](int row, int column, float x, float y) {
    d[(row * n + column) / 2] = __floats2bfloat162_rn(fmaxf(x + bias[column], 0), fmaxf(y + bias[column + 1], 0));
  });
}

// K is cut in as many pieces as there are blocks along z; they add to D.
extern "C" __global__ void __launch_bounds__(128) gemm_split_k(const Half* a, const Half* b, float* d, int n, int k) {
  __shared__ Tile tile;
  Gemm gemm;
  gemm.row = blockIdx.y * 64, gemm.column = blockIdx.x * 64;
  const int steps = k / 32 / gridDim.z;
  gemm.run(tile, a, b, k, blockIdx.z * steps, steps);
  gemm.each([&](int row, int column, float x, float y) { atomicAdd(d + row * n + column, x), atomicAdd(d + row * n + column + 1, y); });
}

// A batch: strides between the matrices, and D = alpha * A * B + beta * D.
extern "C" __global__ void __launch_bounds__(128) gemm_batched(const Half* a, const Half* b, float* d, int n, int k, int strideA, int strideB, int strideD, float alpha, float beta) {
  __shared__ Tile tile;
  Gemm gemm;
  gemm.row = blockIdx.y * 64, gemm.column = blockIdx.x * 64;
  gemm.run(tile, a + blockIdx.z * strideA, b + blockIdx.z * strideB, k, 0, k / 32);
  float* to = d + blockIdx.z * strideD;
  gemm.each([&](int row, int column, float x, float y) {
    to[row * n + column] = alpha * x + beta * to[row * n + column];
    to[row * n + column + 1] = alpha * y + beta * to[row * n + column + 1];
  });
}
