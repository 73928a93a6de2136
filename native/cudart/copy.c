#include "copy.h"

#include "channels.h"
#include "directions.h"
#include "registry.h"
#include "runtime.h"

/* In a stream, or at once for NULL. */
static CUresult copy_line(void *to, const void *from, size_t bytes, cudaMemcpyKind kind, const cudaStream_t *stream) {
  CUdeviceptr into = DEVICE_ADDRESS(to), out = DEVICE_ADDRESS(from);
  switch (kind) {
    case cudaMemcpyHostToDevice:
      return stream == NULL ? cuMemcpyHtoD_v2(into, from, bytes) : cuMemcpyHtoDAsync_v2(into, from, bytes, *stream);
    case cudaMemcpyDeviceToHost:
      return stream == NULL ? cuMemcpyDtoH_v2(to, out, bytes) : cuMemcpyDtoHAsync_v2(to, out, bytes, *stream);
    case cudaMemcpyDeviceToDevice:
      return stream == NULL ? cuMemcpyDtoD_v2(into, out, bytes) : cuMemcpyDtoDAsync_v2(into, out, bytes, *stream);
    default:
      return stream == NULL ? cuMemcpy(into, out, bytes) : cuMemcpyAsync(into, out, bytes, *stream);
  }
}

static cudaError_t copy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind, const cudaStream_t *stream) {
  if (!is_kind(kind)) return fails(cudaErrorInvalidMemcpyDirection);
  if (bytes == 0) return cudaSuccess;
  managed_to_device();
  CUresult result = copy_line(to, from, bytes, kind, stream);
  managed_to_program();
  return end(result);
}

API cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind) {
  BEGIN;
  return copy(to, from, bytes, kind, NULL);
}
PER_THREAD_SYNC(cudaMemcpy);

API cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  IN_STREAM(stream);
  return copy(to, from, bytes, kind, &stream);
}
PER_THREAD(cudaMemcpyAsync);

API cudaError_t cudaMemcpyPeer(void *to, int target, const void *from, int source, size_t bytes) {
  BEGIN;
  if (target != 0 || source != 0) return fails(cudaErrorInvalidDevice);
  return copy(to, from, bytes, cudaMemcpyDefault, NULL);
}

API cudaError_t cudaMemcpyPeerAsync(void *to, int target, const void *from, int source, size_t bytes, cudaStream_t stream) {
  IN_STREAM(stream);
  if (target != 0 || source != 0) return fails(cudaErrorInvalidDevice);
  return copy(to, from, bytes, cudaMemcpyDefault, &stream);
}

/* A corner of the box in an array of bytes of that pitch. */
static const void *corner(const struct cudaPitchedPtr *array, const struct cudaPos *at) {
  return (const char *)array->ptr + at->x + array->pitch * (at->y + array->ysize * at->z);
}

/* Of a copy with an array, the extent is in that array's texels, and positions in it are as well. */
cudaError_t copy_of_box(CUDA_MEMCPY3D *copy, const struct cudaMemcpy3DParms *box) {
  if (!is_kind(box->kind)) return cudaErrorInvalidMemcpyDirection;
  cudaArray_t from_array = box->srcArray, to_array = box->dstArray;
  size_t out = from_array == NULL ? 1 : texel_bytes(from_array), into = to_array == NULL ? 1 : texel_bytes(to_array);
  if (out == 0 || into == 0) return cudaErrorInvalidResourceHandle;
  if (from_array != NULL && to_array != NULL && out != into) return cudaErrorInvalidValue;
  struct cudaExtent extent = box->extent;
  *copy = (CUDA_MEMCPY3D){.Depth = 0};
  if (extent.width == 0 || extent.height == 0 || extent.depth == 0) return cudaSuccess;
  if (extent.width >= (size_t)1 << 40) return cudaErrorInvalidValue;
  extent.width *= out > into ? out : into;
  if ((from_array == NULL && box->srcPtr.pitch < box->srcPos.x + extent.width) ||
      (to_array == NULL && box->dstPtr.pitch < box->dstPos.x + extent.width))
    return cudaErrorInvalidPitchValue;
  copy->WidthInBytes = extent.width, copy->Height = extent.height, copy->Depth = extent.depth;
  if (from_array != NULL) {
    copy->srcMemoryType = CU_MEMORYTYPE_ARRAY, copy->srcArray = from_array;
    copy->srcXInBytes = box->srcPos.x * out, copy->srcY = box->srcPos.y, copy->srcZ = box->srcPos.z;
  } else {
    const void *from = corner(&box->srcPtr, &box->srcPos);
    copy->srcMemoryType = source_of(box->kind), copy->srcHost = from, copy->srcDevice = DEVICE_ADDRESS(from);
    copy->srcPitch = box->srcPtr.pitch, copy->srcHeight = box->srcPtr.ysize;
  }
  if (to_array != NULL) {
    copy->dstMemoryType = CU_MEMORYTYPE_ARRAY, copy->dstArray = to_array;
    copy->dstXInBytes = box->dstPos.x * into, copy->dstY = box->dstPos.y, copy->dstZ = box->dstPos.z;
  } else {
    const void *to = corner(&box->dstPtr, &box->dstPos);
    copy->dstMemoryType = target_of(box->kind), copy->dstHost = (void *)(uintptr_t)to, copy->dstDevice = DEVICE_ADDRESS(to);
    copy->dstPitch = box->dstPtr.pitch, copy->dstHeight = box->dstPtr.ysize;
  }
  return cudaSuccess;
}

static struct cudaPos texels_at(cudaArray_t array, size_t x, size_t y, size_t z) {
  size_t texel = texel_bytes(array);
  return (struct cudaPos){texel == 0 ? x : x / texel, y, z};
}

void box_of_copy(struct cudaMemcpy3DParms *box, const CUDA_MEMCPY3D *copy) {
  const bool in_device[] = {[CU_MEMORYTYPE_DEVICE] = true, [CU_MEMORYTYPE_ARRAY] = true, [CU_MEMORYTYPE_UNIFIED] = false};
  CUmemorytype from = copy->srcMemoryType, to = copy->dstMemoryType;
  *box = (struct cudaMemcpy3DParms){.extent = {copy->WidthInBytes, copy->Height, copy->Depth}};
  size_t texel = 0;
  if (from == CU_MEMORYTYPE_ARRAY) {
    box->srcArray = copy->srcArray;
    box->srcPos = texels_at(copy->srcArray, copy->srcXInBytes, copy->srcY, copy->srcZ);
    texel = texel_bytes(copy->srcArray);
  } else {
    void *pointer = from == CU_MEMORYTYPE_HOST ? (void *)(uintptr_t)copy->srcHost : (void *)(uintptr_t)copy->srcDevice;
    box->srcPos = (struct cudaPos){copy->srcXInBytes, copy->srcY, copy->srcZ};
    box->srcPtr = (struct cudaPitchedPtr){pointer, copy->srcPitch, copy->srcPitch, copy->srcHeight};
  }
  if (to == CU_MEMORYTYPE_ARRAY) {
    box->dstArray = copy->dstArray;
    box->dstPos = texels_at(copy->dstArray, copy->dstXInBytes, copy->dstY, copy->dstZ);
    texel = texel_bytes(copy->dstArray);
  } else {
    void *pointer = to == CU_MEMORYTYPE_HOST ? copy->dstHost : (void *)(uintptr_t)copy->dstDevice;
    box->dstPos = (struct cudaPos){copy->dstXInBytes, copy->dstY, copy->dstZ};
    box->dstPtr = (struct cudaPitchedPtr){pointer, copy->dstPitch, copy->dstPitch, copy->dstHeight};
  }
  if (texel > 0) box->extent.width /= texel;
  if (from == CU_MEMORYTYPE_UNIFIED || to == CU_MEMORYTYPE_UNIFIED)
    box->kind = cudaMemcpyDefault;
  else if (in_device[from])
    box->kind = in_device[to] ? cudaMemcpyDeviceToDevice : cudaMemcpyDeviceToHost;
  else
    box->kind = in_device[to] ? cudaMemcpyHostToDevice : cudaMemcpyHostToHost;
}

static cudaError_t copy_box(const struct cudaMemcpy3DParms *box, const cudaStream_t *stream) {
  CUDA_MEMCPY3D copy;
  cudaError_t error = copy_of_box(&copy, box);
  if (error != cudaSuccess || copy.Depth == 0) return fails(error);
  managed_to_device();
  CUresult result = stream == NULL ? cuMemcpy3D_v2(&copy) : cuMemcpy3DAsync_v2(&copy, *stream);
  managed_to_program();
  return end(result);
}

API cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *box) {
  BEGIN;
  NEEDS(box != NULL);
  return copy_box(box, NULL);
}
PER_THREAD_SYNC(cudaMemcpy3D);

API cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *box, cudaStream_t stream) {
  IN_STREAM(stream);
  NEEDS(box != NULL);
  return copy_box(box, &stream);
}
PER_THREAD(cudaMemcpy3DAsync);

static cudaError_t copy_box_of_peers(const struct cudaMemcpy3DPeerParms *box, const cudaStream_t *stream) {
  NEEDS(box != NULL);
  if (box->srcDevice != 0 || box->dstDevice != 0) return fails(cudaErrorInvalidDevice);
  struct cudaMemcpy3DParms same = {box->srcArray, box->srcPos, box->srcPtr, box->dstArray,
                                   box->dstPos,   box->dstPtr, box->extent, cudaMemcpyDefault};
  return copy_box(&same, stream);
}

API cudaError_t cudaMemcpy3DPeer(const struct cudaMemcpy3DPeerParms *box) {
  BEGIN;
  return copy_box_of_peers(box, NULL);
}
PER_THREAD_SYNC(cudaMemcpy3DPeer);

API cudaError_t cudaMemcpy3DPeerAsync(const struct cudaMemcpy3DPeerParms *box, cudaStream_t stream) {
  IN_STREAM(stream);
  return copy_box_of_peers(box, &stream);
}
PER_THREAD(cudaMemcpy3DPeerAsync);

static struct cudaMemcpy3DParms plane(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
                                      cudaMemcpyKind kind) {
  return (struct cudaMemcpy3DParms){.srcPtr = {(void *)(uintptr_t)from, from_pitch, width, height},
                                    .dstPtr = {to, to_pitch, width, height},
                                    .extent = {width, height, 1},
                                    .kind = kind};
}

API cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
                             cudaMemcpyKind kind) {
  BEGIN;
  struct cudaMemcpy3DParms box = plane(to, to_pitch, from, from_pitch, width, height, kind);
  return copy_box(&box, NULL);
}
PER_THREAD_SYNC(cudaMemcpy2D);

API cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                                  size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  IN_STREAM(stream);
  struct cudaMemcpy3DParms box = plane(to, to_pitch, from, from_pitch, width, height, kind);
  return copy_box(&box, &stream);
}
PER_THREAD(cudaMemcpy2DAsync);
