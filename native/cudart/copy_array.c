/* Copies to and from arrays; offsets and widths are in bytes. */
#include "channels.h"
#include "directions.h"
#include "registry.h"
#include "runtime.h"

static cudaError_t copy_plane(CUDA_MEMCPY2D copy, cudaMemcpyKind kind, const cudaStream_t *stream) {
  BEGIN;
  if (!is_kind(kind)) return fails(cudaErrorInvalidMemcpyDirection);
  managed_to_device();
  CUresult result = stream == NULL ? cuMemcpy2D_v2(&copy) : cuMemcpy2DAsync_v2(&copy, *stream);
  managed_to_program();
  return end(result);
}

static cudaError_t into_plane(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch, size_t width, size_t height,
                              cudaMemcpyKind kind, const cudaStream_t *stream) {
  CUDA_MEMCPY2D copy = {.srcMemoryType = source_of(kind), .srcHost = from, .srcDevice = DEVICE_ADDRESS(from), .srcPitch = pitch,
                        .dstMemoryType = CU_MEMORYTYPE_ARRAY, .dstArray = to, .dstXInBytes = x, .dstY = y,
                        .WidthInBytes = width, .Height = height};
  if (pitch < width && height > 1) return fails(cudaErrorInvalidPitchValue);
  return copy_plane(copy, kind, stream);
}

API cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch, size_t width,
                                    size_t height, cudaMemcpyKind kind) {
  return into_plane(to, x, y, from, pitch, width, height, kind, NULL);
}
PER_THREAD_SYNC(cudaMemcpy2DToArray);

static cudaError_t out_of_plane(void *to, size_t pitch, cudaArray_t from, size_t x, size_t y, size_t width, size_t height,
                                cudaMemcpyKind kind, const cudaStream_t *stream) {
  CUDA_MEMCPY2D copy = {.srcMemoryType = CU_MEMORYTYPE_ARRAY, .srcArray = from, .srcXInBytes = x, .srcY = y,
                        .dstMemoryType = target_of(kind), .dstHost = to, .dstDevice = DEVICE_ADDRESS(to), .dstPitch = pitch,
                        .WidthInBytes = width, .Height = height};
  if (pitch < width && height > 1) return fails(cudaErrorInvalidPitchValue);
  return copy_plane(copy, kind, stream);
}

API cudaError_t cudaMemcpy2DFromArray(void *to, size_t pitch, cudaArray_t from, size_t x, size_t y, size_t width, size_t height,
                                      cudaMemcpyKind kind) {
  return out_of_plane(to, pitch, from, x, y, width, height, kind, NULL);
}
PER_THREAD_SYNC(cudaMemcpy2DFromArray);

API cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_t from, size_t from_x,
                                         size_t from_y, size_t width, size_t height, cudaMemcpyKind kind) {
  CUDA_MEMCPY2D copy = {.srcMemoryType = CU_MEMORYTYPE_ARRAY, .srcArray = from, .srcXInBytes = from_x, .srcY = from_y,
                        .dstMemoryType = CU_MEMORYTYPE_ARRAY, .dstArray = to, .dstXInBytes = to_x, .dstY = to_y,
                        .WidthInBytes = width, .Height = height};
  if (kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault) return fails(cudaErrorInvalidMemcpyDirection);
  return copy_plane(copy, kind, NULL);
}
PER_THREAD_SYNC(cudaMemcpy2DArrayToArray);

API cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch, size_t width,
                                         size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  IN_STREAM(stream);
  return into_plane(to, x, y, from, pitch, width, height, kind, &stream);
}
PER_THREAD(cudaMemcpy2DToArrayAsync);

API cudaError_t cudaMemcpy2DFromArrayAsync(void *to, size_t pitch, cudaArray_t from, size_t x, size_t y, size_t width,
                                           size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  IN_STREAM(stream);
  return out_of_plane(to, pitch, from, x, y, width, height, kind, &stream);
}
PER_THREAD(cudaMemcpy2DFromArrayAsync);

/* Where in an array's rows, one behind another, a texel of row `y` lies. */
static CUresult offset_in(size_t *offset, cudaArray_t array, size_t x, size_t y) {
  CUDA_ARRAY3D_DESCRIPTOR is;
  CUresult result = cuArray3DGetDescriptor_v2(&is, array);
  if (result != CUDA_SUCCESS) return result;
  size_t rows = is.Height == 0 ? 1 : is.Height, width = is.Width * texel_bytes(array);
  if (x > width || y >= rows) return CUDA_ERROR_INVALID_VALUE;
  *offset = y * width + x;
  return CUDA_SUCCESS;
}

/* Of unified addressing: what the device knows nothing of is the program's. */
static bool is_host(const void *pointer, CUmemorytype named) {
  unsigned kind = 0;
  if (named != CU_MEMORYTYPE_UNIFIED) return named == CU_MEMORYTYPE_HOST;
  return cuPointerGetAttribute(&kind, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, DEVICE_ADDRESS(pointer)) != CUDA_SUCCESS;
}

static cudaError_t into_array(cudaArray_t to, size_t x, size_t y, const void *from, size_t bytes, cudaMemcpyKind kind,
                              const cudaStream_t *stream) {
  size_t offset;
  BEGIN;
  if (!is_kind(kind)) return fails(cudaErrorInvalidMemcpyDirection);
  CUresult result = offset_in(&offset, to, x, y);
  if (result != CUDA_SUCCESS) return end(result);
  managed_to_device();
  if (!is_host(from, source_of(kind)))
    result = cuMemcpyDtoA_v2(to, offset, DEVICE_ADDRESS(from), bytes);
  else
    result = stream == NULL ? cuMemcpyHtoA_v2(to, offset, from, bytes) : cuMemcpyHtoAAsync_v2(to, offset, from, bytes, *stream);
  managed_to_program();
  return end(result);
}

API cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t bytes, cudaMemcpyKind kind) {
  return into_array(to, x, y, from, bytes, kind, NULL);
}
PER_THREAD_SYNC(cudaMemcpyToArray);

static cudaError_t out_of_array(void *to, cudaArray_t from, size_t x, size_t y, size_t bytes, cudaMemcpyKind kind,
                                const cudaStream_t *stream) {
  size_t offset;
  BEGIN;
  if (!is_kind(kind)) return fails(cudaErrorInvalidMemcpyDirection);
  CUresult result = offset_in(&offset, from, x, y);
  if (result != CUDA_SUCCESS) return end(result);
  managed_to_device();
  if (!is_host(to, target_of(kind)))
    result = cuMemcpyAtoD_v2(DEVICE_ADDRESS(to), from, offset, bytes);
  else
    result = stream == NULL ? cuMemcpyAtoH_v2(to, from, offset, bytes) : cuMemcpyAtoHAsync_v2(to, from, offset, bytes, *stream);
  managed_to_program();
  return end(result);
}

API cudaError_t cudaMemcpyFromArray(void *to, cudaArray_t from, size_t x, size_t y, size_t bytes, cudaMemcpyKind kind) {
  return out_of_array(to, from, x, y, bytes, kind, NULL);
}
PER_THREAD_SYNC(cudaMemcpyFromArray);

API cudaError_t cudaMemcpyArrayToArray(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_t from, size_t from_x, size_t from_y,
                                       size_t bytes, cudaMemcpyKind kind) {
  size_t into, out;
  BEGIN;
  if (kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault) return fails(cudaErrorInvalidMemcpyDirection);
  CUresult result = offset_in(&into, to, to_x, to_y);
  if (result == CUDA_SUCCESS) result = offset_in(&out, from, from_x, from_y);
  return end(result == CUDA_SUCCESS ? cuMemcpyAtoA_v2(to, into, from, out, bytes) : result);
}
PER_THREAD_SYNC(cudaMemcpyArrayToArray);

API cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from, size_t bytes, cudaMemcpyKind kind,
                                       cudaStream_t stream) {
  IN_STREAM(stream);
  return into_array(to, x, y, from, bytes, kind, &stream);
}
PER_THREAD(cudaMemcpyToArrayAsync);

API cudaError_t cudaMemcpyFromArrayAsync(void *to, cudaArray_t from, size_t x, size_t y, size_t bytes, cudaMemcpyKind kind,
                                         cudaStream_t stream) {
  IN_STREAM(stream);
  return out_of_array(to, from, x, y, bytes, kind, &stream);
}
PER_THREAD(cudaMemcpyFromArrayAsync);
