/* Nodes that are graphs. */
#include "../driver.h"
#include "graph.h"
#include "kinds.h"
#include "run.h"

static CUresult take(CUgraphNode node, CUgraphNodeParams *params) {
  CUgraph child = params->graph.graph, own;
  NEEDS_GRAPH(child);
  NEEDS(!child->is_captured_into);
  /* No graph is within itself. */
  for (CUgraph around = node->graph; around != NULL; around = around->owner == NULL ? NULL : around->owner->graph)
    NEEDS(around != child);
  if (params->graph.ownership == CU_GRAPH_CHILD_GRAPH_OWNERSHIP_MOVE) {
    NEEDS(child->owner == NULL && child->instance == NULL);
    own = child;
  } else {
    if (graph_has_no_clones(child)) return CUDA_ERROR_NOT_SUPPORTED;
    TRY(graph_copy(&own, child));
  }
  if (node->params.graph.graph != NULL) graph_free(node->params.graph.graph);
  own->owner = node;
  node->params.graph.graph = own;
  return CUDA_SUCCESS;
}

/* For an executable graph: with memory nodes as well. */
static CUresult copy(CUgraphNode node, const struct CUgraphNode_st *from) {
  TRY(graph_copy(&node->params.graph.graph, from->params.graph.graph));
  node->params.graph.graph->owner = node;
  return CUDA_SUCCESS;
}

static CUresult run(CUgraphNode node, CUstream stream) { return graph_run(node->params.graph.graph, stream); }

static void end(CUgraphNode node) {
  if (node->params.graph.graph != NULL) graph_free(node->params.graph.graph);
}

static CUgraph *inner(CUgraphNode node, size_t *count) {
  *count = 1;
  return &node->params.graph.graph;
}

const struct node_kind child_node = {
    .name = "GRAPH", .take = take, .run = run, .copy = copy, .end = end, .inner = inner};
