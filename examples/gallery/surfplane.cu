// A surface that is read and written: turned upside down in place, and read beyond its edges.
extern "C" __global__ void flip(cudaSurfaceObject_t plane, int width, int height) {
  int x = threadIdx.x, y = blockIdx.x;
  if (x >= width || y >= height / 2) return;
  uchar4 top, bottom;
  surf2Dread(&top, plane, x * 4, y);
  surf2Dread(&bottom, plane, x * 4, height - 1 - y);
  surf2Dwrite(bottom, plane, x * 4, y);
  surf2Dwrite(top, plane, x * 4, height - 1 - y);
}
extern "C" __global__ void edges(cudaSurfaceObject_t plane, uchar4* zero, uchar4* clamp, int width, int height) {
  int x = (int)threadIdx.x - 2, y = (int)blockIdx.x - 2, i = blockIdx.x * blockDim.x + threadIdx.x;
  surf2Dread(&zero[i], plane, x * 4, y, cudaBoundaryModeZero);
  surf2Dread(&clamp[i], plane, x * 4, y, cudaBoundaryModeClamp);
  surf2Dwrite(make_uchar4(1, 2, 3, 4), plane, (x - width - 2) * 4, y, cudaBoundaryModeZero);
}
