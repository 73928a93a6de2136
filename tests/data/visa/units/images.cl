// options: -cl-std=CL3.0
// Images through samplers and as typed surfaces.
constant sampler_t nearest_texels = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
constant sampler_t linear_around = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | CLK_FILTER_LINEAR;

kernel void image_twice(read_only image2d_t from, write_only image2d_t to) {
  int2 p = (int2)(get_global_id(0), get_global_id(1));
  write_imagef(to, p, read_imagef(from, nearest_texels, p) * 2.0f);
}

kernel void image_filter(read_only image2d_t from, sampler_t s, global float *out, int w) {
  int2 p = (int2)(get_global_id(0), get_global_id(1));
  float4 a = read_imagef(from, s, (float2)(p.x + 0.5f, p.y + 0.25f));
  float4 b = read_imagef(from, linear_around, (float2)(p.x / 8.0f, p.y / 4.0f));
  out[p.y * w + p.x] = a.x + b.x;
}

kernel void image_sizes(read_only image2d_t a, read_only image3d_t b, read_only image2d_array_t c, global int *out) {
  out[0] = get_image_width(a);
  out[1] = get_image_height(a);
  out[2] = get_image_depth(b);
  out[3] = get_image_array_size(c);
  out[4] = get_image_channel_data_type(a);
  out[5] = get_image_channel_order(a);
}

kernel void image_integers(read_only image2d_t a, write_only image2d_t to, read_only image1d_buffer_t b,
                           read_only image3d_t c, read_only image2d_array_t d, global int4 *out) {
  int2 p = (int2)(get_global_id(0), get_global_id(1));
  write_imageui(to, p, read_imageui(a, p) + (uint4)(p.x));
  out[p.y * get_global_size(0) + p.x] = read_imagei(b, p.x) + read_imagei(c, nearest_texels, (int4)(p.x, p.y, 1, 0)) +
                                        read_imagei(d, nearest_texels, (int4)(p.x, p.y, 1, 0));
}

kernel void image_update(read_write image2d_t a) {
  int2 p = (int2)(get_global_id(0), get_global_id(1));
  write_imagef(a, p, read_imagef(a, p) + 1.0f);
}
