/* Textures and surfaces that are variables of the program, as in CUDA 11 and before. */
#include <limits.h>

#include "channels.h"
#include "registry.h"
#include "runtime.h"

#define OVERRIDE_FORMAT 1u

/* The driver's reference, looked up as the program's structure says now. */
static cudaError_t set_up(CUtexref *reference, struct entry **entry, const struct textureReference *texture) {
  CUmodule module;
  cudaError_t error = find_reference(entry, &module, texture, TEXTURE);
  if (error != cudaSuccess) return error;
  CUresult result = cuModuleGetTexRef(reference, module, (*entry)->name);
  if (result != CUDA_SUCCESS) return result == CUDA_ERROR_NOT_FOUND ? cudaErrorInvalidTexture : (cudaError_t)result;
  unsigned flags = ((*entry)->fraction ? 0 : CU_TRSF_READ_AS_INTEGER) |
                   (texture->normalized ? CU_TRSF_NORMALIZED_COORDINATES : 0) | (texture->sRGB ? CU_TRSF_SRGB : 0);
  for (int i = 0; i < 3 && result == CUDA_SUCCESS; i++)
    result = cuTexRefSetAddressMode(*reference, i, (CUaddress_mode)texture->addressMode[i]);
  if (result == CUDA_SUCCESS) result = cuTexRefSetFilterMode(*reference, (CUfilter_mode)texture->filterMode);
  if (result == CUDA_SUCCESS) result = cuTexRefSetMipmapFilterMode(*reference, (CUfilter_mode)texture->mipmapFilterMode);
  if (result == CUDA_SUCCESS) result = cuTexRefSetMipmapLevelBias(*reference, texture->mipmapLevelBias);
  if (result == CUDA_SUCCESS)
    result = cuTexRefSetMipmapLevelClamp(*reference, texture->minMipmapLevelClamp, texture->maxMipmapLevelClamp);
  if (result == CUDA_SUCCESS) result = cuTexRefSetFlags(*reference, flags);
  (*entry)->offset = 0;
  return (cudaError_t)result;
}

#define SET_UP(texture)                                                            \
  CUtexref reference;                                                              \
  struct entry *entry;                                                             \
  BEGIN;                                                                           \
  do {                                                                             \
    cudaError_t set_ = set_up(&reference, &entry, texture);                        \
    if (set_ != cudaSuccess) return fails(set_);                                   \
  } while (0)

API cudaError_t cudaBindTexture(size_t *offset, const struct textureReference *texture, const void *pointer,
                                const struct cudaChannelFormatDesc *channels, size_t bytes) {
  CUdeviceptr address = DEVICE_ADDRESS(pointer), start = address;
  CUarray_format format;
  unsigned count;
  size_t all = 0;
  SET_UP(texture);
  NEEDS(pointer != NULL && channels != NULL);
  if (!texel_of(channels, &format, &count)) return fails(cudaErrorInvalidChannelDescriptor);
  /* What C++ passes where the program says no size: as much as there is. */
  if (bytes == UINT_MAX && cuMemGetAddressRange_v2(&start, &all, address) == CUDA_SUCCESS) bytes = all - (address - start);
  CUresult result = cuTexRefSetFormat(reference, format, (int)count);
  if (result == CUDA_SUCCESS) result = cuTexRefSetAddress_v2(offset == NULL ? NULL : &entry->offset, reference, address, bytes);
  if (offset != NULL) *offset = entry->offset;
  return end(result);
}

API cudaError_t cudaBindTexture2D(size_t *offset, const struct textureReference *texture, const void *pointer,
                                  const struct cudaChannelFormatDesc *channels, size_t width, size_t height, size_t pitch) {
  CUDA_ARRAY_DESCRIPTOR is = {.Width = width, .Height = height};
  SET_UP(texture);
  NEEDS(pointer != NULL && channels != NULL);
  if (!texel_of(channels, &is.Format, &is.NumChannels)) return fails(cudaErrorInvalidChannelDescriptor);
  CUresult result = cuTexRefSetAddress2D_v3(reference, &is, DEVICE_ADDRESS(pointer), pitch);
  if (result == CUDA_SUCCESS && offset != NULL) *offset = 0;
  return end(result);
}

API cudaError_t cudaBindTextureToArray(const struct textureReference *texture, cudaArray_t array,
                                       const struct cudaChannelFormatDesc *channels) {
  (void)channels;
  SET_UP(texture);
  return end(cuTexRefSetArray(reference, array, OVERRIDE_FORMAT));
}

API cudaError_t cudaBindTextureToMipmappedArray(const struct textureReference *texture, cudaMipmappedArray_t mipmapped,
                                                const struct cudaChannelFormatDesc *channels) {
  (void)channels;
  SET_UP(texture);
  return end(cuTexRefSetMipmappedArray(reference, mipmapped, OVERRIDE_FORMAT));
}

API cudaError_t cudaUnbindTexture(const struct textureReference *texture) {
  SET_UP(texture);
  return end(cuTexRefSetAddress_v2(NULL, reference, 0, 0));
}

API cudaError_t cudaGetTextureAlignmentOffset(size_t *offset, const struct textureReference *texture) {
  struct entry *entry;
  CUmodule module;
  BEGIN;
  NEEDS(offset != NULL);
  cudaError_t error = find_reference(&entry, &module, texture, TEXTURE);
  if (error == cudaSuccess) *offset = entry->offset;
  return fails(error);
}

API cudaError_t cudaGetTextureReference(const struct textureReference **texture, const void *symbol) {
  struct entry *entry;
  CUmodule module;
  BEGIN;
  NEEDS(texture != NULL);
  cudaError_t error = find_reference(&entry, &module, symbol, TEXTURE);
  if (error == cudaSuccess) *texture = symbol;
  return fails(error);
}

API cudaError_t cudaBindSurfaceToArray(const struct surfaceReference *surface, cudaArray_t array,
                                       const struct cudaChannelFormatDesc *channels) {
  struct entry *entry;
  CUmodule module;
  CUsurfref reference;
  (void)channels;
  BEGIN;
  cudaError_t error = find_reference(&entry, &module, surface, SURFACE);
  if (error != cudaSuccess) return fails(error);
  CUresult result = cuModuleGetSurfRef(&reference, module, entry->name);
  if (result == CUDA_ERROR_NOT_FOUND) return fails(cudaErrorInvalidSurface);
  return end(result == CUDA_SUCCESS ? cuSurfRefSetArray(reference, array, 0) : result);
}

API cudaError_t cudaGetSurfaceReference(const struct surfaceReference **surface, const void *symbol) {
  struct entry *entry;
  CUmodule module;
  BEGIN;
  NEEDS(surface != NULL);
  cudaError_t error = find_reference(&entry, &module, symbol, SURFACE);
  if (error == cudaSuccess) *surface = symbol;
  return fails(error);
}
