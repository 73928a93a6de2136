#include "registry.h"
#include "runtime.h"

static cudaError_t set_rows(void *pointer, size_t pitch, int value, size_t width, size_t height) {
  BEGIN;
  if (width == 0 || height == 0) return cudaSuccess;
  if (height > 1 && pitch < width) return fails(cudaErrorInvalidPitchValue);
  managed_to_device();
  CUresult result = height == 1 ? cuMemsetD8_v2(DEVICE_ADDRESS(pointer), (unsigned char)value, width)
                                : cuMemsetD2D8_v2(DEVICE_ADDRESS(pointer), pitch, (unsigned char)value, width, height);
  managed_to_program();
  return end(result);
}

API cudaError_t cudaMemset(void *pointer, int value, size_t bytes) { return set_rows(pointer, bytes, value, bytes, 1); }
PER_THREAD_SYNC(cudaMemset);

API cudaError_t cudaMemsetAsync(void *pointer, int value, size_t bytes, cudaStream_t stream) {
  IN_STREAM(stream);
  return cudaMemset(pointer, value, bytes);
}
PER_THREAD(cudaMemsetAsync);

API cudaError_t cudaMemset2D(void *pointer, size_t pitch, int value, size_t width, size_t height) {
  return set_rows(pointer, pitch, value, width, height);
}
PER_THREAD_SYNC(cudaMemset2D);

API cudaError_t cudaMemset2DAsync(void *pointer, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream) {
  IN_STREAM(stream);
  return cudaMemset2D(pointer, pitch, value, width, height);
}
PER_THREAD(cudaMemset2DAsync);

API cudaError_t cudaMemset3D(struct cudaPitchedPtr pitched, int value, struct cudaExtent extent) {
  size_t slice = pitched.pitch * pitched.ysize;
  for (size_t z = 0; z < extent.depth; z++) {
    cudaError_t error = set_rows((char *)pitched.ptr + z * slice, pitched.pitch, value, extent.width, extent.height);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}
PER_THREAD_SYNC(cudaMemset3D);

API cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr pitched, int value, struct cudaExtent extent, cudaStream_t stream) {
  IN_STREAM(stream);
  return cudaMemset3D(pitched, value, extent);
}
PER_THREAD(cudaMemset3DAsync);
