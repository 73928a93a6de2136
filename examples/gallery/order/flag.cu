// One block stores data and then a flag; another waits for the flag and loads the data.

#include <cuda/atomic>

template <cuda::thread_scope scope, cuda::memory_order store, cuda::memory_order load>
__device__ void pass(unsigned* data, unsigned* flag, unsigned* out) {
  cuda::atomic_ref<unsigned, scope> ready(*flag);
  if (blockIdx.x == 0) {
    *data = 42;
    ready.store(1, store);
  } else {
    while (ready.load(load) == 0) {
    }
    *out = *data;
  }
}

extern "C" __global__ void right(unsigned* data, unsigned* flag, unsigned* out) {
  pass<cuda::thread_scope_device, cuda::memory_order_release, cuda::memory_order_acquire>(data, flag, out);
}
extern "C" __global__ void unacquired(unsigned* data, unsigned* flag, unsigned* out) {
  pass<cuda::thread_scope_device, cuda::memory_order_release, cuda::memory_order_relaxed>(data, flag, out);
}
extern "C" __global__ void unreleased(unsigned* data, unsigned* flag, unsigned* out) {
  pass<cuda::thread_scope_device, cuda::memory_order_relaxed, cuda::memory_order_acquire>(data, flag, out);
}
extern "C" __global__ void narrow(unsigned* data, unsigned* flag, unsigned* out) {
  pass<cuda::thread_scope_block, cuda::memory_order_release, cuda::memory_order_acquire>(data, flag, out);
}
