kernel void bytes(global const uchar *in, global uchar *out, global const ushort *words, global ushort *sums) {
  size_t i = get_global_id(0);
  out[i] = add_sat(in[i], (uchar)100);
  sums[i] = words[i] + in[i];
}
