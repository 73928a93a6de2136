#include "channels.h"
#include "directions.h"
#include "registry.h"
#include "runtime.h"

static CUresult copy_line(void *to, const void *from, size_t bytes, cudaMemcpyKind kind) {
  switch (kind) {
    case cudaMemcpyHostToDevice: return cuMemcpyHtoD_v2(DEVICE_ADDRESS(to), from, bytes);
    case cudaMemcpyDeviceToHost: return cuMemcpyDtoH_v2(to, DEVICE_ADDRESS(from), bytes);
    case cudaMemcpyDeviceToDevice: return cuMemcpyDtoD_v2(DEVICE_ADDRESS(to), DEVICE_ADDRESS(from), bytes);
    default: return cuMemcpy(DEVICE_ADDRESS(to), DEVICE_ADDRESS(from), bytes);
  }
}

API cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind) {
  BEGIN;
  if (!is_kind(kind)) return fails(cudaErrorInvalidMemcpyDirection);
  if (bytes == 0) return cudaSuccess;
  managed_to_device();
  CUresult result = copy_line(to, from, bytes, kind);
  managed_to_program();
  return end(result);
}
PER_THREAD_SYNC(cudaMemcpy);

API cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  IN_STREAM(stream);
  return cudaMemcpy(to, from, bytes, kind);
}
PER_THREAD(cudaMemcpyAsync);

API cudaError_t cudaMemcpyPeer(void *to, int target, const void *from, int source, size_t bytes) {
  BEGIN;
  if (target != 0 || source != 0) return fails(cudaErrorInvalidDevice);
  return cudaMemcpy(to, from, bytes, cudaMemcpyDefault);
}

API cudaError_t cudaMemcpyPeerAsync(void *to, int target, const void *from, int source, size_t bytes, cudaStream_t stream) {
  IN_STREAM(stream);
  return cudaMemcpyPeer(to, target, from, source, bytes);
}

/* A corner of the box in an array of bytes of that pitch. */
static const void *corner(const struct cudaPitchedPtr *array, const struct cudaPos *at) {
  return (const char *)array->ptr + at->x + array->pitch * (at->y + array->ysize * at->z);
}

/* Of a copy with an array, the extent is in that array's texels, and positions in it are as well. */
static cudaError_t copy_box(const struct cudaMemcpy3DParms *box) {
  BEGIN;
  if (!is_kind(box->kind)) return fails(cudaErrorInvalidMemcpyDirection);
  cudaArray_t from_array = box->srcArray, to_array = box->dstArray;
  size_t out = from_array == NULL ? 1 : texel_bytes(from_array), into = to_array == NULL ? 1 : texel_bytes(to_array);
  if (out == 0 || into == 0) return fails(cudaErrorInvalidResourceHandle);
  NEEDS(from_array == NULL || to_array == NULL || out == into);
  struct cudaExtent extent = box->extent;
  if (extent.width == 0 || extent.height == 0 || extent.depth == 0) return cudaSuccess;
  NEEDS(extent.width < (size_t)1 << 40);
  extent.width *= out > into ? out : into;
  if ((from_array == NULL && box->srcPtr.pitch < box->srcPos.x + extent.width) ||
      (to_array == NULL && box->dstPtr.pitch < box->dstPos.x + extent.width))
    return fails(cudaErrorInvalidPitchValue);
  CUDA_MEMCPY3D copy = {.WidthInBytes = extent.width, .Height = extent.height, .Depth = extent.depth};
  if (from_array != NULL) {
    copy.srcMemoryType = CU_MEMORYTYPE_ARRAY, copy.srcArray = from_array;
    copy.srcXInBytes = box->srcPos.x * out, copy.srcY = box->srcPos.y, copy.srcZ = box->srcPos.z;
  } else {
    const void *from = corner(&box->srcPtr, &box->srcPos);
    copy.srcMemoryType = source_of(box->kind), copy.srcHost = from, copy.srcDevice = DEVICE_ADDRESS(from);
    copy.srcPitch = box->srcPtr.pitch, copy.srcHeight = box->srcPtr.ysize;
  }
  if (to_array != NULL) {
    copy.dstMemoryType = CU_MEMORYTYPE_ARRAY, copy.dstArray = to_array;
    copy.dstXInBytes = box->dstPos.x * into, copy.dstY = box->dstPos.y, copy.dstZ = box->dstPos.z;
  } else {
    const void *to = corner(&box->dstPtr, &box->dstPos);
    copy.dstMemoryType = target_of(box->kind), copy.dstHost = (void *)(uintptr_t)to, copy.dstDevice = DEVICE_ADDRESS(to);
    copy.dstPitch = box->dstPtr.pitch, copy.dstHeight = box->dstPtr.ysize;
  }
  managed_to_device();
  CUresult result = cuMemcpy3D_v2(&copy);
  managed_to_program();
  return end(result);
}

API cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *box) {
  NEEDS(box != NULL);
  return copy_box(box);
}
PER_THREAD_SYNC(cudaMemcpy3D);

API cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *box, cudaStream_t stream) {
  IN_STREAM(stream);
  return cudaMemcpy3D(box);
}
PER_THREAD(cudaMemcpy3DAsync);

API cudaError_t cudaMemcpy3DPeer(const struct cudaMemcpy3DPeerParms *box) {
  NEEDS(box != NULL);
  if (box->srcDevice != 0 || box->dstDevice != 0) return fails(cudaErrorInvalidDevice);
  struct cudaMemcpy3DParms same = {box->srcArray, box->srcPos, box->srcPtr, box->dstArray,
                                   box->dstPos,   box->dstPtr, box->extent, cudaMemcpyDefault};
  return copy_box(&same);
}
PER_THREAD_SYNC(cudaMemcpy3DPeer);

API cudaError_t cudaMemcpy3DPeerAsync(const struct cudaMemcpy3DPeerParms *box, cudaStream_t stream) {
  IN_STREAM(stream);
  return cudaMemcpy3DPeer(box);
}
PER_THREAD(cudaMemcpy3DPeerAsync);

API cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
                             cudaMemcpyKind kind) {
  struct cudaMemcpy3DParms box = {.srcPtr = {(void *)(uintptr_t)from, from_pitch, width, height},
                                  .dstPtr = {to, to_pitch, width, height},
                                  .extent = {width, height, 1},
                                  .kind = kind};
  return copy_box(&box);
}
PER_THREAD_SYNC(cudaMemcpy2D);

API cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                                  size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  IN_STREAM(stream);
  return cudaMemcpy2D(to, to_pitch, from, from_pitch, width, height, kind);
}
PER_THREAD(cudaMemcpy2DAsync);
