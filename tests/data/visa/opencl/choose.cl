/* An array of registers, from which an index chooses at run time; and a function of many steps. */
kernel void choose(global const float *a, global float *out, int n) {
  int i = get_global_id(0);
  float x = a[i], s = 0;
  float v[16];
  for (int k = 0; k < 16; k++) v[k] = x + k;
  for (int k = 0; k < n; k++) { int j = ((int)(x * 7) + k) & 15; s += v[j]; v[j] = s; }
  out[i] = s + tanh(x);
}
