// options: -cl-std=CL3.0
#pragma OPENCL EXTENSION cl_intel_subgroups : enable
#pragma OPENCL EXTENSION cl_intel_subgroups_short : enable
__attribute__((intel_reqd_sub_group_size(16)))
kernel void exchanges(global const float *a, global float *c) {
  int i = get_global_id(0);
  float x = a[i];
  c[i] = sub_group_reduce_add(x) + sub_group_reduce_max(x) * 2 + sub_group_scan_exclusive_add(x) * 3 + intel_sub_group_shuffle_xor(x, 1) + intel_sub_group_shuffle_down(x, x, 2) + sub_group_broadcast(x, 3) + get_sub_group_id() + get_sub_group_local_id() + get_sub_group_size() + sub_group_any(x > 5);
}
__attribute__((intel_reqd_sub_group_size(16)))
kernel void pieces(global const ushort *a, global ushort *c, global const uint *d, global uint *e) {
  int g = get_sub_group_id() * 16;
  ushort8 x = intel_sub_group_block_read_us8(a + 8 * g);
  intel_sub_group_block_write_us8(c + 8 * g, x + (ushort8)1);
  uint8 y = intel_sub_group_block_read8(d + 8 * g);
  intel_sub_group_block_write8(e + 8 * g, y);
}
