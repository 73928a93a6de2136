extern "C" __global__ void k(const float* in, const float* w, float* out, int W, int H) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= W || y >= H) return;
  float s = 0;
  for (int j = -1; j <= 1; j++)
    for (int i = -1; i <= 1; i++) {
      int a = min(max(x + i, 0), W - 1), b = min(max(y + j, 0), H - 1);
      s += in[b * W + a] * w[(j + 1) * 3 + i + 1];
    }
  out[y * W + x] = s;
}
