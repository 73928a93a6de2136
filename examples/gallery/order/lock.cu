// A lock between blocks around a plain counter. Without fences the atomics keep others out, but bring nothing that was
// stored under the lock to the next owner.

template <bool taken, bool freed>
__device__ void locked(unsigned* lock, unsigned* counter) {
  while (atomicCAS(lock, 0u, 1u) != 0u) {
  }
  if (taken) __threadfence();
  *counter += blockIdx.x + 1;
  if (freed) __threadfence();
  atomicExch(lock, 0u);
}

extern "C" __global__ void right(unsigned* lock, unsigned* counter) { locked<true, true>(lock, counter); }
extern "C" __global__ void unfenced(unsigned* lock, unsigned* counter) { locked<false, false>(lock, counter); }
extern "C" __global__ void unacquired(unsigned* lock, unsigned* counter) { locked<false, true>(lock, counter); }
extern "C" __global__ void unreleased(unsigned* lock, unsigned* counter) { locked<true, false>(lock, counter); }
