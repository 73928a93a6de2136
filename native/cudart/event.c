#include "runtime.h"
#include "state.h"

API cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags) {
  BEGIN;
  return end(cuEventCreate(event, flags));
}

API cudaError_t cudaEventCreate(cudaEvent_t *event) { return cudaEventCreateWithFlags(event, 0); }

API cudaError_t cudaEventDestroy(cudaEvent_t event) {
  BEGIN;
  return end(cuEventDestroy_v2(event));
}

API cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags) {
  BEGIN;
  return end(cuEventRecordWithFlags(event, stream, flags));
}
PER_THREAD(cudaEventRecordWithFlags);

API cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) { return cudaEventRecordWithFlags(event, stream, 0); }
PER_THREAD(cudaEventRecord);

API cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  BEGIN;
  return end(cuEventSynchronize(event));
}
ALSO(cudaEventSynchronize, cudaEventQuery);

API cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t stop) {
  BEGIN;
  return end(cuEventElapsedTime_v2(milliseconds, start, stop));
}
ALSO(cudaEventElapsedTime, cudaEventElapsedTime_v2);
