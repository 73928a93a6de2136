// libcu++ in device code: barriers of the block (mbarrier) over which one warp hands work to the others, an atomic_ref.

#include <cuda/atomic>
#include <cuda/barrier>

extern "C" __global__ void pipeline(const unsigned* in, unsigned* out, int rounds, unsigned* total) {
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ cuda::barrier<cuda::thread_scope_block> ready, drained;
  __shared__ unsigned stage[96];
  if (threadIdx.x == 0) {
    init(&ready, blockDim.x);
    init(&drained, blockDim.x);
  }
  __syncthreads();
  for (int round = 0; round < rounds; round++) {
    if (threadIdx.x < 32)
      for (int j = threadIdx.x; j < 96; j += 32) stage[j] = in[(blockIdx.x * rounds + round) * 96 + j] * 2654435761u;
    ready.arrive_and_wait();
    if (threadIdx.x >= 32) {
      const int j = threadIdx.x - 32;
      out[(blockIdx.x * rounds + round) * 96 + j] = stage[j] ^ stage[95 - j] >> 7;
      cuda::atomic_ref<unsigned, cuda::thread_scope_device> sum(*total);
      sum.fetch_add(stage[j] & 0xff, cuda::memory_order_relaxed);
    }
    drained.arrive_and_wait();
  }
}
