#pragma OPENCL EXTENSION cl_intel_subgroup_matrix_multiply_accumulate : enable
#pragma OPENCL EXTENSION cl_intel_subgroups : enable
int8 __attribute__((overloadable)) intel_sub_group_i8_i8_matrix_mad_k32(int8 a, int8 b, int8 acc);
kernel __attribute__((intel_reqd_sub_group_size(8))) void mm(global int8 *a, global int8 *b, global int8 *c) {
  int i = get_global_id(0);
  c[i] = intel_sub_group_i8_i8_matrix_mad_k32(a[i], b[i], c[i]);
}
