/* Nodes that call a function of the program. */
#include <stdio.h>

#include "../driver.h"
#include "graph.h"
#include "kinds.h"

static CUresult take(CUgraphNode node, CUgraphNodeParams *params) {
  NEEDS(params->host.fn != NULL);
  node->params.host = params->host;
  return CUDA_SUCCESS;
}

static CUresult run(CUgraphNode node, CUstream stream) {
  return cuLaunchHostFunc(stream, node->params.host.fn, node->params.host.userData);
}

static void describe(const struct CUgraphNode_st *node, char *text, size_t room) {
  snprintf(text, room, "0x%llx", (unsigned long long)(uintptr_t)node->params.host.fn);
}

const struct node_kind host_node = {.name = "HOST", .take = take, .run = run, .describe = describe, .calls_program = true};
