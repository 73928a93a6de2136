// Blocks in a chain: each waits until the one before it has published its sum (a scan in one pass), with release and
// acquire on a flag in global memory.

#include <cuda/atomic>

extern "C" __global__ void handoff(const unsigned* in, unsigned* out, unsigned* sums, unsigned* flags,
                                   unsigned* ticket) {
  __shared__ unsigned partial[128];
  __shared__ unsigned before, order;
  // Blocks number themselves as they start: a block then waits only for one that has started.
  if (threadIdx.x == 0) order = atomicAdd(ticket, 1u);
  __syncthreads();
  const unsigned b = order, t = threadIdx.x;
  partial[t] = in[b * 128 + t];
  for (unsigned distance = 1; distance < 128; distance *= 2) {
    __syncthreads();
    const unsigned other = t >= distance ? partial[t - distance] : 0;
    __syncthreads();
    partial[t] += other;
  }
  __syncthreads();
  if (t == 127) {
    unsigned sum = 0;
    if (b > 0) {
      cuda::atomic_ref<unsigned, cuda::thread_scope_device> flag(flags[b - 1]);
      while (flag.load(cuda::memory_order_acquire) == 0) __nanosleep(20);
      sum = sums[b - 1];
    }
    before = sum;
    sums[b] = sum + partial[127];
    cuda::atomic_ref<unsigned, cuda::thread_scope_device>(flags[b]).store(1, cuda::memory_order_release);
  }
  __syncthreads();
  out[b * 128 + t] = before + partial[t];
}
