#pragma OPENCL EXTENSION cl_intel_subgroups : enable
kernel __attribute__((intel_reqd_sub_group_size(16))) void blocks(global const uint *in, global uint *out) {
  size_t at = get_group_id(0) * get_local_size(0) * 2 + get_sub_group_id() * 32;
  uint2 v = intel_sub_group_block_read2(in + at);
  v.x += get_sub_group_local_id();
  intel_sub_group_block_write2(out + at, v.yx);
}
