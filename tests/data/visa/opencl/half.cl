#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void half_fma(global const half *a, global const half *b, global half *c) {
  size_t i = get_global_id(0);
  c[i] = fma(a[i], b[i], c[i]) + (half)0.5f;
}
