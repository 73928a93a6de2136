kernel void mandelbrot(global int *out, int width, int most, float left, float top, float step) {
  int x = get_global_id(0), y = get_global_id(1);
  float cr = left + x * step, ci = top + y * step, zr = 0, zi = 0;
  int n = 0;
  while (n < most && zr * zr + zi * zi < 4.0f) {
    float t = zr * zr - zi * zi + cr;
    zi = 2.0f * zr * zi + ci;
    zr = t;
    n++;
  }
  out[y * width + x] = n;
}
