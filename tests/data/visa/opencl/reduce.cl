/* Sums the values of each group in local memory. */
kernel void reduce(global const int *a, global int *out, local int *part) {
  size_t l = get_local_id(0);
  part[l] = a[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (size_t span = get_local_size(0) / 2; span > 0; span /= 2) {
    if (l < span) part[l] += part[l + span];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0) out[get_group_id(0)] = part[0];
}
