/* Inclusive prefix sums of a group, by doubling steps. */
kernel void scan(global const int *in, global int *out, local int *part) {
  int l = get_local_id(0), size = get_local_size(0);
  part[l] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int step = 1; step < size; step *= 2) {
    int add = l >= step ? part[l - step] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    part[l] += add;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[get_global_id(0)] = part[l];
}
