/* An array that is too large for registers: private memory, by addresses for DG2, in scratch space for PVC. */
kernel void arrays(global const int *a, global int *out, int n) {
  int i = get_global_id(0);
  int v[256];
  for (int k = 0; k < 256; k++) v[k] = a[(i + k) & 63];
  int s = 0;
  for (int k = 0; k < n; k++) { int j = (s + k * 7) & 255; s += v[j]; v[j] = s; }
  out[i] = s;
}
