kernel void round_all(global const float *in, global float *out) {
  size_t i = get_global_id(0);
  out[4 * i] = floor(in[i]);
  out[4 * i + 1] = ceil(in[i]);
  out[4 * i + 2] = trunc(in[i]);
  out[4 * i + 3] = rint(in[i]);
}
