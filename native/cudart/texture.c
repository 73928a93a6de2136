/* Texture and surface objects. Modes and filters have the driver's numbers, and handles are the driver's. */
#include <string.h>

#include "channels.h"
#include "runtime.h"

/* What programs of this version have room for. */
#define RESOURCE_BYTES (CUDART_MAJOR >= 13 ? sizeof(struct cudaResourceDesc) : 64)
#define VIEW_BYTES (CUDART_MAJOR >= 13 ? sizeof(struct cudaResourceViewDesc) : 48)
#define TEXTURE_BYTES (CUDART_MAJOR >= 12 ? sizeof(struct cudaTextureDesc) : offsetof(struct cudaTextureDesc, seamlessCubemap))

static cudaError_t driver_resource(CUDA_RESOURCE_DESC *is, const struct cudaResourceDesc *given) {
  struct cudaResourceDesc of = {.resType = 0};
  memcpy(&of, given, RESOURCE_BYTES);
  *is = (CUDA_RESOURCE_DESC){.resType = (CUresourcetype)of.resType, .flags = of.flags};
  switch (is->resType) {
    case CU_RESOURCE_TYPE_ARRAY: is->res.array.hArray = of.res.array.array; return cudaSuccess;
    case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY: is->res.mipmap.hMipmappedArray = of.res.mipmap.mipmap; return cudaSuccess;
    case CU_RESOURCE_TYPE_LINEAR:
      is->res.linear.devPtr = DEVICE_ADDRESS(of.res.linear.devPtr);
      is->res.linear.sizeInBytes = of.res.linear.sizeInBytes;
      if (texel_of(&of.res.linear.desc, &is->res.linear.format, &is->res.linear.numChannels)) return cudaSuccess;
      return cudaErrorInvalidChannelDescriptor;
    case CU_RESOURCE_TYPE_PITCH2D:
      is->res.pitch2D.devPtr = DEVICE_ADDRESS(of.res.pitch2D.devPtr);
      is->res.pitch2D.width = of.res.pitch2D.width;
      is->res.pitch2D.height = of.res.pitch2D.height;
      is->res.pitch2D.pitchInBytes = of.res.pitch2D.pitchInBytes;
      if (texel_of(&of.res.pitch2D.desc, &is->res.pitch2D.format, &is->res.pitch2D.numChannels)) return cudaSuccess;
      return cudaErrorInvalidChannelDescriptor;
    default: return cudaErrorInvalidValue;
  }
}

static void runtime_resource(struct cudaResourceDesc *given, const CUDA_RESOURCE_DESC *is) {
  struct cudaResourceDesc of = {.resType = is->resType, .flags = is->flags};
  switch (is->resType) {
    case CU_RESOURCE_TYPE_ARRAY: of.res.array.array = is->res.array.hArray; break;
    case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY: of.res.mipmap.mipmap = is->res.mipmap.hMipmappedArray; break;
    case CU_RESOURCE_TYPE_LINEAR:
      of.res.linear.devPtr = (void *)(uintptr_t)is->res.linear.devPtr;
      of.res.linear.desc = channels_of(is->res.linear.format, is->res.linear.numChannels);
      of.res.linear.sizeInBytes = is->res.linear.sizeInBytes;
      break;
    case CU_RESOURCE_TYPE_PITCH2D:
      of.res.pitch2D.devPtr = (void *)(uintptr_t)is->res.pitch2D.devPtr;
      of.res.pitch2D.desc = channels_of(is->res.pitch2D.format, is->res.pitch2D.numChannels);
      of.res.pitch2D.width = is->res.pitch2D.width;
      of.res.pitch2D.height = is->res.pitch2D.height;
      of.res.pitch2D.pitchInBytes = is->res.pitch2D.pitchInBytes;
  }
  memcpy(given, &of, RESOURCE_BYTES);
}

static CUDA_TEXTURE_DESC driver_texture(const struct cudaTextureDesc *given, size_t bytes) {
  struct cudaTextureDesc of = {.seamlessCubemap = 0};
  memcpy(&of, given, bytes);
  unsigned flags = (of.readMode == 0 ? CU_TRSF_READ_AS_INTEGER : 0) | (of.normalizedCoords ? CU_TRSF_NORMALIZED_COORDINATES : 0) |
                   (of.sRGB ? CU_TRSF_SRGB : 0) |
                   (of.disableTrilinearOptimization ? CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION : 0) |
                   (of.seamlessCubemap ? CU_TRSF_SEAMLESS_CUBEMAP : 0);
  CUDA_TEXTURE_DESC is = {.filterMode = (CUfilter_mode)of.filterMode,
                          .flags = flags,
                          .maxAnisotropy = of.maxAnisotropy,
                          .mipmapFilterMode = (CUfilter_mode)of.mipmapFilterMode,
                          .mipmapLevelBias = of.mipmapLevelBias,
                          .minMipmapLevelClamp = of.minMipmapLevelClamp,
                          .maxMipmapLevelClamp = of.maxMipmapLevelClamp};
  for (int i = 0; i < 3; i++) is.addressMode[i] = (CUaddress_mode)of.addressMode[i];
  memcpy(is.borderColor, of.borderColor, sizeof is.borderColor);
  return is;
}

static void runtime_texture(struct cudaTextureDesc *given, const CUDA_TEXTURE_DESC *is, size_t bytes) {
  struct cudaTextureDesc of = {.filterMode = is->filterMode,
                               .readMode = (is->flags & CU_TRSF_READ_AS_INTEGER) == 0,
                               .sRGB = (is->flags & CU_TRSF_SRGB) != 0,
                               .normalizedCoords = (is->flags & CU_TRSF_NORMALIZED_COORDINATES) != 0,
                               .maxAnisotropy = is->maxAnisotropy,
                               .mipmapFilterMode = is->mipmapFilterMode,
                               .mipmapLevelBias = is->mipmapLevelBias,
                               .minMipmapLevelClamp = is->minMipmapLevelClamp,
                               .maxMipmapLevelClamp = is->maxMipmapLevelClamp,
                               .disableTrilinearOptimization = (is->flags & CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION) != 0,
                               .seamlessCubemap = (is->flags & CU_TRSF_SEAMLESS_CUBEMAP) != 0};
  for (int i = 0; i < 3; i++) of.addressMode[i] = is->addressMode[i];
  memcpy(of.borderColor, is->borderColor, sizeof of.borderColor);
  memcpy(given, &of, bytes);
}

/* Whether texels are integers; what a resource has that is not there, the driver says. */
static bool has_integers(const CUDA_RESOURCE_DESC *resource) {
  CUarray array = resource->res.array.hArray;
  CUDA_ARRAY3D_DESCRIPTOR is = {.Format = resource->res.pitch2D.format};
  if (resource->resType == CU_RESOURCE_TYPE_LINEAR) return false;
  if (resource->resType == CU_RESOURCE_TYPE_MIPMAPPED_ARRAY &&
      cuMipmappedArrayGetLevel(&array, resource->res.mipmap.hMipmappedArray, 0) != CUDA_SUCCESS)
    return false;
  if (resource->resType != CU_RESOURCE_TYPE_PITCH2D && cuArray3DGetDescriptor_v2(&is, array) != CUDA_SUCCESS) return false;
  return is.Format != CU_AD_FORMAT_HALF && is.Format != CU_AD_FORMAT_FLOAT;
}

static cudaError_t create(cudaTextureObject_t *texture, const struct cudaResourceDesc *resource,
                          const struct cudaTextureDesc *how, const struct cudaResourceViewDesc *view, size_t bytes) {
  CUDA_RESOURCE_DESC of;
  CUDA_RESOURCE_VIEW_DESC seen = {.format = 0};
  BEGIN;
  NEEDS(texture != NULL && resource != NULL && how != NULL && (unsigned)how->readMode <= 1);
  cudaError_t error = driver_resource(&of, resource);
  if (error != cudaSuccess) return fails(error);
  CUDA_TEXTURE_DESC is = driver_texture(how, bytes);
  /* The driver takes this; the header has an error for it. Linear memory is not filtered, whatever is asked for. */
  if (is.filterMode == CU_TR_FILTER_MODE_LINEAR && (is.flags & CU_TRSF_READ_AS_INTEGER) != 0 && has_integers(&of))
    return fails(cudaErrorInvalidFilterSetting);
  if (view != NULL) memcpy(&seen, view, VIEW_BYTES);
  return end(cuTexObjectCreate(texture, &of, &is, view == NULL ? NULL : &seen));
}

API cudaError_t cudaCreateTextureObject(cudaTextureObject_t *texture, const struct cudaResourceDesc *resource,
                                        const struct cudaTextureDesc *how, const struct cudaResourceViewDesc *view) {
  return create(texture, resource, how, view, TEXTURE_BYTES);
}

/* Of CUDA 11, for programs whose structure has all fields. */
API cudaError_t cudaCreateTextureObject_v2(cudaTextureObject_t *texture, const struct cudaResourceDesc *resource,
                                           const struct cudaTextureDesc *how, const struct cudaResourceViewDesc *view) {
  return create(texture, resource, how, view, sizeof *how);
}

API cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture) {
  BEGIN;
  return end(texture == 0 ? CUDA_SUCCESS : cuTexObjectDestroy(texture));
}

API cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *resource, cudaTextureObject_t texture) {
  CUDA_RESOURCE_DESC is;
  BEGIN;
  NEEDS(resource != NULL);
  CUresult result = cuTexObjectGetResourceDesc(&is, texture);
  if (result == CUDA_SUCCESS) runtime_resource(resource, &is);
  return end(result);
}

static cudaError_t give_texture(struct cudaTextureDesc *how, cudaTextureObject_t texture, size_t bytes) {
  CUDA_TEXTURE_DESC is;
  BEGIN;
  NEEDS(how != NULL);
  CUresult result = cuTexObjectGetTextureDesc(&is, texture);
  if (result == CUDA_SUCCESS) runtime_texture(how, &is, bytes);
  return end(result);
}

API cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *how, cudaTextureObject_t texture) {
  return give_texture(how, texture, TEXTURE_BYTES);
}

API cudaError_t cudaGetTextureObjectTextureDesc_v2(struct cudaTextureDesc *how, cudaTextureObject_t texture) {
  return give_texture(how, texture, sizeof *how);
}

API cudaError_t cudaGetTextureObjectResourceViewDesc(struct cudaResourceViewDesc *view, cudaTextureObject_t texture) {
  CUDA_RESOURCE_VIEW_DESC is;
  BEGIN;
  NEEDS(view != NULL);
  CUresult result = cuTexObjectGetResourceViewDesc(&is, texture);
  if (result == CUDA_SUCCESS) memcpy(view, &is, VIEW_BYTES);
  return end(result);
}

API cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *surface, const struct cudaResourceDesc *resource) {
  CUDA_RESOURCE_DESC of;
  BEGIN;
  NEEDS(surface != NULL && resource != NULL);
  cudaError_t error = driver_resource(&of, resource);
  return error == cudaSuccess ? end(cuSurfObjectCreate(surface, &of)) : fails(error);
}

API cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surface) {
  BEGIN;
  return end(surface == 0 ? CUDA_SUCCESS : cuSurfObjectDestroy(surface));
}

API cudaError_t cudaGetSurfaceObjectResourceDesc(struct cudaResourceDesc *resource, cudaSurfaceObject_t surface) {
  CUDA_RESOURCE_DESC is;
  BEGIN;
  NEEDS(resource != NULL);
  CUresult result = cuSurfObjectGetResourceDesc(&is, surface);
  if (result == CUDA_SUCCESS) runtime_resource(resource, &is);
  return end(result);
}
