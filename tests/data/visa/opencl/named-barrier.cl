/*
 * Two teams of sub-groups meet at barriers of their own; the second team meets twice as often. For DG2, IGC makes barriers
 * of atomic operations of its own, at which the second team waits for ever: there is no dump.
 */
typedef struct __namedBarrier namedBarrier;
local namedBarrier *__attribute__((overloadable)) named_barrier_init(int sub_groups);
void __attribute__((overloadable)) work_group_named_barrier(local namedBarrier *barrier, uint flags);

__attribute__((reqd_work_group_size(128, 1, 1), intel_reqd_sub_group_size(16)))
kernel void named_barrier(global const int *in, global int *out) {
  local int tile[128];
  local namedBarrier *first = named_barrier_init(4);
  local namedBarrier *second = named_barrier_init(4);
  int l = get_local_id(0);
  int sum = 0;
  if (get_sub_group_id() < 4) {
    tile[l] = in[get_global_id(0)];
    work_group_named_barrier(first, CLK_LOCAL_MEM_FENCE);
    sum = tile[63 - l];
  } else {
    for (int round = 0; round < 2; round++) {
      tile[l] = in[get_global_id(0)] + round;
      work_group_named_barrier(second, CLK_LOCAL_MEM_FENCE);
      sum += tile[127 + 64 - l];
      work_group_named_barrier(second, CLK_LOCAL_MEM_FENCE);
    }
  }
  out[get_global_id(0)] = sum;
}
