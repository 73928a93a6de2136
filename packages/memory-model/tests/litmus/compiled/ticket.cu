struct Lock { unsigned next, serving; };
extern "C" __global__ void count(Lock *lock, int *total) {
  if (threadIdx.x != 0) return;
  unsigned mine = atomicAdd(&lock->next, 1u);
  while (*(volatile unsigned *)&lock->serving != mine);
  __threadfence();
  *total += blockIdx.x + 1;
  __threadfence();
  *(volatile unsigned *)&lock->serving = mine + 1;
}
