#include "channels.h"
#include "runtime.h"

API struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, int kind) {
  return (struct cudaChannelFormatDesc){x, y, z, w, kind};
}

/* Flags are the driver's. */
static cudaError_t descriptor_of(CUDA_ARRAY3D_DESCRIPTOR *is, const struct cudaChannelFormatDesc *channels,
                                 struct cudaExtent extent, unsigned flags) {
  *is = (CUDA_ARRAY3D_DESCRIPTOR){.Width = extent.width, .Height = extent.height, .Depth = extent.depth, .Flags = flags};
  return texel_of(channels, &is->Format, &is->NumChannels) ? cudaSuccess : cudaErrorInvalidChannelDescriptor;
}

API cudaError_t cudaMalloc3DArray(cudaArray_t *array, const struct cudaChannelFormatDesc *channels, struct cudaExtent extent,
                                  unsigned flags) {
  CUDA_ARRAY3D_DESCRIPTOR is;
  BEGIN;
  NEEDS(array != NULL && channels != NULL);
  cudaError_t error = descriptor_of(&is, channels, extent, flags);
  return error == cudaSuccess ? end(cuArray3DCreate_v2(array, &is)) : fails(error);
}

API cudaError_t cudaMallocArray(cudaArray_t *array, const struct cudaChannelFormatDesc *channels, size_t width, size_t height,
                                unsigned flags) {
  return cudaMalloc3DArray(array, channels, (struct cudaExtent){width, height, 0}, flags);
}

API cudaError_t cudaFreeArray(cudaArray_t array) {
  BEGIN;
  return end(array == NULL ? CUDA_SUCCESS : cuArrayDestroy(array));
}

API cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t *mipmapped, const struct cudaChannelFormatDesc *channels,
                                         struct cudaExtent extent, unsigned levels, unsigned flags) {
  CUDA_ARRAY3D_DESCRIPTOR is;
  BEGIN;
  NEEDS(mipmapped != NULL && channels != NULL);
  cudaError_t error = descriptor_of(&is, channels, extent, flags);
  return error == cudaSuccess ? end(cuMipmappedArrayCreate(mipmapped, &is, levels)) : fails(error);
}

API cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t *array, cudaMipmappedArray_t mipmapped, unsigned level) {
  BEGIN;
  return end(cuMipmappedArrayGetLevel(array, mipmapped, level));
}

API cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t mipmapped) {
  BEGIN;
  return end(mipmapped == NULL ? CUDA_SUCCESS : cuMipmappedArrayDestroy(mipmapped));
}

API cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *channels, struct cudaExtent *extent, unsigned *flags,
                                 cudaArray_t array) {
  CUDA_ARRAY3D_DESCRIPTOR is;
  BEGIN;
  CUresult result = cuArray3DGetDescriptor_v2(&is, array);
  if (result != CUDA_SUCCESS) return end(result);
  if (channels != NULL) *channels = channels_of(is.Format, is.NumChannels);
  if (extent != NULL) *extent = (struct cudaExtent){is.Width, is.Height, is.Depth};
  if (flags != NULL) *flags = is.Flags;
  return cudaSuccess;
}

API cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *channels, cudaArray_t array) {
  NEEDS(channels != NULL);
  return cudaArrayGetInfo(channels, NULL, NULL, array);
}
