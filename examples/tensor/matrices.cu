// builds: sm_75.O3 sm_80.G sm_90.O3 sm_90.G sm_100a.O3
// ldmatrix, stmatrix and movmatrix: rows of 16 bytes that lie in any order become fragments and go back.

typedef unsigned Word;
__device__ Word shared(const void* p) { return (Word)__cvta_generic_to_shared(p); }

// `rows` says for each lane which row of `in` (16 bytes each, 64 rows) it names. `out` has 7 words a lane.
extern "C" __global__ void ldmatrix_all(const Word* in, const unsigned char* rows, Word* out, int transpose) {
  __shared__ __align__(16) Word tile[64 * 4];
  for (int i = threadIdx.x; i < 256; i += 32) tile[i] = in[i];
  __syncwarp();
  const Word at = shared(tile + rows[threadIdx.x] * 4);
  Word x[7];
  if (transpose) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1];" : "=r"(x[0]) : "r"(at) : "memory");
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];" : "=r"(x[1]), "=r"(x[2]) : "r"(at) : "memory");
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(x[3]), "=r"(x[4]), "=r"(x[5]), "=r"(x[6]) : "r"(at) : "memory");
  } else {
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(x[0]) : "r"(at) : "memory");
    asm volatile("ldmatrix.sync.aligned.x2.m8n8.shared.b16 {%0,%1}, [%2];" : "=r"(x[1]), "=r"(x[2]) : "r"(at) : "memory");
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared::cta.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(x[3]), "=r"(x[4]), "=r"(x[5]), "=r"(x[6]) : "r"(at) : "memory");
  }
  for (int i = 0; i < 7; i++) out[threadIdx.x * 7 + i] = x[i];
}

// 64 x 64 halves, transposed 8 x 8 at a time.
extern "C" __global__ void movmatrix_transpose(const Word* in, Word* out) {
  const int block = threadIdx.x / 32, row = threadIdx.x % 32 / 4, word = threadIdx.x % 4;
  for (int x = 0; x < 8; x++) {
    Word value = in[(block * 8 + row) * 32 + x * 4 + word];
    asm("movmatrix.sync.aligned.m8n8.trans.b16 %0, %0;" : "+r"(value));
    out[(x * 8 + row) * 32 + block * 4 + word] = value;
  }
}

#if __CUDA_ARCH__ >= 900
extern "C" __global__ void stmatrix_all(const Word* in, const unsigned char* rows, Word* out) {
  __shared__ __align__(16) Word tile[6][64 * 4];
  for (int i = threadIdx.x; i < 6 * 256; i += 32) tile[0][i] = 0xdddddddd;
  __syncwarp();
  const Word* x = in + threadIdx.x * 4;
  const Word at = rows[threadIdx.x] * 16;
  asm volatile("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};" ::"r"(shared(tile[0]) + at), "r"(x[0]) : "memory");
  asm volatile("stmatrix.sync.aligned.m8n8.x2.shared.b16 [%0], {%1,%2};" ::"r"(shared(tile[1]) + at), "r"(x[0]), "r"(x[1]) : "memory");
  asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1,%2,%3,%4};" ::"r"(shared(tile[2]) + at), "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]) : "memory");
  asm volatile("stmatrix.sync.aligned.m8n8.x1.trans.shared.b16 [%0], {%1};" ::"r"(shared(tile[3]) + at), "r"(x[0]) : "memory");
  asm volatile("stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%0], {%1,%2};" ::"r"(shared(tile[4]) + at), "r"(x[0]), "r"(x[1]) : "memory");
  asm volatile("stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%0], {%1,%2,%3,%4};" ::"r"(shared(tile[5]) + at), "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]) : "memory");
  __syncwarp();
  for (int i = threadIdx.x; i < 6 * 256; i += 32) out[i] = tile[0][i];
}
#endif

#ifdef __CUDA_ARCH_FEAT_SM100_ALL
// Bytes, 16 x 16, transposed on the way in and on the way back.
extern "C" __global__ void matrices_bytes(const Word* in, Word* out, Word* back) {
  __shared__ __align__(16) Word tile[32 * 4], other[32 * 4];
  for (int i = threadIdx.x; i < 128; i += 32) tile[i] = in[i];
  __syncwarp();
  const Word row = threadIdx.x * 16;
  Word x[4];
  asm volatile("ldmatrix.sync.aligned.m16n16.x2.trans.shared.b8 {%0,%1,%2,%3}, [%4];"
               : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3]) : "r"(shared(tile) + row) : "memory");
  for (int i = 0; i < 4; i++) out[threadIdx.x * 4 + i] = x[i];
  asm volatile("stmatrix.sync.aligned.m16n8.x4.trans.shared.b8 [%0], {%1,%2,%3,%4};" ::"r"(shared(other) + row),
               "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]) : "memory");
  __syncwarp();
  for (int i = threadIdx.x; i < 128; i += 32) back[i] = other[i];
}
// 4 and 6 bits become a byte each: 8 rows of 16 elements a matrix.
extern "C" __global__ void matrices_narrow(const Word* in, Word* out) {
  __shared__ __align__(16) Word tile[32 * 4];
  for (int i = threadIdx.x; i < 128; i += 32) tile[i] = in[i];
  __syncwarp();
  const Word row = shared(tile) + threadIdx.x * 16;
  Word x[8];
  asm volatile("ldmatrix.sync.aligned.m8n16.x4.shared.b8x16.b4x16_p64 {%0,%1,%2,%3}, [%4];"
               : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3]) : "r"(row) : "memory");
  asm volatile("ldmatrix.sync.aligned.m8n16.x4.shared.b8x16.b6x16_p32 {%0,%1,%2,%3}, [%4];"
               : "=r"(x[4]), "=r"(x[5]), "=r"(x[6]), "=r"(x[7]) : "r"(row) : "memory");
  for (int i = 0; i < 8; i++) out[threadIdx.x * 8 + i] = x[i];
}
#endif
