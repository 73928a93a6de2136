#include "driver.h"
#include "graph/capture.h"

static CUresult create(CUcontext *context, unsigned flags, CUdevice device) {
  NEEDS_INIT;
  NEEDS(context != NULL && (flags & ~0xffu) == 0);
  if (device != 0) return CUDA_ERROR_INVALID_DEVICE;
  *context = context_new(flags);
  if (*context == NULL) return CUDA_ERROR_OUT_OF_MEMORY;
  if (context_push(*context)) return CUDA_SUCCESS;
  object_free(*context);
  return CUDA_ERROR_OUT_OF_MEMORY;
}

API CUresult cuCtxCreate_v2(CUcontext *context, unsigned flags, CUdevice device) { return create(context, flags, device); }
ALSO(cuCtxCreate_v2, cuCtxCreate);

API CUresult cuCtxCreate_v3(CUcontext *context, void *affinity, int count, unsigned flags, CUdevice device) {
  if (affinity != NULL || count != 0) return CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY;
  return create(context, flags, device);
}

API CUresult cuCtxCreate_v4(CUcontext *context, void *parameters, unsigned flags, CUdevice device) {
  (void)parameters;
  return create(context, flags, device);
}

API CUresult cuCtxDestroy_v2(CUcontext context) {
  NEEDS_INIT;
  if (!object_is(context, CONTEXT)) return CUDA_ERROR_INVALID_CONTEXT;
  if (context->primary) return CUDA_ERROR_INVALID_CONTEXT;
  context_empty(context);
  if (context_on_top() == context) context_pop();
  object_free(context);
  return CUDA_SUCCESS;
}
ALSO(cuCtxDestroy_v2, cuCtxDestroy);

/* An old way to share a context: it ends when it has been detached from as often as it was attached to, and once more. */
API CUresult cuCtxAttach(CUcontext *context, unsigned flags) {
  NEEDS_CONTEXT(current);
  NEEDS(context != NULL && flags == 0);
  current->count++;
  *context = current;
  return CUDA_SUCCESS;
}

API CUresult cuCtxDetach(CUcontext context) {
  NEEDS_INIT;
  if (!object_is(context, CONTEXT) || context->primary) return CUDA_ERROR_INVALID_CONTEXT;
  if (context->count-- > 0) return CUDA_SUCCESS;
  return cuCtxDestroy_v2(context);
}

API CUresult cuCtxPushCurrent_v2(CUcontext context) {
  NEEDS_INIT;
  if (!object_is(context, CONTEXT)) return CUDA_ERROR_INVALID_CONTEXT;
  return context_push(context) ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}
ALSO(cuCtxPushCurrent_v2, cuCtxPushCurrent);

API CUresult cuCtxPopCurrent_v2(CUcontext *context) {
  NEEDS_INIT;
  CUcontext top = context_on_top();
  if (top == NULL) return CUDA_ERROR_INVALID_CONTEXT;
  context_pop();
  if (context != NULL) *context = top;
  return CUDA_SUCCESS;
}
ALSO(cuCtxPopCurrent_v2, cuCtxPopCurrent);

API CUresult cuCtxSetCurrent(CUcontext context) {
  NEEDS_INIT;
  if (context != NULL && !object_is(context, CONTEXT)) return CUDA_ERROR_INVALID_CONTEXT;
  context_pop();
  if (context != NULL) context_push(context);
  return CUDA_SUCCESS;
}

API CUresult cuCtxGetCurrent(CUcontext *context) {
  NEEDS_INIT;
  NEEDS(context != NULL);
  *context = context_on_top();
  return CUDA_SUCCESS;
}

API CUresult cuCtxSynchronize(void) {
  NEEDS_CONTEXT(context);
  return capture_context(context);
}

CUresult synchronize_of_13(CUcontext context);
LINKED_ONLY(synchronize_of_13, cuCtxSynchronize_v2);
CUresult synchronize_of_13(CUcontext context) {
  NEEDS_INIT;
  if (context == NULL) return cuCtxSynchronize();
  if (!object_is(context, CONTEXT)) return CUDA_ERROR_INVALID_CONTEXT;
  TRY(context->dead);
  return capture_context(context);
}
