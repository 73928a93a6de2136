#pragma OPENCL EXTENSION cl_khr_fp64 : enable
kernel void double_functions(global const double *a, global const double *b, global double *c) {
  int i = get_global_id(0);
  c[i] = a[i] / b[i] + sqrt(a[i]) + fma(a[i], b[i], 1.0) + (double)(float)b[i] + (int)a[i];
}
kernel void double_exp(global const double *a, global double *c) { int i = get_global_id(0); c[i] = exp(a[i]) + log(a[i]); }
kernel void atax(global const double *a, global const double *x, global double *y, int n) {
  int i = get_global_id(0);
  double s = 0;
  for (int j = 0; j < n; j++) s += a[i * n + j] * x[j];
  y[i] = s;
}
