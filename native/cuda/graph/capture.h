/* Capture: what is called in a stream becomes nodes of a graph. */
#ifndef PTXRUN_CUDA_GRAPH_CAPTURE_H
#define PTXRUN_CUDA_GRAPH_CAPTURE_H

#include "../state.h"

/* Nodes that the next one is to depend on. */
struct front {
  CUgraphNode *nodes;
  size_t count;
};

/* What an event stands for that was recorded in a captured stream. */
struct mark {
  /* Of the capture; 0 where there was none. */
  uint64_t capture;
  struct front front;
};

/*
 * Asks whether what is called in a stream is to be captured: an error where it may not be called there. Use of the legacy
 * stream spoils the captures that it would wait for.
 */
CUresult capture_asked(CUstream stream, bool *captured);
/* In a captured stream, does that; else goes on, where everything happens at once. */
#define IN_STREAM(stream, captures)                           \
  do {                                                        \
    bool captured_;                                           \
    TRY(capture_asked(stream, &captured_));                   \
    if (captured_) return captures;                           \
  } while (0)

/* Adds a node behind what the stream has been asked for; `made` may be NULL. */
CUresult capture_node(CUstream stream, CUgraphNodeParams *params, CUgraphNode *made);
/* For what has no node: spoils the stream's capture. */
CUresult capture_cannot(CUstream stream);
/* Before what happens outside of streams, and would be missed in a graph: an error, and captures spoilt, where one forbids it. */
CUresult capture_outside(void);
/* Before what happens in the legacy stream. */
CUresult capture_legacy(void);
/* Before what the program waits for there. */
CUresult capture_blocking(void);

/* Before what waits for all streams of a context: an error where one of them is captured, which spoils that. */
CUresult capture_context(CUcontext context);

/* An event is recorded, waited for in a stream, or asked about by the program. */
CUresult capture_record(CUstream stream, struct mark *mark);
CUresult capture_wait(CUstream stream, const struct mark *mark);
CUresult capture_queried(const struct mark *mark);
void mark_free(struct mark *mark);

/* The stream is destroyed. */
void capture_leave(CUstream stream);

#endif
