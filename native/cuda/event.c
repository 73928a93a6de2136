#include "event.h"

#include "../channel.h"
#include "driver.h"

struct CUevent_st {
  struct object object;
  unsigned flags;
  bool recorded;
  /* Of the monotonic clock. */
  double seconds;
};

unsigned event_flags(CUevent event) { return event->flags; }

API CUresult cuEventCreate(CUevent *event, unsigned flags) {
  NEEDS_CONTEXT(context);
  NEEDS(event != NULL && (flags & ~7u) == 0);
  /* Events between processes do without time. */
  NEEDS((flags & EVENT_INTERPROCESS) == 0 || (flags & EVENT_DISABLE_TIMING) != 0);
  *event = object_new(EVENT, sizeof **event, context);
  if (*event == NULL) return CUDA_ERROR_OUT_OF_MEMORY;
  (*event)->flags = flags;
  return CUDA_SUCCESS;
}

API CUresult cuEventDestroy_v2(CUevent event) {
  GIVES_BACK;
  NEEDS_HANDLE(event, EVENT);
  object_free(event);
  return CUDA_SUCCESS;
}
ALSO(cuEventDestroy_v2, cuEventDestroy);

API CUresult cuEventRecordWithFlags(CUevent event, CUstream stream, unsigned flags) {
  NEEDS_CONTEXT(context);
  NEEDS_HANDLE(event, EVENT);
  NEEDS(flags <= 1);
  if (!is_stream(stream)) return CUDA_ERROR_INVALID_HANDLE;
  if (object_is(stream, STREAM) && stream->object.context != event->object.context) return CUDA_ERROR_INVALID_HANDLE;
  event->recorded = true;
  event->seconds = seconds_now();
  return CUDA_SUCCESS;
}
ALSO(cuEventRecordWithFlags, cuEventRecordWithFlags_ptsz);

API CUresult cuEventRecord(CUevent event, CUstream stream) { return cuEventRecordWithFlags(event, stream, 0); }
ALSO(cuEventRecord, cuEventRecord_ptsz);

API CUresult cuEventSynchronize(CUevent event) {
  NEEDS_CONTEXT(context);
  NEEDS_HANDLE(event, EVENT);
  return CUDA_SUCCESS;
}
ALSO(cuEventSynchronize, cuEventQuery);

API CUresult cuEventElapsedTime_v2(float *milliseconds, CUevent start, CUevent end) {
  NEEDS_CONTEXT(context);
  NEEDS(milliseconds != NULL);
  NEEDS_HANDLE(start, EVENT);
  NEEDS_HANDLE(end, EVENT);
  if (((start->flags | end->flags) & EVENT_DISABLE_TIMING) != 0) return CUDA_ERROR_INVALID_HANDLE;
  if (!start->recorded || !end->recorded) return CUDA_ERROR_INVALID_HANDLE;
  *milliseconds = (float)((end->seconds - start->seconds) * 1000);
  return CUDA_SUCCESS;
}
ALSO(cuEventElapsedTime_v2, cuEventElapsedTime);
