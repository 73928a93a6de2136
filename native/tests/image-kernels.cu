// Kernels of images.c. Their PTX in image-kernels.h comes from: nvcc -ptx -arch=compute_75, written as a text of C.
#include <cuda_runtime.h>

#define AT (blockIdx.z * blockDim.y * blockDim.x + threadIdx.y * blockDim.x + threadIdx.x)

extern "C" __global__ void line(float *out, cudaTextureObject_t texture, float start, float step) {
  out[AT] = tex1D<float>(texture, start + step * threadIdx.x);
}

extern "C" __global__ void plane(float *out, cudaTextureObject_t texture, float start, float step) {
  out[AT] = tex2D<float>(texture, start + step * threadIdx.x, start + step * threadIdx.y);
}

extern "C" __global__ void colours(float4 *out, cudaTextureObject_t texture, float start, float step) {
  out[AT] = tex2D<float4>(texture, start + step * threadIdx.x, start + step * threadIdx.y);
}

extern "C" __global__ void bytes(unsigned *out, cudaTextureObject_t texture) {
  uchar4 texel = tex2D<uchar4>(texture, threadIdx.x, threadIdx.y);
  out[AT] = texel.x | texel.y << 8 | texel.z << 16 | texel.w << 24;
}

extern "C" __global__ void volume(float *out, cudaTextureObject_t texture, float start, float step) {
  out[AT] = tex3D<float>(texture, start + step * threadIdx.x, start + step * threadIdx.y, start + step * blockIdx.z);
}

extern "C" __global__ void layers(float *out, cudaTextureObject_t texture, float start, float step) {
  out[AT] = tex2DLayered<float>(texture, start + step * threadIdx.x, start + step * threadIdx.y, blockIdx.z);
}

extern "C" __global__ void levels(float *out, cudaTextureObject_t texture, float start, float step) {
  out[AT] = tex2DLod<float>(texture, start + step * threadIdx.x, start + step * threadIdx.y, blockIdx.z);
}

extern "C" __global__ void faces(float *out, cudaTextureObject_t texture) {
  const float sides[6][3] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
  out[threadIdx.x] = texCubemap<float>(texture, sides[threadIdx.x][0], sides[threadIdx.x][1], sides[threadIdx.x][2]);
}

extern "C" __global__ void fetch(float *out, cudaTextureObject_t texture) {
  out[AT] = tex1Dfetch<float>(texture, (int)threadIdx.x - 2);
}

extern "C" __global__ void paint(cudaSurfaceObject_t surface, float first) {
  surf2Dwrite(first + threadIdx.x + 10 * threadIdx.y, surface, threadIdx.x * 4, threadIdx.y);
}

extern "C" __global__ void twice(cudaSurfaceObject_t surface) {
  float texel = surf2Dread<float>(surface, threadIdx.x * 4, threadIdx.y);
  surf2Dwrite(2 * texel, surface, threadIdx.x * 4, threadIdx.y);
}
