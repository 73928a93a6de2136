// How many steps each point of a grid stays within 2, in f64; lanes leave the loop one by one.
// nvcc -ptx -arch=sm_90 -O3 -fmad=false mandelbrot.cu -o mandelbrot.ptx
extern "C" __global__ void mandelbrot(int width, int height, double left, double top, double step, unsigned short *out) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  double cr = left + x * step, ci = top - y * step, zr = 0, zi = 0;
  unsigned short n = 0;
  while (n < 200 && zr * zr + zi * zi <= 4) {
    double t = zr * zr - zi * zi + cr;
    zi = 2 * zr * zi + ci;
    zr = t;
    n++;
  }
  out[y * width + x] = n;
}
