kernel void divide(global const int *a, global const int *b, global int *out) {
  int i = get_global_id(0);
  out[4 * i] = a[i] / b[i];
  out[4 * i + 1] = a[i] % b[i];
  out[4 * i + 2] = (uint)a[i] / (uint)b[i];
  out[4 * i + 3] = (uint)a[i] % (uint)b[i];
}
