#include "registry.h"
#include "runtime.h"

/* In a stream, or at once for NULL. */
static cudaError_t set_rows(void *pointer, size_t pitch, int value, size_t width, size_t height, const cudaStream_t *stream) {
  if (width == 0 || height == 0) return cudaSuccess;
  if (height > 1 && pitch < width) return fails(cudaErrorInvalidPitchValue);
  managed_to_device();
  CUdeviceptr to = DEVICE_ADDRESS(pointer);
  unsigned char byte = (unsigned char)value;
  CUresult result = height == 1 ? stream == NULL ? cuMemsetD8_v2(to, byte, width) : cuMemsetD8Async(to, byte, width, *stream)
                    : stream == NULL ? cuMemsetD2D8_v2(to, pitch, byte, width, height)
                                     : cuMemsetD2D8Async(to, pitch, byte, width, height, *stream);
  managed_to_program();
  return end(result);
}

API cudaError_t cudaMemset(void *pointer, int value, size_t bytes) {
  BEGIN;
  return set_rows(pointer, bytes, value, bytes, 1, NULL);
}
PER_THREAD_SYNC(cudaMemset);

API cudaError_t cudaMemsetAsync(void *pointer, int value, size_t bytes, cudaStream_t stream) {
  IN_STREAM(stream);
  return set_rows(pointer, bytes, value, bytes, 1, &stream);
}
PER_THREAD(cudaMemsetAsync);

API cudaError_t cudaMemset2D(void *pointer, size_t pitch, int value, size_t width, size_t height) {
  BEGIN;
  return set_rows(pointer, pitch, value, width, height, NULL);
}
PER_THREAD_SYNC(cudaMemset2D);

API cudaError_t cudaMemset2DAsync(void *pointer, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream) {
  IN_STREAM(stream);
  return set_rows(pointer, pitch, value, width, height, &stream);
}
PER_THREAD(cudaMemset2DAsync);

static cudaError_t set_box(struct cudaPitchedPtr pitched, int value, struct cudaExtent extent, const cudaStream_t *stream) {
  size_t slice = pitched.pitch * pitched.ysize;
  for (size_t z = 0; z < extent.depth; z++) {
    cudaError_t error = set_rows((char *)pitched.ptr + z * slice, pitched.pitch, value, extent.width, extent.height, stream);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

API cudaError_t cudaMemset3D(struct cudaPitchedPtr pitched, int value, struct cudaExtent extent) {
  BEGIN;
  return set_box(pitched, value, extent, NULL);
}
PER_THREAD_SYNC(cudaMemset3D);

API cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr pitched, int value, struct cudaExtent extent, cudaStream_t stream) {
  IN_STREAM(stream);
  return set_box(pitched, value, extent, &stream);
}
PER_THREAD(cudaMemset3DAsync);
