// builds: sm_100a.O3 sm_100a.G sm_103a.O3
// tcgen05: D of 128 x 64 in tensor memory, A and B in shared memory in every swizzle, A in tensor memory; copies and shapes of loads.

#include "shared_tiles.cuh"
typedef unsigned short Half;

__device__ Long descriptor(Word address, Word leading, Word stride, int width) {
  const Long mode = width == By128 ? 2 : width == By64 ? 4 : width == By32 ? 6 : 0;
  return (address & 0x3ffff) >> 4 | (Long)(leading >> 4) << 16 | (Long)(stride >> 4) << 32 | 1ull << 46 | mode << 61;
}
__device__ void before() { asm volatile("tcgen05.fence::before_thread_sync;" ::: "memory"); }
__device__ void after() { asm volatile("tcgen05.fence::after_thread_sync;" ::: "memory"); }

/// What one launch needs: columns of tensor memory, and a barrier that a commit signals.
struct Room {
  Word base;
  __align__(8) Long done;

  template <int columns>
  __device__ void open() {
    if (threadIdx.x < 32) {
      asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], %1;" ::"r"(shared(&base)), "n"(columns) : "memory");
      asm volatile("tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;" ::: "memory");
    }
    if (threadIdx.x == 0) {
      asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared(&done)) : "memory");
    }
    // For the barrier, and for tiles that were written before.
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    before();
    __syncthreads();
    after();
  }
  template <int columns>
  __device__ void close() {
    before();
    __syncthreads();
    after();
    if (threadIdx.x < 32) asm volatile("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %0, %1;" ::"r"(base), "n"(columns) : "memory");
  }
  __device__ void commit() { asm volatile("tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%0];" ::"r"(shared(&done)) : "memory"); }
  __device__ void wait(Word parity) {
    for (Word over = 0; !over;)
      asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }" : "=r"(over) : "r"(shared(&done)), "r"(parity) : "memory");
    after();
  }
  /// The lanes of this warp.
  __device__ Word lanes() const { return base + (threadIdx.x / 32 % 4 * 32 << 16); }
};

#define W8(x, i) "=r"(x[i]), "=r"(x[i + 1]), "=r"(x[i + 2]), "=r"(x[i + 3]), "=r"(x[i + 4]), "=r"(x[i + 5]), "=r"(x[i + 6]), "=r"(x[i + 7])
#define V8(x, i) "r"(x[i]), "r"(x[i + 1]), "r"(x[i + 2]), "r"(x[i + 3]), "r"(x[i + 4]), "r"(x[i + 5]), "r"(x[i + 6]), "r"(x[i + 7])
#define L8 "{%0,%1,%2,%3,%4,%5,%6,%7}"

/// A row of D is a lane, a column 32 bits; 8 columns at once.
__device__ void store8(Word at, const Word* x) {
  asm volatile("tcgen05.st.sync.aligned.32x32b.x8.b32 [%8], " L8 ";" ::V8(x, 0), "r"(at) : "memory");
}
__device__ void load8(Word at, Word* x) { asm volatile("tcgen05.ld.sync.aligned.32x32b.x8.b32 " L8 ", [%8];" : W8(x, 0) : "r"(at) : "memory"); }
__device__ void stored() { asm volatile("tcgen05.wait::st.sync.aligned;" ::: "memory"); }
__device__ void loaded() { asm volatile("tcgen05.wait::ld.sync.aligned;" ::: "memory"); }

__device__ void put(const Room& room, const Word* c, int columns) {
  for (int column = 0; column < columns; column += 8) store8(room.lanes() + column, c + threadIdx.x * columns + column);
  stored();
}
__device__ void get(const Room& room, Word* d, int columns) {
  for (int column = 0; column < columns; column += 8) {
    Word x[8];
    load8(room.lanes() + column, x);
    loaded();
    for (int i = 0; i < 8; i++) d[threadIdx.x * columns + column + i] = x[i];
  }
}

template <class Tile>
__device__ void fill(Byte* to, const Half* from, const Tile& tile, int rows, int element) {
  for (int i = threadIdx.x; i < rows * 64; i += blockDim.x) *(Half*)(to + tile.at(i / 64, i % 64 * element)) = from[i];
}
__device__ void rows(Byte* to, const Word* from, const KMajor& tile, int bytes) {
  for (int i = threadIdx.x; i < tile.rows * bytes / 4; i += blockDim.x) *(Word*)(to + tile.at(i / (bytes / 4), i % (bytes / 4) * 4)) = from[i];
}

#define MMA(kind, d, a, b, how, keep)                                                                            \
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %4, 0; tcgen05.mma.cta_group::1.kind::" kind " [%0], %1, %2, %3, p; }" ::"r"(d), \
               "l"(a), "l"(b), "r"(how), "r"(keep) : "memory")

/// D in f32, 128 x 64 columns; the types of A and B by their numbers.
__device__ Word how(Word d, Word a, Word b, Word columns = 64, Word height = 128) { return d << 4 | a << 7 | b << 10 | columns / 8 << 17 | height / 16 << 24; }

// bf16, K of 64; A and B along K, or along M and N.
#define MAJORS(name, TA, TB, transA, transB, ea, eb, initA, initB)                                                          \
  extern "C" __global__ void name(const Half* a, const Half* b, const Word* c, Word* d, int widthA, int widthB) {           \
    __shared__ __align__(1024) Byte left[128 * 128];                                                                        \
    __shared__ __align__(1024) Byte right[64 * 128];                                                                        \
    __shared__ Room room;                                                                                                   \
    const TA ta initA;                                                                                                      \
    const TB tb initB;                                                                                                      \
    fill(left, a, ta, 128, ea);                                                                                             \
    fill(right, b, tb, 64, eb);                                                                                             \
    room.open<64>();                                                                                                        \
    put(room, c, 64);                                                                                                       \
    before();                                                                                                               \
    __syncthreads();                                                                                                        \
    after();                                                                                                                \
    if (threadIdx.x == 0) {                                                                                                 \
      for (int step = 0; step < 4; step++)                                                                                  \
        MMA("f16", room.base, descriptor(shared(left) + ta.begin(step), ta.leading(), ta.stride(), widthA),                 \
            descriptor(shared(right) + tb.begin(step), tb.leading(), tb.stride(), widthB),                                  \
            how(1, 1, 1) | transA << 15 | transB << 16, 1);                                                                 \
      room.commit();                                                                                                        \
    }                                                                                                                       \
    room.wait(0);                                                                                                           \
    get(room, d, 64);                                                                                                       \
    room.close<64>();                                                                                                       \
  }
MAJORS(tcgen05_k_k, KMajor, KMajor, 0, 0, 2, 2, ({widthA, 128}), ({widthB, 64}))
MAJORS(tcgen05_m_n, MNMajor, MNMajor, 1, 1, 1, 1, ({widthA, 128, 64}), ({widthB, 64, 64}))

// Other types: a step has 32 bytes of each row; the first step drops what D held.
#define TYPE(name, kind, what)                                                                                              \
  extern "C" __global__ void name(const Word* a, const Word* b, const Word* c, Word* d, int steps, int width, int keep) {   \
    __shared__ __align__(1024) Byte left[128 * 128];                                                                        \
    __shared__ __align__(1024) Byte right[64 * 128];                                                                        \
    __shared__ Room room;                                                                                                   \
    const KMajor ta{width, 128}, tb{width, 64};                                                                             \
    rows(left, a, ta, steps * 32);                                                                                          \
    rows(right, b, tb, steps * 32);                                                                                         \
    room.open<64>();                                                                                                        \
    put(room, c, 64);                                                                                                       \
    before();                                                                                                               \
    __syncthreads();                                                                                                        \
    after();                                                                                                                \
    if (threadIdx.x == 0) {                                                                                                 \
      for (int step = 0; step < steps; step++)                                                                              \
        MMA(kind, room.base, descriptor(shared(left) + ta.begin(step), ta.leading(), ta.stride(), width),                   \
            descriptor(shared(right) + tb.begin(step), tb.leading(), tb.stride(), width), what, int(step > 0 || keep));     \
      room.commit();                                                                                                        \
    }                                                                                                                       \
    room.wait(0);                                                                                                           \
    get(room, d, 64);                                                                                                       \
    room.close<64>();                                                                                                       \
  }
TYPE(tcgen05_tf32, "tf32", how(1, 2, 2))
TYPE(tcgen05_e4m3, "f8f6f4", how(1, 0, 0))
TYPE(tcgen05_e5m2, "f8f6f4", (how(1, 1, 0) | 1 << 13))
#ifdef __CUDA_ARCH_FEAT_SM100_ALL
TYPE(tcgen05_s8, "i8", how(2, 1, 1))
TYPE(tcgen05_u8_s8, "i8", (how(2, 0, 1) | 1 << 3))
#endif

// A in tensor memory behind D: a lane a row, two bf16 a column. D in f16: one to a column.
extern "C" __global__ void tcgen05_from_memory(const Word* a, const Word* b, Word* d) {
  __shared__ __align__(1024) Byte right[64 * 128];
  __shared__ Room room;
  const KMajor tb{By64, 64};
  rows(right, b, tb, 64);
  room.open<128>();
  for (int column = 0; column < 16; column += 8) store8(room.lanes() + 64 + column, a + threadIdx.x * 16 + column);
  stored();
  before();
  __syncthreads();
  after();
  if (threadIdx.x == 0) {
    for (int step = 0; step < 2; step++)
      asm volatile("{ .reg .pred p; setp.ne.b32 p, %4, 0; tcgen05.mma.cta_group::1.kind::f16 [%0], [%1], %2, %3, p; }" ::"r"(room.base), "r"(room.base + 64 + step * 8),
                   "l"(descriptor(shared(right) + tb.begin(step), tb.leading(), tb.stride(), By64)), "r"(how(0, 0, 0)), "r"(step) : "memory");
    room.commit();
  }
  room.wait(0);
  get(room, d, 64);
  room.close<128>();
}

// M of 64: the rows lie in the first 16 lanes of each warp.
extern "C" __global__ void tcgen05_half_height(const Word* a, const Word* b, Word* d) {
  __shared__ __align__(1024) Byte left[64 * 64];
  __shared__ __align__(1024) Byte right[64 * 64];
  __shared__ Room room;
  const KMajor tile{By64, 64};
  rows(left, a, tile, 64);
  rows(right, b, tile, 64);
  room.open<64>();
  if (threadIdx.x == 0) {
    for (int step = 0; step < 2; step++)
      MMA("f16", room.base, descriptor(shared(left) + tile.begin(step), 16, 512, By64), descriptor(shared(right) + tile.begin(step), 16, 512, By64), how(1, 1, 1, 64, 64), step);
    room.commit();
  }
  room.wait(0);
  for (int column = 0; column < 64; column += 8) {
    Word x[4];
    asm volatile("tcgen05.ld.sync.aligned.16x256b.x1.b32 {%0,%1,%2,%3}, [%4];" : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3]) : "r"(room.lanes() + column) : "memory");
    loaded();
    const int lane = threadIdx.x % 32, row = threadIdx.x / 32 * 16 + lane / 4;
    for (int i = 0; i < 4; i++) d[(row + i / 2 * 8) * 64 + column + lane % 4 * 2 + i % 2] = x[i];
  }
  room.close<64>();
}

// 128 lanes of 64 columns by tcgen05.cp, seen through three shapes of tcgen05.ld. `out` has what each lane of each shape gets.
extern "C" __global__ void tcgen05_shapes(const Word* in, Word* out) {
  __shared__ __align__(1024) Word tile[128 * 8];
  __shared__ Room room;
  // No swizzle: 8 rows of 16 bytes lie together, then 8 rows of the next 16 bytes.
  for (int i = threadIdx.x; i < 1024; i += 128) {
    const int row = i / 8, word = i % 8;
    tile[row / 8 * 64 + word / 4 * 32 + row % 8 * 4 + word % 4] = in[i];
  }
  room.open<32>();
  if (threadIdx.x == 0) {
    asm volatile("tcgen05.cp.cta_group::1.128x256b [%0], %1;" ::"r"(room.base + 8), "l"(descriptor(shared(tile), 128, 256, None)) : "memory");
    room.commit();
  }
  room.wait(0);
  Word x[8], y[4], z[4];
  load8(room.lanes() + 8, x);
  asm volatile("tcgen05.ld.sync.aligned.16x256b.x1.b32 {%0,%1,%2,%3}, [%4];" : "=r"(y[0]), "=r"(y[1]), "=r"(y[2]), "=r"(y[3]) : "r"(room.lanes() + (16 << 16) + 8) : "memory");
  asm volatile("tcgen05.ld.sync.aligned.16x128b.x2.b32 {%0,%1,%2,%3}, [%4];" : "=r"(z[0]), "=r"(z[1]), "=r"(z[2]), "=r"(z[3]) : "r"(room.lanes() + 8) : "memory");
  loaded();
  Word* mine = out + threadIdx.x * 16;
  for (int i = 0; i < 8; i++) mine[i] = x[i];
  for (int i = 0; i < 4; i++) mine[8 + i] = y[i], mine[12 + i] = z[i];
  room.close<32>();
}

// A block of 32 along K has a scale for each row of A and column of B. The scales come to tensor memory by tcgen05.cp: 32 lanes, for
// all four warps the same; row r is in lane r % 32, word r / 32, and `step` is its byte.
extern "C" __global__ void tcgen05_mxf8(const Word* a, const Word* b, const Word* sa, const Word* sb, const Word* c, Word* d, int steps) {
  __shared__ __align__(1024) Byte left[128 * 128];
  __shared__ __align__(1024) Byte right[64 * 128];
  __shared__ __align__(128) Word scales[2][32 * 4];
  __shared__ Room room;
  const KMajor ta{By128, 128}, tb{By128, 64};
  rows(left, a, ta, steps * 32);
  rows(right, b, tb, steps * 32);
  // A word has the bytes of four steps.
  scales[0][threadIdx.x % 32 * 4 + threadIdx.x / 32] = sa[threadIdx.x];
  scales[1][threadIdx.x % 32 * 4 + threadIdx.x / 32] = threadIdx.x < 64 ? sb[threadIdx.x] : 0x7f7f7f7f;
  room.open<128>();
  put(room, c, 64);
  before();
  __syncthreads();
  after();
  if (threadIdx.x == 0) {
    for (int i = 0; i < 2; i++)
      asm volatile("tcgen05.cp.cta_group::1.32x128b.warpx4 [%0], %1;" ::"r"(room.base + 64 + i * 4), "l"(descriptor(shared(scales[i]), 128, 128, None)) : "memory");
    for (int step = 0; step < steps; step++) {
      const Word what = step << 4 | 64 / 8 << 17 | 1 << 23 | 128 / 128 << 27 | step << 29;
      asm volatile("tcgen05.mma.cta_group::1.kind::mxf8f6f4.block_scale.scale_vec::1X [%0], %1, %2, %3, [%4], [%5], 1;" ::"r"(room.base),
                   "l"(descriptor(shared(left) + ta.begin(step), 16, 1024, By128)), "l"(descriptor(shared(right) + tb.begin(step), 16, 1024, By128)), "r"(what), "r"(room.base + 64),
                   "r"(room.base + 68) : "memory");
    }
    room.commit();
  }
  room.wait(0);
  get(room, d, 64);
  room.close<128>();
}

// Two blocks: each has 128 of 256 rows of A and 32 of 64 columns of B; the first one issues, both get their half of D.
extern "C" __global__ void __cluster_dims__(2, 1, 1) tcgen05_pair(const Word* a, const Word* b, Word* d) {
  __shared__ __align__(1024) Byte left[128 * 64];
  __shared__ __align__(1024) Byte right[32 * 64];
  __shared__ Room room;
  Word rank;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  const KMajor ta{By64, 128}, tb{By64, 32};
  rows(left, a + rank * 128 * 16, ta, 64);
  rows(right, b + rank * 32 * 16, tb, 64);
  if (threadIdx.x < 32) {
    asm volatile("tcgen05.alloc.cta_group::2.sync.aligned.shared::cta.b32 [%0], 64;" ::"r"(shared(&room.base)) : "memory");
    asm volatile("tcgen05.relinquish_alloc_permit.cta_group::2.sync.aligned;" ::: "memory");
  }
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared(&room.done)) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  before();
  asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory");
  after();
  if (rank == 0 && threadIdx.x == 0) {
    for (int step = 0; step < 2; step++)
      asm volatile("{ .reg .pred p; setp.ne.b32 p, %4, 0; tcgen05.mma.cta_group::2.kind::f16 [%0], %1, %2, %3, p; }" ::"r"(room.base),
                   "l"(descriptor(shared(left) + ta.begin(step), 16, 512, By64)), "l"(descriptor(shared(right) + tb.begin(step), 16, 512, By64)), "r"(how(1, 1, 1, 64, 256)), "r"(step) : "memory");
    asm volatile("tcgen05.commit.cta_group::2.mbarrier::arrive::one.shared::cluster.multicast::cluster.b64 [%0], %1;" ::"r"(shared(&room.done)), "h"((Half)3) : "memory");
  }
  room.wait(0);
  get(room, d + rank * 128 * 64, 64);
  before();
  asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory");
  after();
  if (threadIdx.x < 32) asm volatile("tcgen05.dealloc.cta_group::2.sync.aligned.b32 %0, 64;" ::"r"(room.base) : "memory");
}
