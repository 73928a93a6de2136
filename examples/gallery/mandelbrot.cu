// How many steps a point of the plane stays near: lanes leave the loop each at its own time. f32 and f64 side by side.

template <typename T>
__device__ unsigned steps(T x0, T y0, unsigned most) {
  T x = 0, y = 0;
  unsigned count = 0;
  while (count < most && fma(x, x, y * y) <= T(4)) {
    const T next = fma(x, x, fma(-y, y, x0));
    y = fma(x + x, y, y0);
    x = next;
    count++;
  }
  return count;
}

extern "C" __global__ void mandelbrot(unsigned short* single, unsigned short* twice, int width, int height,
                                      unsigned most) {
  const int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
  if (px >= width || py >= height) return;
  const int at = py * width + px;
  single[at] = steps<float>(fmaf(float(px), 0.0234375f, -2.0f), fmaf(float(py), 0.0234375f, -1.25f), most);
  twice[at] = steps<double>(fma(double(px), 0.025, -2.0), fma(double(py), 0.025, -1.25), most);
}
