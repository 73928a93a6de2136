#include "capture.h"

#include <stdlib.h>
#include <string.h>

#include "../driver.h"
#include "graph.h"

#define NON_BLOCKING 1u

/* A stream's part in a capture. */
struct flow {
  struct capture *capture;
  /* NULL once it is destroyed. */
  CUstream stream;
  struct front front;
  /* What a query has been given of the front's edges: they have no data. */
  CUgraphEdgeData *plain;
  struct flow *next;
};

struct capture {
  uint64_t id;
  CUgraph graph;
  /* The graph is the program's. */
  bool is_given;
  CUstreamCaptureMode mode;
  uint64_t thread;
  CUcontext context;
  /* What it began in; NULL once that is destroyed. */
  struct flow *origin;
  struct flow *flows;
  bool invalid;
  struct capture *next;
};

static struct capture *captures;
static uint64_t made, threads;
static _Thread_local uint64_t this_thread;
static _Thread_local CUstreamCaptureMode thread_mode;
/* Of the stream that each thread has. */
static _Thread_local struct flow *thread_flow;

static uint64_t thread_id(void) {
  if (this_thread == 0) this_thread = ++threads;
  return this_thread;
}

/* The program is built for streams of each thread: NULL is that of the thread, then. Nothing asks before a capture begins. */
static bool none_is_own;

static bool is_legacy(CUstream stream) { return stream == CU_STREAM_LEGACY || (stream == NULL && !none_is_own); }

/* Where a stream keeps its part; NULL for the legacy one, which has none. */
static struct flow **place_of(CUstream stream) {
  if (is_legacy(stream)) return NULL;
  return stream == NULL || stream == CU_STREAM_PER_THREAD ? &thread_flow : &stream->flow;
}

static struct flow *flow_of(CUstream stream) {
  struct flow **place = place_of(stream);
  return place == NULL ? NULL : *place;
}

static bool front_set(struct front *front, const CUgraphNode *nodes, size_t count) {
  CUgraphNode *all = count == 0 ? NULL : malloc(count * sizeof *all);
  if (count > 0 && all == NULL) return false;
  if (count > 0) memcpy(all, nodes, count * sizeof *all);
  free(front->nodes);
  *front = (struct front){all, count};
  return true;
}

static bool front_add(struct front *front, const CUgraphNode *nodes, size_t count) {
  CUgraphNode *all = realloc(front->nodes, (front->count + count + 1) * sizeof *all);
  if (all == NULL) return false;
  front->nodes = all;
  for (size_t i = 0; i < count; i++) {
    size_t at = 0;
    while (at < front->count && all[at] != nodes[i]) at++;
    if (at == front->count) all[front->count++] = nodes[i];
  }
  return true;
}

/* Nodes that the program has destroyed are nobody's any more. */
static void front_clean(struct front *front) {
  size_t kept = 0;
  for (size_t i = 0; i < front->count; i++)
    if (object_is(front->nodes[i], NODE)) front->nodes[kept++] = front->nodes[i];
  front->count = kept;
}

static struct flow *join(struct capture *capture, CUstream stream) {
  struct flow *flow = calloc(1, sizeof *flow);
  if (flow == NULL) return NULL;
  if (stream == NULL) stream = CU_STREAM_PER_THREAD;
  *flow = (struct flow){.capture = capture, .stream = stream, .next = capture->flows};
  capture->flows = flow;
  *place_of(stream) = flow;
  return flow;
}

static void flow_free(struct flow *flow) {
  if (flow->stream != NULL) *place_of(flow->stream) = NULL;
  free(flow->front.nodes);
  free(flow->plain);
  free(flow);
}

static struct capture *capture_by(uint64_t id) {
  struct capture *capture = captures;
  while (capture != NULL && capture->id != id) capture = capture->next;
  return capture;
}

/* Takes all streams out of it. The graph stays. */
static void end(struct capture *capture) {
  struct capture **at = &captures;
  while (*at != capture) at = &(*at)->next;
  *at = capture->next;
  capture->graph->is_captured_into = false;
  while (capture->flows != NULL) {
    struct flow *flow = capture->flows;
    capture->flows = flow->next;
    flow_free(flow);
  }
  free(capture);
}

/* Streams that wait for the legacy one, and that it waits for. */
static bool has_blocking(const struct capture *capture) {
  for (const struct flow *flow = capture->flows; flow != NULL; flow = flow->next)
    if (flow->stream == CU_STREAM_PER_THREAD || (flow->stream != NULL && (flow->stream->flags & NON_BLOCKING) == 0)) return true;
  return false;
}

static bool legacy_is_free(bool invalidates) {
  bool is_free = true;
  CUcontext context = context_on_top();
  for (struct capture *capture = captures; capture != NULL; capture = capture->next) {
    if (capture->context != context || !has_blocking(capture)) continue;
    is_free = false;
    if (invalidates) capture->invalid = true;
  }
  return is_free;
}

CUresult capture_legacy(void) { return none_is_own || legacy_is_free(true) ? CUDA_SUCCESS : CUDA_ERROR_STREAM_CAPTURE_IMPLICIT; }

CUresult capture_asked(CUstream stream, bool *captured) {
  *captured = false;
  if (!is_stream(stream)) return CUDA_ERROR_INVALID_HANDLE;
  if (is_legacy(stream)) return legacy_is_free(true) ? CUDA_SUCCESS : CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
  struct flow *flow = flow_of(stream);
  if (flow != NULL && flow->capture->invalid) return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
  *captured = flow != NULL;
  return CUDA_SUCCESS;
}

CUresult capture_node(CUstream stream, CUgraphNodeParams *params, CUgraphNode *node) {
  struct flow *flow = flow_of(stream);
  CUgraphNode added;
  front_clean(&flow->front);
  TRY(graph_add(&added, flow->capture->graph, flow->front.nodes, NULL, flow->front.count, params));
  if (node != NULL) *node = added;
  return front_set(&flow->front, &added, 1) ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult capture_cannot(CUstream stream) {
  struct flow *flow = flow_of(stream);
  if (flow != NULL) flow->capture->invalid = true;
  return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
}

CUresult capture_outside(void) {
  bool allowed = true;
  if (captures == NULL || thread_mode == CU_STREAM_CAPTURE_MODE_RELAXED) return CUDA_SUCCESS;
  for (struct capture *capture = captures; capture != NULL; capture = capture->next) {
    bool forbids = capture->thread == thread_id()
                       ? capture->mode != CU_STREAM_CAPTURE_MODE_RELAXED
                       : capture->mode == CU_STREAM_CAPTURE_MODE_GLOBAL && thread_mode == CU_STREAM_CAPTURE_MODE_GLOBAL;
    if (!forbids) continue;
    capture->invalid = true;
    allowed = false;
  }
  return allowed ? CUDA_SUCCESS : CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
}

CUresult capture_context(CUcontext context) {
  CUresult result = CUDA_SUCCESS;
  for (struct capture *capture = captures; capture != NULL; capture = capture->next) {
    if (capture->context != context) continue;
    capture->invalid = true;
    result = CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  }
  return result;
}

CUresult capture_blocking(void) {
  TRY(capture_legacy());
  return capture_outside();
}

void mark_free(struct mark *mark) {
  free(mark->front.nodes);
  *mark = (struct mark){0};
}

CUresult capture_record(CUstream stream, struct mark *mark) {
  struct flow *flow = flow_of(stream);
  mark_free(mark);
  if (flow == NULL) return CUDA_SUCCESS;
  mark->capture = flow->capture->id;
  return front_set(&mark->front, flow->front.nodes, flow->front.count) ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult capture_wait(CUstream stream, const struct mark *mark) {
  struct flow *flow = flow_of(stream);
  struct capture *own = flow == NULL ? NULL : flow->capture, *its = capture_by(mark->capture);
  if (mark->capture == 0 && own == NULL) return CUDA_SUCCESS;
  if (its == NULL || (own != NULL && own != its) || its->invalid || is_legacy(stream)) {
    bool was_invalid = its != NULL && its->invalid;
    if (own != NULL) own->invalid = true;
    if (its != NULL) its->invalid = true;
    if (mark->capture == 0) return CUDA_ERROR_STREAM_CAPTURE_ISOLATION;
    if (its == NULL) return CUDA_ERROR_CAPTURED_EVENT;
    if (was_invalid) return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
    return own != NULL ? CUDA_ERROR_STREAM_CAPTURE_MERGE : CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
  }
  if (flow == NULL) flow = join(its, stream);
  if (flow == NULL || !front_add(&flow->front, mark->front.nodes, mark->front.count)) return CUDA_ERROR_OUT_OF_MEMORY;
  return CUDA_SUCCESS;
}

CUresult capture_queried(const struct mark *mark) {
  if (mark->capture == 0) return capture_outside();
  struct capture *capture = capture_by(mark->capture);
  if (capture != NULL) capture->invalid = true;
  return CUDA_ERROR_CAPTURED_EVENT;
}

/* Where it began there, nobody can end it any more. */
void capture_leave(CUstream stream) {
  struct flow *flow = flow_of(stream);
  if (flow == NULL) return;
  struct capture *capture = flow->capture;
  if (capture->origin != flow) {
    flow->stream = NULL;
    return;
  }
  CUgraph graph = capture->is_given ? NULL : capture->graph;
  end(capture);
  if (graph != NULL) graph_free(graph);
}

/* Joined: behind everything in other streams comes something in the one where the capture began. */
static bool is_joined(const struct capture *capture) {
  CUgraph graph = capture->graph;
  CUgraphNode *reached = malloc((graph->count + 1) * sizeof *reached);
  size_t count = 0;
  if (reached == NULL) return false;
  for EACH_NODE(node, graph) node->waits = 0;
  for (size_t i = 0; i < capture->origin->front.count; i++) {
    CUgraphNode node = capture->origin->front.nodes[i];
    if (node->waits == 0) reached[count++] = node;
    node->waits = 1;
  }
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < reached[i]->before.count; k++) {
      CUgraphNode node = reached[i]->before.all[k].node;
      if (node->waits == 0) reached[count++] = node;
      node->waits = 1;
    }
  free(reached);
  for (const struct flow *flow = capture->flows; flow != NULL; flow = flow->next)
    for (size_t i = 0; i < flow->front.count; i++)
      if (flow->front.nodes[i]->waits == 0) return false;
  return true;
}

static CUresult begin(CUstream stream, CUgraph graph, const CUgraphNode *nodes, size_t count, CUstreamCaptureMode mode) {
  NEEDS_CONTEXT(context);
  NEEDS((unsigned)mode <= CU_STREAM_CAPTURE_MODE_RELAXED);
  if (!is_stream(stream)) return CUDA_ERROR_INVALID_HANDLE;
  if (is_legacy(stream)) return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  if (flow_of(stream) != NULL) return CUDA_ERROR_ILLEGAL_STATE;
  for (size_t i = 0; i < count; i++) NEEDS(object_is(nodes[i], NODE) && nodes[i]->graph == graph);
  struct capture *capture = calloc(1, sizeof *capture);
  struct flow *flow = capture == NULL ? NULL : join(capture, stream);
  CUgraph into = graph != NULL || flow == NULL ? graph : graph_new();
  if (into == NULL || flow == NULL || !front_set(&flow->front, nodes, count)) {
    if (flow != NULL) flow_free(flow);
    if (graph == NULL && into != NULL) graph_free(into);
    free(capture);
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  into->is_captured_into = true;
  *capture = (struct capture){.id = ++made, .graph = into, .is_given = graph != NULL, .mode = mode, .thread = thread_id(),
                              .context = context, .origin = flow, .flows = flow, .next = captures};
  captures = capture;
  return CUDA_SUCCESS;
}

API CUresult cuStreamBeginCapture_v2(CUstream stream, CUstreamCaptureMode mode) { return begin(stream, NULL, NULL, 0, mode); }

static void note_own(void) {
  LOCKED;
  none_is_own = true;
}

API CUresult cuStreamBeginCapture_v2_ptsz(CUstream stream, CUstreamCaptureMode mode) {
  note_own();
  return begin(stream, NULL, NULL, 0, mode);
}

API CUresult cuStreamBeginCapture(CUstream stream) { return begin(stream, NULL, NULL, 0, CU_STREAM_CAPTURE_MODE_GLOBAL); }

API CUresult cuStreamBeginCapture_ptsz(CUstream stream) {
  return cuStreamBeginCapture_v2_ptsz(stream, CU_STREAM_CAPTURE_MODE_GLOBAL);
}

API CUresult cuStreamBeginCaptureToGraph(CUstream stream, CUgraph graph, const CUgraphNode *nodes, const CUgraphEdgeData *data,
                                         size_t count, CUstreamCaptureMode mode) {
  NEEDS_INIT;
  (void)data;
  NEEDS_GRAPH(graph);
  NEEDS(!graph->is_captured_into && (count == 0 || nodes != NULL));
  return begin(stream, graph, nodes, count, mode);
}

API CUresult cuStreamBeginCaptureToGraph_ptsz(CUstream stream, CUgraph graph, const CUgraphNode *nodes,
                                              const CUgraphEdgeData *data, size_t count, CUstreamCaptureMode mode) {
  note_own();
  return cuStreamBeginCaptureToGraph(stream, graph, nodes, data, count, mode);
}

/* A capture that was spoilt ends all the same, without a graph. */
API CUresult cuStreamEndCapture(CUstream stream, CUgraph *graph) {
  NEEDS_CONTEXT(context);
  NEEDS(graph != NULL);
  *graph = NULL;
  if (!is_stream(stream)) return CUDA_ERROR_INVALID_HANDLE;
  struct flow *flow = flow_of(stream);
  if (flow == NULL) return CUDA_ERROR_ILLEGAL_STATE;
  struct capture *capture = flow->capture;
  if (capture->origin != flow) {
    capture->invalid = true;
    return CUDA_ERROR_STREAM_CAPTURE_UNMATCHED;
  }
  if (capture->mode != CU_STREAM_CAPTURE_MODE_RELAXED && capture->thread != thread_id())
    return CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD;
  for (struct flow *each = capture->flows; each != NULL; each = each->next) front_clean(&each->front);
  CUresult result = capture->invalid      ? CUDA_ERROR_STREAM_CAPTURE_INVALIDATED
                    : is_joined(capture) ? CUDA_SUCCESS
                                         : CUDA_ERROR_STREAM_CAPTURE_UNJOINED;
  CUgraph made_graph = capture->graph;
  bool is_given = capture->is_given;
  end(capture);
  if (result == CUDA_SUCCESS)
    *graph = made_graph;
  else if (!is_given)
    graph_free(made_graph);
  return result;
}
ALSO(cuStreamEndCapture, cuStreamEndCapture_ptsz);

/* What a query of the legacy stream gives spoils nothing. */
static CUresult look(CUstream stream, struct flow **flow, CUstreamCaptureStatus *status) {
  NEEDS(status != NULL);
  if (!is_stream(stream)) return CUDA_ERROR_INVALID_HANDLE;
  if (is_legacy(stream) && !legacy_is_free(false)) return CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
  *flow = flow_of(stream);
  *status = *flow == NULL              ? CU_STREAM_CAPTURE_STATUS_NONE
            : (*flow)->capture->invalid ? CU_STREAM_CAPTURE_STATUS_INVALIDATED
                                        : CU_STREAM_CAPTURE_STATUS_ACTIVE;
  return CUDA_SUCCESS;
}

API CUresult cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus *status) {
  NEEDS_CONTEXT(context);
  struct flow *flow;
  return look(stream, &flow, status);
}
ALSO(cuStreamIsCapturing, cuStreamIsCapturing_ptsz);

API CUresult cuStreamGetCaptureInfo_v3(CUstream stream, CUstreamCaptureStatus *status, uint64_t *id, CUgraph *graph,
                                       const CUgraphNode **nodes, const CUgraphEdgeData **data, size_t *count) {
  NEEDS_CONTEXT(context);
  struct flow *flow;
  TRY(look(stream, &flow, status));
  if (*status != CU_STREAM_CAPTURE_STATUS_ACTIVE) return CUDA_SUCCESS;
  NEEDS(data == NULL || nodes != NULL);
  front_clean(&flow->front);
  if (id != NULL) *id = flow->capture->id;
  if (graph != NULL) *graph = flow->capture->graph;
  if (nodes != NULL) *nodes = flow->front.nodes;
  if (data != NULL) {
    free(flow->plain);
    *data = flow->plain = calloc(flow->front.count + 1, sizeof *flow->plain);
    if (*data == NULL) return CUDA_ERROR_OUT_OF_MEMORY;
  }
  if (count != NULL) *count = flow->front.count;
  return CUDA_SUCCESS;
}
ALSO(cuStreamGetCaptureInfo_v3, cuStreamGetCaptureInfo_v3_ptsz);

API CUresult cuStreamGetCaptureInfo_v2(CUstream stream, CUstreamCaptureStatus *status, uint64_t *id, CUgraph *graph,
                                       const CUgraphNode **nodes, size_t *count) {
  return cuStreamGetCaptureInfo_v3(stream, status, id, graph, nodes, NULL, count);
}
ALSO(cuStreamGetCaptureInfo_v2, cuStreamGetCaptureInfo_v2_ptsz);

API CUresult cuStreamGetCaptureInfo(CUstream stream, CUstreamCaptureStatus *status, uint64_t *id) {
  return cuStreamGetCaptureInfo_v3(stream, status, id, NULL, NULL, NULL, NULL);
}
ALSO(cuStreamGetCaptureInfo, cuStreamGetCaptureInfo_ptsz);

API CUresult cuStreamUpdateCaptureDependencies_v2(CUstream stream, CUgraphNode *nodes, const CUgraphEdgeData *data, size_t count,
                                                  unsigned flags) {
  NEEDS_CONTEXT(context);
  bool captured;
  (void)data;
  NEEDS(flags <= CU_STREAM_SET_CAPTURE_DEPENDENCIES && (count == 0 || nodes != NULL));
  TRY(capture_asked(stream, &captured));
  if (!captured) return CUDA_ERROR_ILLEGAL_STATE;
  struct flow *flow = flow_of(stream);
  for (size_t i = 0; i < count; i++) NEEDS(object_is(nodes[i], NODE) && nodes[i]->graph == flow->capture->graph);
  bool done = (flags == CU_STREAM_SET_CAPTURE_DEPENDENCIES ? front_set : front_add)(&flow->front, nodes, count);
  return done ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}
ALSO(cuStreamUpdateCaptureDependencies_v2, cuStreamUpdateCaptureDependencies_v2_ptsz);

API CUresult cuStreamUpdateCaptureDependencies(CUstream stream, CUgraphNode *nodes, size_t count, unsigned flags) {
  return cuStreamUpdateCaptureDependencies_v2(stream, nodes, NULL, count, flags);
}
ALSO(cuStreamUpdateCaptureDependencies, cuStreamUpdateCaptureDependencies_ptsz);

API CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode *mode) {
  NEEDS_INIT;
  NEEDS(mode != NULL && (unsigned)*mode <= CU_STREAM_CAPTURE_MODE_RELAXED);
  CUstreamCaptureMode before = thread_mode;
  thread_mode = *mode;
  *mode = before;
  return CUDA_SUCCESS;
}
