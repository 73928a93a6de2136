#include "update.h"

#include <stdlib.h>

/* What one node has becomes the other's. */
static void exchange(CUgraphNode node, CUgraphNode other) {
  CUgraphNodeParams params = node->params;
  void *own = node->own;
  node->params = other->params;
  node->own = other->own;
  other->params = params;
  other->own = own;
}

CUresult node_change(CUgraphNode node, CUgraphNodeParams *params) {
  CUgraphNode like;
  TRY(node_copy(&like, node));
  CUresult result = node->kind->take(like, params);
  if (result == CUDA_SUCCESS && node->kind->differs != NULL && node->kind->differs(node, like) != CU_GRAPH_EXEC_UPDATE_SUCCESS)
    result = CUDA_ERROR_INVALID_VALUE;
  if (result == CUDA_SUCCESS) exchange(node, like);
  node_free(like);
  return result;
}

#define DIFFERS(why, node, from) ((CUgraphExecUpdateResultInfo){CU_GRAPH_EXEC_UPDATE_##why, node, from})
#define SAME DIFFERS(SUCCESS, NULL, NULL)
#define IS_SAME(info) ((info).result == CU_GRAPH_EXEC_UPDATE_SUCCESS)

static void unpair(CUgraph graph) {
  for EACH_NODE(node, graph) node->pair = NULL;
}

/* Nodes that nothing depends on, in their order, belong together; then what they depend on does, in the order of their edges. */
static CUgraphExecUpdateResultInfo pair_up(CUgraph graph, CUgraph wanted, CUgraphNode *found) {
  size_t count = 0;
  CUgraphNode end = graph->first;
  unpair(graph);
  unpair(wanted);
  if (graph->count != wanted->count) return DIFFERS(ERROR_TOPOLOGY_CHANGED, NULL, NULL);
  for EACH_NODE(node, wanted) {
    if (node->after.count > 0) continue;
    while (end != NULL && end->after.count > 0) end = end->next;
    if (end == NULL) return DIFFERS(ERROR_TOPOLOGY_CHANGED, node, NULL);
    node->pair = end;
    end->pair = node;
    found[count++] = node;
    end = end->next;
  }
  for (size_t i = 0; i < count; i++) {
    CUgraphNode node = found[i], is = node->pair;
    if (is->params.type != node->params.type) return DIFFERS(ERROR_NODE_TYPE_CHANGED, node, NULL);
    if (is->before.count != node->before.count) return DIFFERS(ERROR_TOPOLOGY_CHANGED, node, NULL);
    for (size_t k = 0; k < node->before.count; k++) {
      CUgraphNode from = node->before.all[k].node, other = is->before.all[k].node;
      bool is_new = from->pair == NULL && other->pair == NULL;
      if (!is_new && from->pair != other) return DIFFERS(ERROR_TOPOLOGY_CHANGED, node, from);
      if (!is_new) continue;
      from->pair = other;
      other->pair = from;
      found[count++] = from;
    }
  }
  return count == graph->count ? SAME : DIFFERS(ERROR_TOPOLOGY_CHANGED, NULL, NULL);
}

static CUgraphExecUpdateResultInfo compare(CUgraph graph, CUgraph wanted);

static CUgraphExecUpdateResultInfo compare_inner(CUgraphNode node, CUgraphNode wanted) {
  size_t count, others;
  CUgraph *inner = node->kind->inner(node, &count), *other = wanted->kind->inner(wanted, &others);
  if (count != others) return DIFFERS(ERROR_PARAMETERS_CHANGED, wanted, NULL);
  for (size_t i = 0; i < count; i++) {
    CUgraphExecUpdateResultInfo info = compare(inner[i], other[i]);
    if (!IS_SAME(info)) return info;
  }
  return SAME;
}

/* Leaves the pairs in the nodes. */
static CUgraphExecUpdateResultInfo compare(CUgraph graph, CUgraph wanted) {
  CUgraphNode *found = malloc((wanted->count + 1) * sizeof *found);
  if (found == NULL) return DIFFERS(ERROR, NULL, NULL);
  CUgraphExecUpdateResultInfo info = pair_up(graph, wanted, found);
  free(found);
  for EACH_NODE(node, graph) {
    if (!IS_SAME(info)) return info;
    if (node->kind->differs != NULL) info.result = node->kind->differs(node, node->pair);
    if (!IS_SAME(info)) info.errorNode = node->pair;
    if (IS_SAME(info) && node->kind->inner != NULL) info = compare_inner(node, node->pair);
  }
  return info;
}

/* First copies of all that is wanted, so that nothing can fail after the first change. */
static bool copy_all(CUgraph graph) {
  bool copied = true;
  for EACH_NODE(node, graph) {
    size_t count = 0;
    CUgraph *inner = node->kind->inner == NULL ? NULL : node->kind->inner(node, &count);
    CUgraphNode wanted = node->pair;
    node->pair = NULL;
    for (size_t i = 0; i < count; i++) copied = copy_all(inner[i]) && copied;
    if (inner == NULL && copied) copied = node_copy(&node->pair, wanted) == CUDA_SUCCESS;
  }
  return copied;
}

static void end_all(CUgraph graph, bool changes) {
  for EACH_NODE(node, graph) {
    size_t count = 0;
    CUgraph *inner = node->kind->inner == NULL ? NULL : node->kind->inner(node, &count);
    for (size_t i = 0; i < count; i++) end_all(inner[i], changes);
    if (inner != NULL || node->pair == NULL) continue;
    if (changes) exchange(node, node->pair);
    node_free(node->pair);
    node->pair = NULL;
  }
}

CUgraphExecUpdateResultInfo graph_update(CUgraph graph, CUgraph wanted) {
  CUgraphExecUpdateResultInfo info = compare(graph, wanted);
  if (!IS_SAME(info)) return info;
  bool copied = copy_all(graph);
  end_all(graph, copied);
  return copied ? SAME : DIFFERS(ERROR, NULL, NULL);
}
