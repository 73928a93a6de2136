kernel void bits(global const uint *in, global uint *out) {
  size_t i = get_global_id(0);
  uint v = in[i];
  out[5 * i] = popcount(v);
  out[5 * i + 1] = clz(v);
  out[5 * i + 2] = ctz(v | 0x80000000u);
  out[5 * i + 3] = rotate(v, 13u);
  out[5 * i + 4] = (v >> 3 & 0x1f) | (v << 5 & 0xff00);
}
