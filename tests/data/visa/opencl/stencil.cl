kernel void stencil(global const float *in, global float *out, int width, int height) {
  int x = get_global_id(0), y = get_global_id(1);
  int left = max(x - 1, 0), right = min(x + 1, width - 1), up = max(y - 1, 0), down = min(y + 1, height - 1);
  out[y * width + x] = 0.5f * in[y * width + x] + 0.125f * (in[y * width + left] + in[y * width + right]) +
                       0.125f * (in[up * width + x] + in[down * width + x]);
}
