kernel void convert(global const float *in, global uchar *bytes, global short *shorts, global int *ints) {
  size_t i = get_global_id(0);
  bytes[i] = convert_uchar_sat(in[i]);
  shorts[i] = convert_short_sat_rte(in[i]);
  ints[i] = convert_int_rtz(in[i]);
}
