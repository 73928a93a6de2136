/* Attributes of streams. They are about speed, and kept for who asks for them. */
#include "driver.h"
#include "state.h"

static CUlaunchAttributeValue of_none[STREAM_ATTRIBUTES];

static CUlaunchAttributeValue *values_of(CUstream stream) {
  return object_is(stream, STREAM) ? stream->attributes : of_none;
}

/* Where one is kept; -1 for what is none of streams: window of accesses, waiting, priority, domains of memory. */
static int place_of(int attribute) {
  switch (attribute) {
    case 1: return 0;
    case 3: return 1;
    case 8: return 2;
    case 9: return 3;
    case 10: return 4;
    default: return -1;
  }
}

#define NEEDS_ATTRIBUTE(stream, attribute)                      \
  NEEDS_CONTEXT(context);                                       \
  if (!is_stream(stream)) return CUDA_ERROR_INVALID_HANDLE;     \
  NEEDS(value != NULL && place_of(attribute) >= 0)

API CUresult cuStreamGetAttribute(CUstream stream, int attribute, CUlaunchAttributeValue *value) {
  NEEDS_ATTRIBUTE(stream, attribute);
  *value = values_of(stream)[place_of(attribute)];
  return CUDA_SUCCESS;
}
ALSO(cuStreamGetAttribute, cuStreamGetAttribute_ptsz);

API CUresult cuStreamSetAttribute(CUstream stream, int attribute, const CUlaunchAttributeValue *value) {
  NEEDS_ATTRIBUTE(stream, attribute);
  values_of(stream)[place_of(attribute)] = *value;
  return CUDA_SUCCESS;
}
ALSO(cuStreamSetAttribute, cuStreamSetAttribute_ptsz);

API CUresult cuStreamCopyAttributes(CUstream to, CUstream from) {
  NEEDS_CONTEXT(context);
  if (!is_stream(to) || !is_stream(from)) return CUDA_ERROR_INVALID_HANDLE;
  for (int i = 0; i < STREAM_ATTRIBUTES; i++) values_of(to)[i] = values_of(from)[i];
  return CUDA_SUCCESS;
}
ALSO(cuStreamCopyAttributes, cuStreamCopyAttributes_ptsz);

/* None is of a part of the device. */
API CUresult cuStreamGetCtx_v2(CUstream stream, CUcontext *context, void **green) {
  NEEDS(green != NULL);
  *green = NULL;
  return cuStreamGetCtx(stream, context);
}
ALSO(cuStreamGetCtx_v2, cuStreamGetCtx_v2_ptsz);

API CUresult cuStreamGetGreenCtx(CUstream stream, void **green) {
  NEEDS_INIT;
  if (!is_stream(stream)) return CUDA_ERROR_INVALID_HANDLE;
  NEEDS(green != NULL);
  *green = NULL;
  return CUDA_SUCCESS;
}
