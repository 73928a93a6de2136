// builds: sm_89.O3 sm_89.G sm_120.O3
// Products of narrow numbers: bytes with scales for each row and column, fp8, and A with 2 of 4 elements.

#include <cuda_fp16.h>
typedef unsigned Word;
typedef unsigned char Byte;
__device__ Word shared(const void* p) { return (Word)__cvta_generic_to_shared(p); }

/// Fragments of bytes are those of halves, two bytes to one: ldmatrix loads both. Rows of `pitch` bytes.
__device__ void load4(Word (&x)[4], const Byte* tile, int pitch) {
  const int lane = threadIdx.x % 32;
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];" : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3])
               : "r"(shared(tile + lane % 16 * pitch + lane / 16 * 16)) : "memory");
}
__device__ void load2(Word (&x)[2], const Byte* tile, int pitch) {
  const int lane = threadIdx.x % 16;
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0,%1}, [%2];" : "=r"(x[0]), "=r"(x[1]) : "r"(shared(tile + lane % 8 * pitch + lane / 8 * 16)) : "memory");
}
__device__ void copy(Byte* to, const Byte* from, int rows, int stride, int bytes, int pitch) {
  for (int i = threadIdx.x; i < rows * bytes / 16; i += blockDim.x) {
    const int row = i / (bytes / 16), piece = i % (bytes / 16) * 16;
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared(to + row * pitch + piece)), "l"(from + row * stride + piece) : "memory");
  }
}

// 4 warps, 16 rows each, 32 columns; K in pieces of 64 bytes in two stages. D in bytes: round(sum * scaleA * scaleB), saturated.
extern "C" __global__ void __launch_bounds__(128) gemm_int8(const Byte* a, const Byte* b, const float* scaleA, const float* scaleB, signed char* d, int n, int k) {
  __shared__ __align__(128) Byte left[2][64 * 80], right[2][32 * 80];
  const int row = blockIdx.y * 64, column = blockIdx.x * 32, warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  auto fetch = [&](int step) {
    copy(left[step % 2], a + row * k + step * 64, 64, k, 64, 80);
    copy(right[step % 2], b + column * k + step * 64, 32, k, 64, 80);
    asm volatile("cp.async.commit_group;" ::: "memory");
  };
  int sum[4][4] = {};
  fetch(0);
  for (int step = 0; step < k / 64; step++) {
    if (step + 1 < k / 64) {
      fetch(step + 1);
      asm volatile("cp.async.wait_group 1;" ::: "memory");
    } else
      asm volatile("cp.async.wait_group 0;" ::: "memory");
    __syncthreads();
    for (int half = 0; half < 2; half++) {
      Word p[4], q[2];
      load4(p, left[step % 2] + warp * 16 * 80 + half * 32, 80);
      for (int j = 0; j < 4; j++) {
        load2(q, right[step % 2] + j * 8 * 80 + half * 32, 80);
        asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                     : "+r"(sum[j][0]), "+r"(sum[j][1]), "+r"(sum[j][2]), "+r"(sum[j][3]) : "r"(p[0]), "r"(p[1]), "r"(p[2]), "r"(p[3]), "r"(q[0]), "r"(q[1]));
      }
    }
    __syncthreads();
  }
  for (int j = 0; j < 4; j++)
    for (int i = 0; i < 4; i++) {
      const int r = row + warp * 16 + lane / 4 + i / 2 * 8, c = column + j * 8 + lane % 4 * 2 + i % 2;
      int q;
      asm("cvt.rni.sat.s8.f32 %0, %1;" : "=r"(q) : "f"(sum[j][i] * scaleA[r] * scaleB[c]));
      d[r * n + c] = (signed char)q;
    }
}

// One warp, 16 x 8, e4m3 with one scale for each tensor, D in halves.
extern "C" __global__ void gemm_fp8(const Byte* a, const Byte* b, float scale, __half* d, int n, int k) {
  __shared__ __align__(128) Byte left[16 * 48], right[8 * 48];
  const int row = blockIdx.y * 16, column = blockIdx.x * 8, lane = threadIdx.x;
  float x[4] = {};
  for (int step = 0; step < k / 32; step++) {
    copy(left, a + row * k + step * 32, 16, k, 32, 48);
    copy(right, b + column * k + step * 32, 8, k, 32, 48);
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncwarp();
    Word p[4], q[2];
    load4(p, left, 48);
    load2(q, right, 48);
    asm volatile("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                 : "+f"(x[0]), "+f"(x[1]), "+f"(x[2]), "+f"(x[3]) : "r"(p[0]), "r"(p[1]), "r"(p[2]), "r"(p[3]), "r"(q[0]), "r"(q[1]));
    __syncwarp();
  }
  for (int i = 0; i < 4; i++) d[(row + lane / 4 + i / 2 * 8) * n + column + lane % 4 * 2 + i % 2] = __float2half_rn(x[i] * scale);
}

// The kernel itself finds which two of four are not zero, packs A and the metadata, and multiplies. 16 x 8, f16.
extern "C" __global__ void gemm_sparse(const __half* a, const Word* b, float* d, int k) {
  const int lane = threadIdx.x, group = lane / 4, four = lane % 4;
  float x[4] = {};
  // Two of the four positions, first the lower one; where fewer are in use, others fill up.
  auto pick = [&](int row, int chunk, Word& meta) {
    const __half* at = a + row * k + chunk * 4;
    int first = -1, second = -1;
    for (int i = 0; i < 4; i++)
      if (__half2float(at[i]) != 0) (first < 0 ? first : second) = i;
    if (first < 0) first = 0, second = 1;
    else if (second < 0) {
      if (first == 3) first = 2, second = 3;
      else second = 3;
    }
    meta = first | second << 2;
    return (Word)__half_as_ushort(at[first]) | (Word)__half_as_ushort(at[second]) << 16;
  };
  for (int step = 0; step < k / 32; step++) {
    Word p[4], q[4], m[4];
    for (int i = 0; i < 4; i++) p[i] = pick(group + i % 2 * 8, step * 8 + four + i / 2 * 4, m[i]);
    for (int i = 0; i < 4; i++) q[i] = b[(group * k + step * 32) / 2 + four + i * 4];
    // Lane 0 of four needs columns 0 to 15 of both rows, lane 1 columns 16 to 31: four bits from each of the four lanes.
    Word low = m[0] << four * 4 | m[1] << (16 + four * 4), high = m[2] << four * 4 | m[3] << (16 + four * 4);
    for (int i = 1; i < 4; i *= 2) low |= __shfl_xor_sync(~0u, low, i), high |= __shfl_xor_sync(~0u, high, i);
    const Word meta = four % 2 ? high : low;
    asm volatile("mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9,%10,%11}, {%0,%1,%2,%3}, %12, 0;"
                 : "+f"(x[0]), "+f"(x[1]), "+f"(x[2]), "+f"(x[3]) : "r"(p[0]), "r"(p[1]), "r"(p[2]), "r"(p[3]), "r"(q[0]), "r"(q[1]), "r"(q[2]), "r"(q[3]), "r"(meta));
  }
  for (int i = 0; i < 4; i++) d[(group + i / 2 * 8) * 8 + four * 2 + i % 2] = x[i];
}
