// builds: sm_80.O3 sm_80.G sm_90.O3 sm_120.O3
// Attention, forward, without the whole matrix of scores: a block has 64 queries of one head, and takes keys and values in tiles of 32.
// Head of 64, bf16; scores and sums in f32; keys and values come by cp.async in two stages.

typedef unsigned Word;
typedef unsigned short Half;
__device__ Word shared(const void* p) { return (Word)__cvta_generic_to_shared(p); }

#define MMA(d, a, b0, b1)                                                                                                   \
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"  \
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])                                                             \
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1))
#define LOAD(x, at, trans)                                                                                  \
  asm volatile("ldmatrix.sync.aligned.m8n8.x4" trans ".shared.b16 {%0,%1,%2,%3}, [%4];"                     \
               : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3]) : "r"(shared(at)) : "memory")

__device__ float power(float x) {
  float y;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}
__device__ Word pack(float low, float high) {
  Word both;
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(both) : "f"(high), "f"(low));
  return both;
}

/// A row has 8 pieces of 16 bytes; piece p of row r lies at p ^ r % 8.
__device__ int piece(int row, int p) { return row * 64 + (p ^ row % 8) * 8; }

extern "C" __global__ void __launch_bounds__(128) attention(const Half* q, const Half* k, const Half* v, float* out, float* sums, int length, float scale, int causal) {
  __shared__ __align__(128) Half query[64 * 64], key[2][32 * 64], value[2][32 * 64];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, first = blockIdx.x * 64;
  const long head = (long)blockIdx.y * length * 64;
  auto copy = [&](Half* to, const Half* from, int rows) {
    for (int i = threadIdx.x; i < rows * 8; i += 128)
      asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared(to + piece(i / 8, i % 8))), "l"(from + i * 8) : "memory");
  };
  auto fetch = [&](int tile) {
    copy(key[tile % 2], k + head + tile * 32 * 64, 32);
    copy(value[tile % 2], v + head + tile * 32 * 64, 32);
    asm volatile("cp.async.commit_group;" ::: "memory");
  };
  copy(query, q + head + first * 64, 64);
  fetch(0);
  const int tiles = causal ? first / 32 + 2 : length / 32;
  float o[8][4] = {}, top[2] = {-1e30f, -1e30f}, sum[2] = {};
  Word p[4][4];
  for (int tile = 0; tile < tiles; tile++) {
    if (tile + 1 < tiles) {
      fetch(tile + 1);
      asm volatile("cp.async.wait_group 1;" ::: "memory");
    } else
      asm volatile("cp.async.wait_group 0;" ::: "memory");
    __syncthreads();
    if (tile == 0)
      for (int i = 0; i < 4; i++) LOAD(p[i], query + piece(warp * 16 + lane % 16, i * 2 + lane / 16), "");
    // Scores: 16 queries of this warp, 32 keys.
    float s[4][4] = {};
    for (int i = 0; i < 4; i++)
      for (int j = 0; j < 4; j += 2) {
        Word x[4];
        LOAD(x, key[tile % 2] + piece(j * 8 + lane / 16 * 8 + lane % 8, i * 2 + lane / 8 % 2), "");
        MMA(s[j], p[i], x[0], x[1]);
        MMA(s[j + 1], p[i], x[2], x[3]);
      }
    float before[2] = {top[0], top[1]};
    for (int j = 0; j < 4; j++)
      for (int i = 0; i < 4; i++) {
        const int row = first + warp * 16 + lane / 4 + i / 2 * 8, column = tile * 32 + j * 8 + lane % 4 * 2 + i % 2;
        s[j][i] = causal && column > row ? -1e30f : s[j][i] * scale;
        top[i / 2] = fmaxf(top[i / 2], s[j][i]);
      }
    for (int half = 0; half < 2; half++) {
      for (int i = 1; i < 4; i *= 2) top[half] = fmaxf(top[half], __shfl_xor_sync(~0u, top[half], i));
      const float shrink = power(before[half] - top[half]);
      sum[half] *= shrink;
      for (int j = 0; j < 8; j++) o[j][half * 2] *= shrink, o[j][half * 2 + 1] *= shrink;
    }
    for (int j = 0; j < 4; j++)
      for (int i = 0; i < 4; i++) s[j][i] = power(s[j][i] - top[i / 2]), sum[i / 2] += s[j][i];
    // What was D of the first product is A of the second: the same lanes hold it.
    for (int i = 0; i < 2; i++) {
      const Word w[4] = {pack(s[i * 2][0], s[i * 2][1]), pack(s[i * 2][2], s[i * 2][3]), pack(s[i * 2 + 1][0], s[i * 2 + 1][1]), pack(s[i * 2 + 1][2], s[i * 2 + 1][3])};
      for (int j = 0; j < 8; j += 2) {
        Word x[4];
        LOAD(x, value[tile % 2] + piece(i * 16 + lane % 16, j + lane / 16), ".trans");
        MMA(o[j], w, x[0], x[1]);
        MMA(o[j + 1], w, x[2], x[3]);
      }
    }
    __syncthreads();
  }
  for (int half = 0; half < 2; half++) {
    for (int i = 1; i < 4; i *= 2) sum[half] += __shfl_xor_sync(~0u, sum[half], i);
    const int row = first + warp * 16 + lane / 4 + half * 8;
    if (lane % 4 == 0) sums[blockIdx.y * length + row] = top[half] + log2f(sum[half]);
    for (int j = 0; j < 8; j++) {
      out[head + row * 64 + j * 8 + lane % 4 * 2] = o[j][half * 2] / sum[half];
      out[head + row * 64 + j * 8 + lane % 4 * 2 + 1] = o[j][half * 2 + 1] / sum[half];
    }
  }
}
