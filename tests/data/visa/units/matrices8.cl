// options: -cl-std=CL3.0
// Products of matrices of sub-groups of 8 work-items.
#pragma OPENCL EXTENSION cl_intel_subgroups : enable
#pragma OPENCL EXTENSION cl_intel_subgroup_matrix_multiply_accumulate : enable
kernel __attribute__((intel_reqd_sub_group_size(8))) void matrix_s8(global int8 *a, global int8 *b, global int8 *c) {
  int i = get_global_id(0);
  c[i] = intel_sub_group_i8_i8_matrix_mad_k32(a[i], b[i], c[i]);
}

kernel __attribute__((intel_reqd_sub_group_size(8))) void matrix_hf(global int8 *a, global int8 *b, global float8 *c) {
  int i = get_global_id(0);
  c[i] = intel_sub_group_f16_f16_matrix_mad_k16(a[i], b[i], c[i]);
}

kernel __attribute__((intel_reqd_sub_group_size(8))) void matrix_bf(global int8 *a, global int8 *b, global float8 *c) {
  int i = get_global_id(0);
  c[i] = intel_sub_group_bf16_bf16_matrix_mad_k16(a[i], b[i], c[i]);
}
