// options: -DSIMD=16
/* Each thread says that its part of the tile is there, reads something else meanwhile, and waits for the others' parts. */
void __builtin_IB_thread_group_barrier_signal(void);
void __builtin_IB_thread_group_barrier_wait(void);

__attribute__((intel_reqd_sub_group_size(SIMD)))
kernel void split_barrier(global const int *in, global int *out, local int *tile) {
  int l = get_local_id(0), last = get_local_size(0) - 1;
  int sum = 0;
  for (int round = 0; round < 3; round++) {
    tile[l] = in[get_global_id(0)] + round * sum;
    mem_fence(CLK_LOCAL_MEM_FENCE);
    __builtin_IB_thread_group_barrier_signal();
    int own = in[get_global_id(0)] * 3;
    __builtin_IB_thread_group_barrier_wait();
    sum += own + tile[last - l];
    __builtin_IB_thread_group_barrier_signal();
    __builtin_IB_thread_group_barrier_wait();
  }
  out[get_global_id(0)] = sum;
}
