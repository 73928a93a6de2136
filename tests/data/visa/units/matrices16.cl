// options: -cl-std=CL3.0
// Products of matrices of sub-groups of 16 work-items, and blocks of surfaces for them.
#pragma OPENCL EXTENSION cl_intel_subgroups : enable
#pragma OPENCL EXTENSION cl_intel_subgroup_matrix_multiply_accumulate : enable
#pragma OPENCL EXTENSION cl_intel_subgroup_2d_block_io : enable
float8 __attribute__((overloadable)) intel_sub_group_tf32_tf32_matrix_mad_k8(float4 a, float8 b, float8 acc);
int8 __attribute__((overloadable)) intel_sub_group_i4_i4_matrix_mad_k64(short8 a, int8 b, int8 acc);

kernel __attribute__((intel_reqd_sub_group_size(16))) void matrix_s8(global short8 *a, global int8 *b, global int8 *c) {
  int i = get_global_id(0);
  c[i] = intel_sub_group_i8_i8_matrix_mad_k32(a[i], b[i], c[i]);
}

kernel __attribute__((intel_reqd_sub_group_size(16))) void matrix_hf(global short8 *a, global int8 *b, global float8 *c) {
  int i = get_global_id(0);
  c[i] = intel_sub_group_f16_f16_matrix_mad_k16(a[i], b[i], c[i]);
}

kernel __attribute__((intel_reqd_sub_group_size(16))) void matrix_bf(global short8 *a, global int8 *b, global float8 *c) {
  int i = get_global_id(0);
  c[i] = intel_sub_group_bf16_bf16_matrix_mad_k16(a[i], b[i], c[i]);
}

kernel __attribute__((intel_reqd_sub_group_size(16))) void matrix_half_sums(global short8 *a, global int8 *b, global half8 *c) {
  int i = get_global_id(0);
  c[i] = intel_sub_group_f16_f16_matrix_mad_k16(a[i], b[i], c[i]);
}

kernel __attribute__((intel_reqd_sub_group_size(16))) void matrix_tf32(global float4 *a, global float8 *b, global float8 *c) {
  int i = get_global_id(0);
  c[i] = intel_sub_group_tf32_tf32_matrix_mad_k8(a[i], b[i], c[i]);
}

kernel __attribute__((intel_reqd_sub_group_size(16))) void matrix_s4(global short8 *a, global int8 *b, global int8 *c) {
  int i = get_global_id(0);
  c[i] = intel_sub_group_i4_i4_matrix_mad_k64(a[i], b[i], c[i]);
}

// c = a * b of halves, a tile of 8 x 16 each sub-group.
kernel __attribute__((intel_reqd_sub_group_size(16))) void matrix_tiles(global ushort *a, global ushort *b, global float *c,
                                                                        int m, int n, int k) {
  int x = get_group_id(0) * 16, y = get_group_id(1) * 8;
  float8 sum = 0;
  for (int i = 0; i < k; i += 16) {
    ushort left[8];
    uint right[8];
    intel_sub_group_2d_block_prefetch_16b_8r16x1c(a, 2 * k, m, 2 * k, (int2)(i + 16, y));
    intel_sub_group_2d_block_read_16b_8r16x1c(a, 2 * k, m, 2 * k, (int2)(i, y), left);
    intel_sub_group_2d_block_read_transform_16b_16r16x1c(b, 2 * n, k, 2 * n, (int2)(x, i), right);
    short8 l;
    int8 r;
    for (int j = 0; j < 8; j++) {
      l[j] = left[j];
      r[j] = right[j];
    }
    sum = intel_sub_group_f16_f16_matrix_mad_k16(l, r, sum);
  }
  uint result[8];
  for (int j = 0; j < 8; j++) result[j] = as_uint(sum[j]);
  intel_sub_group_2d_block_write_32b_8r16x1c(c, 4 * n, m, 4 * n, (int2)(x, y), result);
}

kernel __attribute__((intel_reqd_sub_group_size(16))) void block_transposed(global uint *from, global uint *to, int w, int h) {
  uint d[8];
  int x = get_group_id(0) * 8, y = get_group_id(1) * 16;
  intel_sub_group_2d_block_read_transpose_32b_16r8x1c(from, 4 * w, h, 4 * w, (int2)(x, y), d);
  for (int i = 0; i < 8; i++)
    if (x + i < w && y + get_sub_group_local_id() < h) to[(x + i) * h + y + get_sub_group_local_id()] = d[i];
}
