#pragma OPENCL EXTENSION cl_khr_fp64 : enable
kernel void double_fma(global const double *a, global const double *b, global double *c) {
  size_t i = get_global_id(0);
  c[i] = fma(a[i], b[i], c[i]) - a[i];
}
