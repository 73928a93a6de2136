// The block that counts last works on what all threads of the others wrote: a barrier hands their stores to the thread that
// counts, its atomic hands them on, and a barrier hands them to the threads of the last block.

#include <cuda/atomic>

template <cuda::thread_scope scope, cuda::memory_order order>
__device__ void reverse(unsigned* cells, unsigned* count, unsigned* out) {
  __shared__ bool last;
  const unsigned t = threadIdx.x, all = gridDim.x * 32;
  cells[blockIdx.x * 32 + t] = blockIdx.x * 100 + t;
  __syncthreads();
  if (t == 0) last = cuda::atomic_ref<unsigned, scope>(*count).fetch_add(1u, order) == gridDim.x - 1;
  __syncthreads();
  if (last)
    for (unsigned i = t; i < all; i += 32) out[i] = cells[all - 1 - i];
}

extern "C" __global__ void right(unsigned* cells, unsigned* count, unsigned* out) {
  reverse<cuda::thread_scope_device, cuda::memory_order_acq_rel>(cells, count, out);
}
extern "C" __global__ void relaxed(unsigned* cells, unsigned* count, unsigned* out) {
  reverse<cuda::thread_scope_device, cuda::memory_order_relaxed>(cells, count, out);
}
extern "C" __global__ void narrow(unsigned* cells, unsigned* count, unsigned* out) {
  reverse<cuda::thread_scope_block, cuda::memory_order_acq_rel>(cells, count, out);
}
