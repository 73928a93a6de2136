/*
 * The launches of CUDA 1 to 3, which some clients still use: a function holds the block, the shared memory and the parameters of its
 * next launch.
 */
#include <stdlib.h>
#include <string.h>

#include "driver.h"
#include "modules.h"

/* Bytes of parameters at most, as they were on all devices of that time and are on none fewer. */
#define MOST_PARAMETERS 4352

struct next_launch {
  unsigned block[3];
  unsigned shared;
  size_t size;
  unsigned char parameters[MOST_PARAMETERS];
};

/* What a function holds; NULL without memory. */
static struct next_launch *next_of(CUfunction function) {
  if (function->next_launch == NULL) {
    function->next_launch = calloc(1, sizeof *function->next_launch);
    for (int i = 0; i < 3 && function->next_launch != NULL; i++) function->next_launch->block[i] = 1;
  }
  return function->next_launch;
}

#define NEEDS_NEXT(function)                             \
  NEEDS_INIT;                                            \
  NEEDS_FUNCTION(function);                              \
  struct next_launch *next = next_of(function);          \
  if (next == NULL) return CUDA_ERROR_OUT_OF_MEMORY

API CUresult cuFuncSetBlockShape(CUfunction function, int x, int y, int z) {
  NEEDS_NEXT(function);
  NEEDS(x > 0 && y > 0 && z > 0 && x <= 1024 && y <= 1024 && z <= 64 && x * y * z <= 1024);
  next->block[0] = (unsigned)x;
  next->block[1] = (unsigned)y;
  next->block[2] = (unsigned)z;
  return CUDA_SUCCESS;
}

API CUresult cuFuncSetSharedSize(CUfunction function, unsigned bytes) {
  NEEDS_NEXT(function);
  next->shared = bytes;
  return CUDA_SUCCESS;
}

API CUresult cuParamSetSize(CUfunction function, unsigned bytes) {
  NEEDS_NEXT(function);
  NEEDS(bytes <= MOST_PARAMETERS);
  next->size = bytes;
  return CUDA_SUCCESS;
}

API CUresult cuParamSetv(CUfunction function, int offset, void *value, unsigned bytes) {
  NEEDS_NEXT(function);
  NEEDS(value != NULL && offset >= 0 && bytes <= MOST_PARAMETERS && (unsigned)offset <= MOST_PARAMETERS - bytes);
  memcpy(next->parameters + offset, value, bytes);
  return CUDA_SUCCESS;
}

API CUresult cuParamSeti(CUfunction function, int offset, unsigned value) {
  return cuParamSetv(function, offset, &value, sizeof value);
}

API CUresult cuParamSetf(CUfunction function, int offset, float value) {
  return cuParamSetv(function, offset, &value, sizeof value);
}

API CUresult cuLaunchGridAsync(CUfunction function, int width, int height, CUstream stream) {
  NEEDS_NEXT(function);
  NEEDS(width > 0 && height > 0);
  void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, next->parameters, CU_LAUNCH_PARAM_BUFFER_SIZE, &next->size, CU_LAUNCH_PARAM_END};
  return cuLaunchKernel(function, (unsigned)width, (unsigned)height, 1, next->block[0], next->block[1], next->block[2],
                        next->shared, stream, NULL, extra);
}

API CUresult cuLaunchGrid(CUfunction function, int width, int height) {
  return cuLaunchGridAsync(function, width, height, NULL);
}

API CUresult cuLaunch(CUfunction function) { return cuLaunchGridAsync(function, 1, 1, NULL); }
