/* 64-bit integers: sums, products, shifts, comparisons. */
kernel void long_mix(global const long *a, global const long *b, global long *c) {
  size_t i = get_global_id(0);
  long x = a[i], y = b[i];
  c[i] = (x + y) * 3 - (x >> 7) ^ (y << 5) + (x < y ? x : -y);
}
