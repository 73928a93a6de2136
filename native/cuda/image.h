#ifndef PTXRUN_CUDA_IMAGE_H
#define PTXRUN_CUDA_IMAGE_H

#include "state.h"

/* Where the image begins, without a wrapper, and how long it is. */
CUresult image_find(const void *image, const void **bytes, size_t *count);
/* The whole file with a zero behind it, for who frees it. */
CUresult read_file(const char *path, char **bytes);

#endif
