// A lock that lanes of one warp take from each other: who waits spins, and must not keep the owner from going on.

__device__ unsigned lock = 0;

extern "C" __global__ void spinlock(volatile unsigned* counter, unsigned* order) {
  bool done = false;
  while (!done) {
    if (atomicCAS(&lock, 0u, 1u) == 0u) {
      const unsigned turn = *counter;
      order[turn] = blockIdx.x * blockDim.x + threadIdx.x;
      *counter = turn + 1;
      __threadfence();
      atomicExch(&lock, 0u);
      done = true;
    }
  }
}

extern "C" __global__ void tickets(unsigned* next, volatile unsigned* serving, unsigned* sum) {
  const unsigned mine = atomicAdd(next, 1u);
  while (*serving != mine) {
  }
  __threadfence();
  *sum = *sum * 31 + mine;
  __threadfence();
  *serving = mine + 1;
}
