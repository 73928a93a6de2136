/* What a texel is: bits of channels here, a format and their number in the driver API. */
#ifndef PTXRUN_CUDART_CHANNELS_H
#define PTXRUN_CUDART_CHANNELS_H

#include "state.h"

/* False where the channels differ, or are no format of the driver's. */
bool texel_of(const struct cudaChannelFormatDesc *channels, CUarray_format *format, unsigned *count);
struct cudaChannelFormatDesc channels_of(CUarray_format format, unsigned count);
/* Bytes of an array's texel; 0 for what is no array. */
size_t texel_bytes(cudaArray_t array);

#endif
