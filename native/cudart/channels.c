#include "channels.h"

static const struct {
  CUarray_format format;
  int bits, kind;
} formats[] = {
    {CU_AD_FORMAT_UNSIGNED_INT8, 8, cudaChannelFormatKindUnsigned},   {CU_AD_FORMAT_SIGNED_INT8, 8, cudaChannelFormatKindSigned},
    {CU_AD_FORMAT_UNSIGNED_INT16, 16, cudaChannelFormatKindUnsigned}, {CU_AD_FORMAT_SIGNED_INT16, 16, cudaChannelFormatKindSigned},
    {CU_AD_FORMAT_UNSIGNED_INT32, 32, cudaChannelFormatKindUnsigned}, {CU_AD_FORMAT_SIGNED_INT32, 32, cudaChannelFormatKindSigned},
    {CU_AD_FORMAT_HALF, 16, cudaChannelFormatKindFloat},              {CU_AD_FORMAT_FLOAT, 32, cudaChannelFormatKindFloat},
};
#define COUNT (sizeof formats / sizeof *formats)

bool texel_of(const struct cudaChannelFormatDesc *channels, CUarray_format *format, unsigned *count) {
  const int bits[4] = {channels->x, channels->y, channels->z, channels->w};
  *count = 1;
  while (*count < 4 && bits[*count] != 0) ++*count;
  for (unsigned i = 0; i < 4; i++)
    if (bits[i] != (i < *count ? bits[0] : 0)) return false;
  for (size_t i = 0; i < COUNT; i++)
    if (formats[i].bits == bits[0] && formats[i].kind == channels->f) {
      *format = formats[i].format;
      return *count != 3;
    }
  return false;
}

struct cudaChannelFormatDesc channels_of(CUarray_format format, unsigned count) {
  for (size_t i = 0; i < COUNT; i++)
    if (formats[i].format == format) {
      int bits = formats[i].bits;
      return (struct cudaChannelFormatDesc){bits, count > 1 ? bits : 0, count > 2 ? bits : 0, count > 2 ? bits : 0,
                                            formats[i].kind};
    }
  return (struct cudaChannelFormatDesc){.x = 0};
}

size_t texel_bytes(cudaArray_t array) {
  CUDA_ARRAY3D_DESCRIPTOR is;
  if (cuArray3DGetDescriptor_v2(&is, array) != CUDA_SUCCESS) return 0;
  return (size_t)channels_of(is.Format, 1).x / 8 * is.NumChannels;
}
