// What the kernels with wgmma share: descriptors, fences, and where a thread has its part of D.
#pragma once
#include "shared_tiles.cuh"

__device__ inline Long descriptor(Word address, Word leading, Word stride, int width) {
  const Long mode = width == By128 ? 1 : width == By64 ? 2 : width == By32 ? 3 : 0;
  return (address & 0x3ffff) >> 4 | (Long)(leading >> 4) << 16 | (Long)(stride >> 4) << 32 | mode << 62;
}
__device__ inline void fence() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ inline void commit() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
template <int n>
__device__ void wait() { asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(n) : "memory"); }
__device__ inline void written() {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
}

/// Where element i of a thread's part of D is.
__device__ inline int cell(int i, int columns) {
  const int lane = threadIdx.x % 32;
  return (threadIdx.x / 32 * 16 + lane / 4 + i / 2 % 2 * 8) * columns + i / 4 * 8 + lane % 4 * 2 + i % 2;
}

#define R4(k, x, i) "+" k(x[i]), "+" k(x[i + 1]), "+" k(x[i + 2]), "+" k(x[i + 3])
#define R16(k, x, i) R4(k, x, i), R4(k, x, i + 4), R4(k, x, i + 8), R4(k, x, i + 12)
#define R32(k, x) R16(k, x, 0), R16(k, x, 16)
#define D32                                                                                                  \
  "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,"  \
  "%28,%29,%30,%31}"
#define D16 "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15}"
#define SCALE "{ .reg .pred p; setp.ne.b32 p, "

/// Rows of `steps` times 32 bytes.
__device__ inline void rows(Byte* to, const Word* from, const KMajor& tile, int bytes) {
  for (int i = threadIdx.x; i < tile.rows * bytes / 4; i += blockDim.x) *(Word*)(to + tile.at(i / (bytes / 4), i % (bytes / 4) * 4)) = from[i];
}

