#include "event.h"

#include "../channel.h"
#include "driver.h"
#include "graph/capture.h"

/* Of a record or a wait: a node of its own while the stream is captured. */
#define EXTERNAL 1u

struct CUevent_st {
  struct object object;
  unsigned flags;
  bool recorded;
  /* Of the monotonic clock. */
  double seconds;
  /* Where it was last recorded, if that was in a captured stream. */
  struct mark mark;
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

void event_free(CUevent event) {
  mark_free(&event->mark);
  object_free(event);
}

API CUresult cuEventDestroy_v2(CUevent event) {
  GIVES_BACK;
  NEEDS_HANDLE(event, EVENT);
  event_free(event);
  return CUDA_SUCCESS;
}
ALSO(cuEventDestroy_v2, cuEventDestroy);

static CUresult capture_event(CUstream stream, CUevent event, CUgraphNodeType type) {
  CUgraphNodeParams params = {.type = type, .eventRecord = {event}};
  return capture_node(stream, &params, NULL);
}

API CUresult cuEventRecordWithFlags(CUevent event, CUstream stream, unsigned flags) {
  NEEDS_CONTEXT(context);
  bool captured;
  NEEDS_HANDLE(event, EVENT);
  NEEDS(flags <= EXTERNAL);
  TRY(capture_asked(stream, &captured));
  if (object_is(stream, STREAM) && stream->object.context != event->object.context) return CUDA_ERROR_INVALID_HANDLE;
  /* A node that records it whenever the graph is launched makes sense in a graph alone. */
  NEEDS(captured || flags != EXTERNAL);
  if (flags == EXTERNAL) return capture_event(stream, event, CU_GRAPH_NODE_TYPE_EVENT_RECORD);
  TRY(capture_record(stream, &event->mark));
  event->recorded = !captured;
  event->seconds = seconds_now();
  return CUDA_SUCCESS;
}
ALSO(cuEventRecordWithFlags, cuEventRecordWithFlags_ptsz);

API CUresult cuEventRecord(CUevent event, CUstream stream) { return cuEventRecordWithFlags(event, stream, 0); }
ALSO(cuEventRecord, cuEventRecord_ptsz);

API CUresult cuEventSynchronize(CUevent event) {
  NEEDS_CONTEXT(context);
  NEEDS_HANDLE(event, EVENT);
  return capture_queried(&event->mark);
}
ALSO(cuEventSynchronize, cuEventQuery);

API CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags) {
  NEEDS_CONTEXT(context);
  bool captured;
  NEEDS_HANDLE(event, EVENT);
  NEEDS(flags <= EXTERNAL);
  TRY(capture_asked(stream, &captured));
  NEEDS(captured || flags != EXTERNAL);
  if (flags == EXTERNAL) return capture_event(stream, event, CU_GRAPH_NODE_TYPE_WAIT_EVENT);
  return capture_wait(stream, &event->mark);
}
ALSO(cuStreamWaitEvent, cuStreamWaitEvent_ptsz);

API CUresult cuEventElapsedTime_v2(float *milliseconds, CUevent start, CUevent end) {
  NEEDS_CONTEXT(context);
  NEEDS(milliseconds != NULL);
  NEEDS_HANDLE(start, EVENT);
  NEEDS_HANDLE(end, EVENT);
  if (start->mark.capture != 0 || end->mark.capture != 0) return CUDA_ERROR_CAPTURED_EVENT;
  if (((start->flags | end->flags) & EVENT_DISABLE_TIMING) != 0) return CUDA_ERROR_INVALID_HANDLE;
  if (!start->recorded || !end->recorded) return CUDA_ERROR_INVALID_HANDLE;
  *milliseconds = (float)((end->seconds - start->seconds) * 1000);
  return CUDA_SUCCESS;
}
ALSO(cuEventElapsedTime_v2, cuEventElapsedTime);
