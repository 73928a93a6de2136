/* What contexts are asked for and told. */
#include "driver.h"
#include "state.h"

API CUresult cuCtxGetDevice(CUdevice *device) {
  NEEDS_INIT;
  NEEDS(device != NULL);
  if (context_on_top() == NULL) return CUDA_ERROR_INVALID_CONTEXT;
  *device = 0;
  return CUDA_SUCCESS;
}

CUresult get_device_of_13(CUdevice *device, CUcontext context);
LINKED_ONLY(get_device_of_13, cuCtxGetDevice_v2);
CUresult get_device_of_13(CUdevice *device, CUcontext context) {
  NEEDS_INIT;
  NEEDS(device != NULL);
  if (context == NULL) return cuCtxGetDevice(device);
  if (!object_is(context, CONTEXT)) return CUDA_ERROR_INVALID_CONTEXT;
  *device = 0;
  return CUDA_SUCCESS;
}

API CUresult cuCtxGetFlags(unsigned *flags) {
  NEEDS_CONTEXT(context);
  NEEDS(flags != NULL);
  *flags = context->flags;
  return CUDA_SUCCESS;
}

API CUresult cuCtxSetFlags(unsigned flags) {
  NEEDS_CONTEXT(context);
  NEEDS((flags & ~0xffu) == 0);
  context->flags = flags;
  return CUDA_SUCCESS;
}

API CUresult cuCtxGetId(CUcontext context, unsigned long long *id) {
  NEEDS_INIT;
  NEEDS(id != NULL);
  if (context == NULL) context = context_on_top();
  if (!object_is(context, CONTEXT)) return CUDA_ERROR_INVALID_CONTEXT;
  *id = (unsigned long long)(uintptr_t)context;
  return CUDA_SUCCESS;
}

API CUresult cuCtxGetApiVersion(CUcontext context, unsigned *version) {
  NEEDS_INIT;
  NEEDS(version != NULL);
  if (context != NULL && !object_is(context, CONTEXT)) return CUDA_ERROR_INVALID_CONTEXT;
  *version = 3020;
  return CUDA_SUCCESS;
}

API CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest) {
  NEEDS_CONTEXT(context);
  if (least != NULL) *least = 0;
  if (greatest != NULL) *greatest = 0;
  return CUDA_SUCCESS;
}

API CUresult cuCtxSetLimit(CUlimit limit, size_t value) {
  NEEDS_CONTEXT(context);
  if (limit < 0 || limit >= LIMITS) return CUDA_ERROR_UNSUPPORTED_LIMIT;
  NEEDS(value <= (1u << 30));
  context->limits[limit] = value;
  return CUDA_SUCCESS;
}

API CUresult cuCtxGetLimit(size_t *value, CUlimit limit) {
  NEEDS_CONTEXT(context);
  NEEDS(value != NULL);
  if (limit < 0 || limit >= LIMITS) return CUDA_ERROR_UNSUPPORTED_LIMIT;
  *value = context->limits[limit];
  return CUDA_SUCCESS;
}

/* Caches have no effect on what is computed. */
API CUresult cuCtxGetCacheConfig(int *config) {
  NEEDS_CONTEXT(context);
  NEEDS(config != NULL);
  *config = 0;
  return CUDA_SUCCESS;
}

API CUresult cuCtxSetCacheConfig(int config) {
  NEEDS_CONTEXT(context);
  (void)config;
  return CUDA_SUCCESS;
}

API CUresult cuCtxGetSharedMemConfig(int *config) { return cuCtxGetCacheConfig(config); }
API CUresult cuCtxSetSharedMemConfig(int config) { return cuCtxSetCacheConfig(config); }

API CUresult cuCtxResetPersistingL2Cache(void) {
  NEEDS_CONTEXT(context);
  return CUDA_SUCCESS;
}

API CUresult cuCtxEnablePeerAccess(CUcontext peer, unsigned flags) {
  NEEDS_CONTEXT(context);
  NEEDS(flags == 0);
  if (!object_is(peer, CONTEXT)) return CUDA_ERROR_INVALID_CONTEXT;
  return CUDA_ERROR_PEER_ACCESS_UNSUPPORTED;
}

API CUresult cuCtxDisablePeerAccess(CUcontext peer) {
  NEEDS_CONTEXT(context);
  if (!object_is(peer, CONTEXT)) return CUDA_ERROR_INVALID_CONTEXT;
  return CUDA_ERROR_PEER_ACCESS_NOT_ENABLED;
}

/* All that the context has been asked for has happened. */
API CUresult cuCtxRecordEvent(CUcontext context, CUevent event) {
  NEEDS_INIT;
  if (!object_is(context, CONTEXT)) return CUDA_ERROR_INVALID_CONTEXT;
  NEEDS_HANDLE(event, EVENT);
  if (((struct object *)event)->context != context) return CUDA_ERROR_INVALID_HANDLE;
  return cuEventRecord(event, NULL);
}

API CUresult cuCtxWaitEvent(CUcontext context, CUevent event) {
  NEEDS_INIT;
  if (!object_is(context, CONTEXT)) return CUDA_ERROR_INVALID_CONTEXT;
  NEEDS_HANDLE(event, EVENT);
  return CUDA_SUCCESS;
}

/* Nothing is profiled, and no file is read or written. */
API CUresult cuProfilerInitialize(const char *configuration, const char *output, int mode) {
  (void)configuration, (void)output, (void)mode;
  NEEDS_CONTEXT(context);
  return CUDA_SUCCESS;
}

API CUresult cuProfilerStart(void) {
  NEEDS_CONTEXT(context);
  return CUDA_SUCCESS;
}

API CUresult cuProfilerStop(void) {
  NEEDS_CONTEXT(context);
  return CUDA_SUCCESS;
}
