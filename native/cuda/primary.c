#include "driver.h"
#include "state.h"

/* The one that libraries share. It is made once, and its handle stays. */
static CUcontext primary;
static unsigned wanted_flags;

API CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) {
  NEEDS_INIT;
  NEEDS(context != NULL);
  if (device != 0) return CUDA_ERROR_INVALID_DEVICE;
  if (primary == NULL) {
    primary = context_new(wanted_flags);
    if (primary == NULL) return CUDA_ERROR_OUT_OF_MEMORY;
    primary->primary = true;
  }
  if (primary->count == 0) {
    primary->flags = wanted_flags;
    primary->dead = CUDA_SUCCESS;
    primary->life = worker_life();
  }
  primary->count++;
  *context = primary;
  return CUDA_SUCCESS;
}

API CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device) {
  NEEDS_INIT;
  if (device != 0) return CUDA_ERROR_INVALID_DEVICE;
  if (primary == NULL || primary->count == 0) return CUDA_ERROR_INVALID_CONTEXT;
  if (--primary->count > 0) return CUDA_SUCCESS;
  context_empty(primary);
  primary->dead = CUDA_ERROR_CONTEXT_IS_DESTROYED;
  return CUDA_SUCCESS;
}
ALSO(cuDevicePrimaryCtxRelease_v2, cuDevicePrimaryCtxRelease);

API CUresult cuDevicePrimaryCtxReset_v2(CUdevice device) {
  NEEDS_INIT;
  if (device != 0) return CUDA_ERROR_INVALID_DEVICE;
  if (primary == NULL || primary->count == 0) return CUDA_SUCCESS;
  context_empty(primary);
  primary->dead = CUDA_SUCCESS;
  primary->life = worker_life();
  return CUDA_SUCCESS;
}
ALSO(cuDevicePrimaryCtxReset_v2, cuDevicePrimaryCtxReset);

API CUresult cuDevicePrimaryCtxSetFlags_v2(CUdevice device, unsigned flags) {
  NEEDS_INIT;
  NEEDS((flags & ~0xffu) == 0);
  if (device != 0) return CUDA_ERROR_INVALID_DEVICE;
  wanted_flags = flags;
  if (primary != NULL) primary->flags = flags;
  return CUDA_SUCCESS;
}
ALSO(cuDevicePrimaryCtxSetFlags_v2, cuDevicePrimaryCtxSetFlags);

API CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned *flags, int *active) {
  NEEDS_INIT;
  NEEDS(flags != NULL && active != NULL);
  if (device != 0) return CUDA_ERROR_INVALID_DEVICE;
  *flags = wanted_flags;
  *active = primary != NULL && primary->count > 0;
  return CUDA_SUCCESS;
}
