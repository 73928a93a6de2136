/* Streams: everything in them has happened by the time that a call returns. */
#include "driver.h"
#include "graph/capture.h"

#define NEEDS_STREAM(stream) \
  do { \
    if (!is_stream(stream)) return CUDA_ERROR_INVALID_HANDLE; \
  } while (0)

API CUresult cuStreamCreateWithPriority(CUstream *stream, unsigned flags, int priority) {
  NEEDS_CONTEXT(context);
  NEEDS(stream != NULL && flags <= 1);
  *stream = object_new(STREAM, sizeof **stream, context);
  if (*stream == NULL) return CUDA_ERROR_OUT_OF_MEMORY;
  (*stream)->flags = flags;
  /* Of the one that there is, as the range of priorities says. */
  (void)priority;
  return CUDA_SUCCESS;
}

API CUresult cuStreamCreate(CUstream *stream, unsigned flags) { return cuStreamCreateWithPriority(stream, flags, 0); }

void stream_free(CUstream stream) {
  capture_leave(stream);
  object_free(stream);
}

API CUresult cuStreamDestroy_v2(CUstream stream) {
  GIVES_BACK;
  NEEDS_HANDLE(stream, STREAM);
  stream_free(stream);
  return CUDA_SUCCESS;
}
ALSO(cuStreamDestroy_v2, cuStreamDestroy);

API CUresult cuStreamSynchronize(CUstream stream) {
  NEEDS_CONTEXT(context);
  IN_STREAM(stream, capture_cannot(stream));
  return capture_outside();
}
ALSO(cuStreamSynchronize, cuStreamSynchronize_ptsz);
ALSO(cuStreamSynchronize, cuStreamQuery);
ALSO(cuStreamSynchronize, cuStreamQuery_ptsz);

API CUresult cuStreamGetFlags(CUstream stream, unsigned *flags) {
  NEEDS_CONTEXT(context);
  NEEDS_STREAM(stream);
  NEEDS(flags != NULL);
  *flags = object_is(stream, STREAM) ? stream->flags : 0;
  return CUDA_SUCCESS;
}
ALSO(cuStreamGetFlags, cuStreamGetFlags_ptsz);

API CUresult cuStreamGetPriority(CUstream stream, int *priority) {
  NEEDS_CONTEXT(context);
  NEEDS_STREAM(stream);
  NEEDS(priority != NULL);
  *priority = 0;
  return CUDA_SUCCESS;
}
ALSO(cuStreamGetPriority, cuStreamGetPriority_ptsz);

API CUresult cuStreamGetId(CUstream stream, unsigned long long *id) {
  NEEDS_CONTEXT(context);
  NEEDS_STREAM(stream);
  NEEDS(id != NULL);
  *id = (unsigned long long)(uintptr_t)stream;
  return CUDA_SUCCESS;
}
ALSO(cuStreamGetId, cuStreamGetId_ptsz);

API CUresult cuStreamGetDevice(CUstream stream, CUdevice *device) {
  NEEDS_CONTEXT(context);
  NEEDS_STREAM(stream);
  NEEDS(device != NULL);
  *device = 0;
  return CUDA_SUCCESS;
}
ALSO(cuStreamGetDevice, cuStreamGetDevice_ptsz);

API CUresult cuStreamGetCtx(CUstream stream, CUcontext *its) {
  NEEDS_CONTEXT(context);
  NEEDS_STREAM(stream);
  NEEDS(its != NULL);
  *its = object_is(stream, STREAM) ? stream->object.context : context;
  return CUDA_SUCCESS;
}
ALSO(cuStreamGetCtx, cuStreamGetCtx_ptsz);

API CUresult cuStreamAttachMemAsync(CUstream stream, CUdeviceptr address, size_t bytes, unsigned flags) {
  NEEDS_CONTEXT(context);
  (void)address, (void)bytes, (void)flags;
  IN_STREAM(stream, capture_cannot(stream));
  return CUDA_SUCCESS;
}
ALSO(cuStreamAttachMemAsync, cuStreamAttachMemAsync_ptsz);

static CUresult may_call(CUstream stream, CUresult *status, bool *captured) {
  LOCKED;
  CUcontext context;
  TRY(initialised());
  *status = current_context(&context);
  return capture_asked(stream, captured);
}

static CUresult capture_call(CUstream stream, CUhostFn function, void *data) {
  LOCKED;
  CUgraphNodeParams params = {.type = CU_GRAPH_NODE_TYPE_HOST, .host = {function, data}};
  return capture_node(stream, &params, NULL);
}

/* Without the lock: the function may wait for a thread that calls the driver. */
API CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void *data) {
  CUresult status;
  bool captured;
  NEEDS(function != NULL);
  TRY(may_call(stream, &status, &captured));
  TRY(status);
  if (captured) return capture_call(stream, function, data);
  function(data);
  return CUDA_SUCCESS;
}
ALSO(cuLaunchHostFunc, cuLaunchHostFunc_ptsz);

API CUresult cuStreamAddCallback(CUstream stream, CUstreamCallback callback, void *data, unsigned flags) {
  CUresult status;
  bool captured;
  NEEDS(callback != NULL && flags == 0);
  TRY(may_call(stream, &status, &captured));
  if (captured) return capture_cannot(stream);
  callback(stream, status, data);
  return CUDA_SUCCESS;
}
ALSO(cuStreamAddCallback, cuStreamAddCallback_ptsz);
