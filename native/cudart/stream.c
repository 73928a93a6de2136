#include "runtime.h"
#include "state.h"

CUresult check_stream(cudaStream_t stream) {
  CUdevice device;
  return cuStreamGetDevice(stream, &device);
}

API cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority) {
  BEGIN;
  return end(cuStreamCreateWithPriority(stream, flags, priority));
}

API cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags) {
  return cudaStreamCreateWithPriority(stream, flags, 0);
}

API cudaError_t cudaStreamCreate(cudaStream_t *stream) { return cudaStreamCreateWithPriority(stream, 0, 0); }

API cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  BEGIN;
  return end(cuStreamDestroy_v2(stream));
}

API cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  BEGIN;
  return end(cuStreamSynchronize(stream));
}
PER_THREAD(cudaStreamSynchronize);
ALSO(cudaStreamSynchronize, cudaStreamQuery);
PER_THREAD(cudaStreamQuery);

API cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
  BEGIN;
  return end(cuStreamWaitEvent(stream, event, flags));
}
PER_THREAD(cudaStreamWaitEvent);

API cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned *flags) {
  BEGIN;
  return end(cuStreamGetFlags(stream, flags));
}
PER_THREAD(cudaStreamGetFlags);

API cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority) {
  BEGIN;
  return end(cuStreamGetPriority(stream, priority));
}
PER_THREAD(cudaStreamGetPriority);

API cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long *id) {
  BEGIN;
  return end(cuStreamGetId(stream, id));
}
PER_THREAD(cudaStreamGetId);

API cudaError_t cudaStreamGetDevice(cudaStream_t stream, int *device) {
  BEGIN;
  return end(cuStreamGetDevice(stream, device));
}
PER_THREAD(cudaStreamGetDevice);

API cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *pointer, size_t bytes, unsigned flags) {
  BEGIN;
  return end(cuStreamAttachMemAsync(stream, DEVICE_ADDRESS(pointer), bytes, flags));
}
PER_THREAD(cudaStreamAttachMemAsync);

/* Attributes of streams are about speed. */
API cudaError_t cudaStreamGetAttribute(cudaStream_t stream, int attribute, CUlaunchAttributeValue *value) {
  BEGIN;
  return end(cuStreamGetAttribute(stream, attribute, value));
}
PER_THREAD(cudaStreamGetAttribute);

API cudaError_t cudaStreamSetAttribute(cudaStream_t stream, int attribute, const CUlaunchAttributeValue *value) {
  BEGIN;
  return end(cuStreamSetAttribute(stream, attribute, value));
}
PER_THREAD(cudaStreamSetAttribute);

API cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from) {
  BEGIN;
  return end(cuStreamCopyAttributes(to, from));
}
PER_THREAD(cudaStreamCopyAttributes);

API cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data) {
  BEGIN;
  return end(cuLaunchHostFunc(stream, function, data));
}
PER_THREAD(cudaLaunchHostFunc);

struct callback {
  cudaStreamCallback_t function;
  void *data;
};

static void call_back(CUstream stream, CUresult status, void *data) {
  const struct callback *callback = data;
  callback->function(stream, (cudaError_t)status, callback->data);
}

API cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t function, void *data, unsigned flags) {
  BEGIN;
  NEEDS(function != NULL);
  /* It is called before this returns. */
  struct callback callback = {function, data};
  return end(cuStreamAddCallback(stream, call_back, &callback, flags));
}
PER_THREAD(cudaStreamAddCallback);
