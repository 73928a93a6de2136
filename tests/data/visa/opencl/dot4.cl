/* Dot products of four bytes. */
kernel void dot4(global const char4 *a, global const char4 *b, global int *c) {
  size_t i = get_global_id(0);
  char4 x = a[i], y = b[i];
  c[i] += x.x * y.x + x.y * y.y + x.z * y.z + x.w * y.w;
}
