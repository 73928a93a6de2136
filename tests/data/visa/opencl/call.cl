__attribute__((noinline)) int weight(int x, int y) { return x * 31 + (y ^ (x >> 3)); }
kernel void call(global const int *a, global int *out) {
  int i = get_global_id(0);
  int v = a[i];
  for (int k = 0; k < (i & 3); k++) v = weight(v, k);
  out[i] = weight(v, i);
}
