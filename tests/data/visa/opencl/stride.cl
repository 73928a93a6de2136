/* A loop that strides by the size of the grid. */
kernel void stride(global const int *a, global int *out, int n) {
  int s = 0;
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) s += a[i];
  out[get_global_id(0)] = s;
}
