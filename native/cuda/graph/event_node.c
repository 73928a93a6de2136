/* Nodes that record an event, or wait for one. */
#include <stdio.h>

#include "../driver.h"
#include "graph.h"
#include "kinds.h"

static CUresult take(CUgraphNode node, CUgraphNodeParams *params) {
  if (!object_is(params->eventRecord.event, EVENT)) return CUDA_ERROR_INVALID_HANDLE;
  node->params.eventRecord = params->eventRecord;
  return CUDA_SUCCESS;
}

static CUresult record(CUgraphNode node, CUstream stream) { return cuEventRecord(node->params.eventRecord.event, stream); }

static CUresult wait(CUgraphNode node, CUstream stream) { return cuStreamWaitEvent(stream, node->params.eventWait.event, 0); }

static void describe(const struct CUgraphNode_st *node, char *text, size_t room) {
  snprintf(text, room, "0x%llx", (unsigned long long)(uintptr_t)node->params.eventRecord.event);
}

const struct node_kind record_node = {.name = "EVENT_RECORD", .take = take, .run = record, .describe = describe};
const struct node_kind wait_node = {.name = "EVENT_WAIT", .take = take, .run = wait, .describe = describe};
