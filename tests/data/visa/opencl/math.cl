kernel void math(global const float *in, global float *out) {
  size_t i = get_global_id(0);
  float v = in[i];
  out[8 * i] = native_sqrt(v);
  out[8 * i + 1] = native_rsqrt(v);
  out[8 * i + 2] = native_recip(v);
  out[8 * i + 3] = native_exp2(v);
  out[8 * i + 4] = native_log2(v);
  out[8 * i + 5] = native_sin(v);
  out[8 * i + 6] = native_cos(v);
  out[8 * i + 7] = native_divide(1.5f, v);
}
