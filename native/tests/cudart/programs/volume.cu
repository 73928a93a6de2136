#include "../check.cuh"
__global__ void fill(cudaPitchedPtr p, cudaExtent e) {
  int x = threadIdx.x, y = threadIdx.y, z = blockIdx.x;
  if (x < e.width / 4) ((int*)((char*)p.ptr + (z * e.height + y) * p.pitch))[x] = z * 100 + y * 10 + x;
}
int main() {
  cudaExtent e = make_cudaExtent(8 * 4, 6, 4);
  cudaPitchedPtr p;
  WORKS(cudaMalloc3D(&p, e));
  fill<<<4, dim3(8, 6)>>>(p, e);
  int h[4][6][8];
  cudaMemcpy3DParms c = {};
  c.srcPtr = p;
  c.dstPtr = make_cudaPitchedPtr(h, 32, 8, 6);
  c.extent = e;
  c.kind = cudaMemcpyDeviceToHost;
  WORKS(cudaMemcpy3D(&c));
  for (int z = 0; z < 4; z++)
    for (int y = 0; y < 6; y++)
      for (int x = 0; x < 8; x++) CHECK(h[z][y][x] == z * 100 + y * 10 + x);
  c = {};
  c.srcPtr = p;
  c.srcPos = make_cudaPos(4, 1, 2);
  c.dstPtr = make_cudaPitchedPtr(h, 32, 8, 6);
  c.extent = make_cudaExtent(8, 2, 1);
  c.kind = cudaMemcpyDeviceToHost;
  WORKS(cudaMemcpy3D(&c));
  CHECK(h[0][0][0] == 211 && h[0][1][1] == 222);
  puts("ok");
}
