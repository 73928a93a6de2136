kernel void select_all(global const float *a, global const float *b, global float *c, global int *d) {
  size_t i = get_global_id(0);
  c[i] = isless(a[i], b[i]) ? a[i] : b[i];
  d[i] = (a[i] == b[i]) + 2 * (a[i] > b[i]) + 4 * isnan(a[i]);
}
