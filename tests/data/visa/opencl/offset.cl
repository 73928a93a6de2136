kernel void ids(global uint *out) {
  size_t i = get_global_id(1) * get_global_size(0) + get_global_id(0);
  out[6 * i] = get_local_id(0);
  out[6 * i + 1] = get_local_id(1);
  out[6 * i + 2] = get_group_id(0);
  out[6 * i + 3] = get_group_id(1);
  out[6 * i + 4] = get_local_size(0);
  out[6 * i + 5] = get_num_groups(1);
}
