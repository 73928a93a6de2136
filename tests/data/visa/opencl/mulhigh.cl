kernel void mulhigh(global const uint *a, global const uint *b, global uint *high, global int *low) {
  size_t i = get_global_id(0);
  high[i] = mul_hi(a[i], b[i]);
  low[i] = mad_hi((int)a[i], (int)b[i], 7);
}
