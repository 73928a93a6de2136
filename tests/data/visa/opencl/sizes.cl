/* Sizes of the launch, as its work-items see them. */
kernel void sizes(global int *out) {
  out[get_global_id(0)] = get_num_groups(0) * 1000 + get_local_size(0);
}
