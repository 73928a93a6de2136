// Arrays, textures and surfaces by the runtime API.
#include "check.cuh"

const int width = 16, height = 8;

__global__ void sample(float *out, cudaTextureObject_t texture) {
  out[threadIdx.y * width + threadIdx.x] = tex2D<float>(texture, (threadIdx.x + 0.75f) / width, (threadIdx.y + 0.5f) / height);
}

__global__ void negate(cudaSurfaceObject_t surface) {
  float texel = surf2Dread<float>(surface, threadIdx.x * 4, threadIdx.y);
  surf2Dwrite(-texel, surface, threadIdx.x * 4, threadIdx.y);
}

__global__ void volume(float *out, cudaTextureObject_t texture) {
  out[(threadIdx.z * 3 + threadIdx.y) * 4 + threadIdx.x] = tex3D<float>(texture, threadIdx.x, threadIdx.y, threadIdx.z);
}

static cudaResourceDesc resource_of(cudaArray_t array) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  return resource;
}

int main() {
  float in[height][width], back[height][width], *out;
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) in[y][x] = 4 * x + 100 * y;
  cudaArray_t array;
  cudaChannelFormatDesc channels = cudaCreateChannelDesc<float>(), same;
  cudaExtent extent;
  unsigned flags;
  WORKS(cudaMallocArray(&array, &channels, width, height, cudaArraySurfaceLoadStore));
  WORKS(cudaArrayGetInfo(&same, &extent, &flags, array));
  CHECK(same.x == 32 && same.y == 0 && same.f == cudaChannelFormatKindFloat);
  CHECK(extent.width == width && extent.height == height && extent.depth == 0 && flags == cudaArraySurfaceLoadStore);
  WORKS(cudaMemcpy2DToArray(array, 0, 0, in, sizeof *in, sizeof *in, height, cudaMemcpyHostToDevice));
  cudaResourceDesc resource = resource_of(array), given = {};
  cudaTextureDesc how = {}, looked = {};
  how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
  how.filterMode = cudaFilterModeLinear;
  how.normalizedCoords = 1;
  how.borderColor[2] = 3;
  cudaTextureObject_t texture;
  WORKS(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
  WORKS(cudaGetTextureObjectTextureDesc(&looked, texture));
  CHECK(looked.filterMode == cudaFilterModeLinear && looked.normalizedCoords == 1 && looked.borderColor[2] == 3);
  CHECK(looked.readMode == cudaReadModeElementType && looked.addressMode[1] == cudaAddressModeClamp);
  WORKS(cudaGetTextureObjectResourceDesc(&given, texture));
  CHECK(given.resType == cudaResourceTypeArray && given.res.array.array == array);
  WORKS(cudaMalloc(&out, sizeof in));
  sample<<<1, dim3(width, height)>>>(out, texture);
  WORKS(cudaMemcpy(back, out, sizeof back, cudaMemcpyDeviceToHost));
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) CHECK(back[y][x] == in[y][x] + (x == width - 1 ? 0 : 1));
  cudaSurfaceObject_t surface;
  WORKS(cudaCreateSurfaceObject(&surface, &resource));
  negate<<<1, dim3(width, height)>>>(surface);
  WORKS(cudaMemcpy2DFromArray(back, sizeof *back, array, 0, 0, sizeof *back, height, cudaMemcpyDeviceToHost));
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) CHECK(back[y][x] == -in[y][x]);
  WORKS(cudaDestroySurfaceObject(surface));
  WORKS(cudaDestroyTextureObject(texture));
  WORKS(cudaFreeArray(array));
  GIVES(cudaErrorInvalidResourceHandle, cudaFreeArray(array));

  cudaMemcpy3DParms box = {};
  WORKS(cudaMalloc3DArray(&array, &channels, make_cudaExtent(4, 3, 2), 0));
  box.srcPtr = make_cudaPitchedPtr(in, 16, 4, 3);
  box.dstArray = array;
  box.extent = make_cudaExtent(4, 3, 2);
  box.kind = cudaMemcpyHostToDevice;
  WORKS(cudaMemcpy3D(&box));
  resource = resource_of(array);
  how.filterMode = cudaFilterModePoint, how.normalizedCoords = 0;
  WORKS(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
  volume<<<1, dim3(4, 3, 2)>>>(out, texture);
  WORKS(cudaMemcpy(back, out, 96, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 24; i++) CHECK(back[0][i] == in[0][i]);
  cudaChannelFormatDesc wrong = {32, 16, 0, 0, cudaChannelFormatKindFloat};
  GIVES(cudaErrorInvalidChannelDescriptor, cudaMallocArray(&array, &wrong, 4, 4));
  puts("textures");
}
