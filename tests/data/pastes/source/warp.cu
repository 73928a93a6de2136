__global__ void sum(int const* p, int* total) {
  int x = p[threadIdx.x];
  for (int k = 16; k > 0; k >>= 1) x += __shfl_down_sync(0xffffffffu, x, k);
  if (threadIdx.x == 0) *total = x;
  unsigned lane;
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
  if (__any_sync(0xffffffffu, lane > 30) && lane == 31) atomicAdd(total + 1, __popc(__ballot_sync(0x80000000u, 1)));
}
