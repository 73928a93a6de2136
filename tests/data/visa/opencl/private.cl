/* An array whose index is not known lies in private memory. */
kernel void sort8(global int *data) {
  int v[8], i = get_global_id(0) * 8;
  for (int k = 0; k < 8; k++) v[k] = data[i + k];
  for (int k = 1; k < 8; k++)
    for (int j = k; j > 0 && v[j - 1] > v[j]; j--) { int t = v[j]; v[j] = v[j - 1]; v[j - 1] = t; }
  for (int k = 0; k < 8; k++) data[i + k] = v[k];
}
