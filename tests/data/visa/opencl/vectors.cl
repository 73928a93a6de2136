kernel void vectors(global const float4 *a, global float4 *b, global const int2 *c, global int2 *d) {
  size_t i = get_global_id(0);
  b[i] = a[i].wzyx * 2.0f + (float4)(1, 2, 3, 4);
  d[i] = c[i].yx - (int2)(5, 7);
}
