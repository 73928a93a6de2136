// What the kernels of this folder share: tcgen05 by inline PTX.
#pragma once
#include <cstdint>
#include <cuda_fp16.h>

__device__ inline uint32_t shared_address(const void* p) { return static_cast<uint32_t>(__cvta_generic_to_shared(p)); }

// A descriptor of a matrix in shared memory. Swizzle 0: none; 2: 128 bytes; 4: 64; 6: 32.
__device__ inline uint64_t descriptor(uint32_t address, uint32_t leading, uint32_t stride, uint32_t swizzle) {
  return uint64_t((address & 0x3ffff) >> 4) | uint64_t(leading >> 4) << 16 | uint64_t(stride >> 4) << 32 |
         uint64_t(1) << 46 | uint64_t(swizzle) << 61;
}

// Where byte `byte` of row `row` lies without swizzling: core matrices of 8 rows of 16 bytes, those of one 8 rows one after
// the other; a row has `bytes` bytes.
__device__ inline int core(int row, int byte, int bytes) {
  return ((row / 8) * (bytes / 16) + byte / 16) * 128 + (row % 8) * 16 + byte % 16;
}

__device__ inline void init(uint32_t barrier, int count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(count) : "memory");
}

__device__ inline void wait(uint32_t barrier, uint32_t parity) {
  asm volatile("{\n .reg .pred p;\nL%=: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n@!p bra L%=;\n}" ::"r"(barrier),
               "r"(parity)
               : "memory");
}

__device__ inline void before() { asm volatile("tcgen05.fence::before_thread_sync;" ::: "memory"); }
__device__ inline void after() { asm volatile("tcgen05.fence::after_thread_sync;" ::: "memory"); }
__device__ inline void proxy() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }

// Threads of the block see what has been put into shared memory, and tensor memory that has been allocated.
__device__ inline void together() {
  proxy();
  before();
  __syncthreads();
  after();
}

template <int COLUMNS>
__device__ void allocate(uint32_t* slot) {
  asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], %1;" ::"r"(shared_address(slot)), "n"(COLUMNS)
               : "memory");
}

template <int COLUMNS>
__device__ void release(uint32_t t) {
  asm volatile("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %0, %1;" ::"r"(t), "n"(COLUMNS) : "memory");
  asm volatile("tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;" ::: "memory");
}

__device__ inline void commit(uint32_t barrier) {
  asm volatile("tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%0];" ::"r"(barrier) : "memory");
}

// Eight columns of the warp's 32 lanes, to 8 floats of each thread.
__device__ inline void load8(uint32_t t, float* d) {
  uint32_t r[8];
  asm volatile("tcgen05.ld.sync.aligned.32x32b.x8.b32 {%0,%1,%2,%3,%4,%5,%6,%7}, [%8];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]), "=r"(r[4]), "=r"(r[5]), "=r"(r[6]), "=r"(r[7])
               : "r"(t));
  asm volatile("tcgen05.wait::ld.sync.aligned;" ::: "memory");
  for (int i = 0; i < 8; i++) d[i] = __uint_as_float(r[i]);
}
