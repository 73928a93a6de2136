#include "run.h"

#include <stdlib.h>

static CUresult order_inner(CUgraph graph, CUgraphNode *wrong) {
  for EACH_NODE(node, graph) {
    size_t count = 0;
    CUgraph *inner = node->kind->inner == NULL ? NULL : node->kind->inner(node, &count);
    for (size_t i = 0; i < count; i++) TRY(graph_order(inner[i], wrong));
  }
  return CUDA_SUCCESS;
}

CUresult graph_order(CUgraph graph, CUgraphNode *wrong) {
  CUgraphNode *order = malloc((graph->count + 1) * sizeof *order);
  size_t count = 0;
  *wrong = NULL;
  if (order == NULL) return CUDA_ERROR_OUT_OF_MEMORY;
  free(graph->order);
  graph->order = order;
  for EACH_NODE(node, graph) {
    node->waits = node->before.count;
    if (node->waits == 0) order[count++] = node;
  }
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < order[i]->after.count; k++) {
      CUgraphNode node = order[i]->after.all[k].node;
      if (--node->waits == 0) order[count++] = node;
    }
  if (count == graph->count) return order_inner(graph, wrong);
  for EACH_NODE(node, graph)
    if (node->waits > 0) *wrong = node;
  return CUDA_ERROR_INVALID_VALUE;
}

CUresult graph_run(CUgraph graph, CUstream stream) {
  CUresult result = CUDA_SUCCESS;
  for (size_t i = 0; i < graph->count && result == CUDA_SUCCESS; i++) {
    CUgraphNode node = graph->order[i];
    if (node->disabled) continue;
    if (node->kind->calls_program) lock_pause();
    result = node->kind->run(node, stream);
    if (node->kind->calls_program) lock_resume();
  }
  return result;
}
