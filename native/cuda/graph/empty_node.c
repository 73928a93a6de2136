/* Nodes that do nothing: what depends on them waits for what they depend on. */
#include "graph.h"
#include "kinds.h"

static CUresult take(CUgraphNode node, CUgraphNodeParams *params) {
  (void)node, (void)params;
  return CUDA_SUCCESS;
}

static CUresult run(CUgraphNode node, CUstream stream) {
  (void)node, (void)stream;
  return CUDA_SUCCESS;
}

const struct node_kind empty_node = {.name = "EMPTY", .take = take, .run = run};
