// One warp fills what three others read. Two named barriers of 128 threads hand the buffer over and back: who only
// announces something arrives and goes on, who needs it waits. The sum is an atomic of libcu++.

#include <cuda/atomic>

__device__ void arrive(int barrier) { asm volatile("barrier.cta.arrive %0, 128;" ::"r"(barrier) : "memory"); }
__device__ void wait(int barrier) { asm volatile("barrier.cta.sync %0, 128;" ::"r"(barrier) : "memory"); }

extern "C" __global__ void pipeline(const unsigned* in, unsigned* out, int rounds, unsigned* total) {
  __shared__ unsigned stage[2][96];
  const int full = 1, empty = 3;
  for (int round = 0; round < rounds; round++) {
    const int half = round % 2, at = (blockIdx.x * rounds + round) * 96;
    if (threadIdx.x < 32) {
      if (round >= 2) wait(empty + half);
      for (int j = threadIdx.x; j < 96; j += 32) stage[half][j] = in[at + j] * 2654435761u;
      arrive(full + half);
    } else {
      const int j = threadIdx.x - 32;
      wait(full + half);
      const unsigned word = stage[half][j];
      out[at + j] = word ^ stage[half][95 - j] >> 7;
      if (round + 2 < rounds) arrive(empty + half);
      cuda::atomic_ref<unsigned, cuda::thread_scope_device>(*total).fetch_add(word & 0xff, cuda::memory_order_relaxed);
    }
  }
}
