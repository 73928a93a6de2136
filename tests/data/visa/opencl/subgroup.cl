#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#pragma OPENCL EXTENSION cl_intel_subgroups : enable
kernel __attribute__((intel_reqd_sub_group_size(16))) void subgroup(global const int *in, global int *out) {
  size_t i = get_global_id(0);
  int v = in[i];
  out[4 * i] = sub_group_reduce_add(v);
  out[4 * i + 1] = sub_group_scan_inclusive_add(v);
  out[4 * i + 2] = intel_sub_group_shuffle(v, (get_sub_group_local_id() + 3) & 15);
  out[4 * i + 3] = sub_group_broadcast(v, 5);
}
