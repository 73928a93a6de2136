// Surfaces of every geometry: lines, volumes, layers and cubemaps.
extern "C" __global__ void lines(cudaSurfaceObject_t line, cudaSurfaceObject_t layered, int width) {
  int x = threadIdx.x, layer = blockIdx.x;
  if (layer == 0) surf1Dwrite((long long)x << 33, line, x * 8);
  surf1DLayeredwrite((short)(100 * layer + x), layered, x * 2, layer);
}
extern "C" __global__ void solids(cudaSurfaceObject_t volume, cudaSurfaceObject_t layered, cudaSurfaceObject_t cube) {
  int x = threadIdx.x, y = threadIdx.y, z = blockIdx.x;
  surf3Dwrite(make_int2(x + 10 * y, z), volume, x * 8, y, z);
  surf2DLayeredwrite(make_float4(x, y, z, 1), layered, x * 16, y, z);
  if (z < 6) surfCubemapwrite((unsigned)(x + 10 * y + 100 * z), cube, x * 4, y, z);
  __syncthreads();
  int2 there;
  surf3Dread(&there, volume, x * 8, y, z);
  there.y += there.x;
  surf3Dwrite(there, volume, x * 8, y, z);
}
