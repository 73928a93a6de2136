/* Nodes that run a graph if a value says so, as long as it does, or the one that it chooses. */
#include <stdlib.h>
#include <string.h>

#include "../driver.h"
#include "../reservation.h"
#include "graph.h"
#include "kinds.h"
#include "run.h"

/* Of a handle: the address of the value, which kernels set by it. */
struct condition {
  struct reservation *value;
  unsigned first;
  bool is_set_first;
  struct condition *next;
};

/* Handles that no node has taken yet. */
static struct condition *conditions;

struct branches {
  struct condition condition;
  size_t count;
  CUgraph graphs[];
};

API CUresult cuGraphConditionalHandleCreate(CUgraphConditionalHandle *handle, CUgraph graph, CUcontext owner, unsigned value,
                                            unsigned flags) {
  NEEDS_CONTEXT(context);
  NEEDS(handle != NULL && (flags & ~CU_GRAPH_COND_ASSIGN_DEFAULT) == 0);
  NEEDS(owner == NULL || object_is(owner, CONTEXT));
  NEEDS_GRAPH(graph);
  struct condition *condition = calloc(1, sizeof *condition);
  if (condition == NULL) return CUDA_ERROR_OUT_OF_MEMORY;
  CUresult result = reservation_new(&condition->value, sizeof(uint64_t), context);
  if (result != CUDA_SUCCESS) {
    free(condition);
    return result;
  }
  condition->first = value;
  condition->is_set_first = flags != 0;
  condition->next = conditions;
  conditions = condition;
  *handle = reservation_address(condition->value);
  return CUDA_SUCCESS;
}

static void end(CUgraphNode node) {
  struct branches *branches = node->own;
  if (branches == NULL) return;
  for (size_t i = 0; i < branches->count; i++)
    if (branches->graphs[i] != NULL) graph_free(branches->graphs[i]);
  if (branches->condition.value != NULL) reservation_release(branches->condition.value);
  free(branches);
}

/* Branches that are empty, or like others. */
static CUresult grow(CUgraphNode node, size_t count, const struct branches *like) {
  struct branches *branches = calloc(1, sizeof *branches + count * sizeof *branches->graphs);
  if (branches == NULL) return CUDA_ERROR_OUT_OF_MEMORY;
  branches->count = count;
  node->own = branches;
  for (size_t i = 0; i < count; i++) {
    if (like == NULL)
      branches->graphs[i] = graph_new();
    else
      TRY(graph_copy(&branches->graphs[i], like->graphs[i]));
    if (branches->graphs[i] == NULL) return CUDA_ERROR_OUT_OF_MEMORY;
    branches->graphs[i]->owner = node;
  }
  return CUDA_SUCCESS;
}

static CUresult take(CUgraphNode node, CUgraphNodeParams *params) {
  CUDA_CONDITIONAL_NODE_PARAMS *is = &params->conditional;
  if (node->own != NULL) return CUDA_ERROR_NOT_SUPPORTED;
  struct condition **at = &conditions;
  while (*at != NULL && reservation_address((*at)->value) != is->handle) at = &(*at)->next;
  NEEDS(*at != NULL);
  NEEDS((unsigned)is->type <= CU_GRAPH_COND_TYPE_SWITCH && is->size > 0);
  NEEDS(is->type == CU_GRAPH_COND_TYPE_SWITCH || is->size <= (is->type == CU_GRAPH_COND_TYPE_IF ? 2u : 1u));
  TRY(grow(node, is->size, NULL));
  struct condition *condition = *at;
  struct branches *branches = node->own;
  *at = condition->next;
  branches->condition = *condition;
  free(condition);
  is->phGraph_out = branches->graphs;
  node->params.conditional = *is;
  return CUDA_SUCCESS;
}

static CUresult copy(CUgraphNode node, const struct CUgraphNode_st *from) {
  const struct branches *like = from->own;
  TRY(grow(node, like->count, like));
  struct branches *branches = node->own;
  branches->condition = like->condition;
  reservation_hold(branches->condition.value);
  node->params.conditional = from->params.conditional;
  node->params.conditional.phGraph_out = branches->graphs;
  return CUDA_SUCCESS;
}

static CUresult begin(CUgraphNode node, bool frees, CUstream stream) {
  const struct branches *branches = node->own;
  (void)frees;
  if (!branches->condition.is_set_first) return CUDA_SUCCESS;
  return cuMemsetD32Async(node->params.conditional.handle, branches->condition.first, 1, stream);
}

static CUresult value_of(CUgraphNode node, CUstream stream, unsigned *value) {
  return cuMemcpyDtoHAsync_v2(value, node->params.conditional.handle, sizeof *value, stream);
}

static CUresult run(CUgraphNode node, CUstream stream) {
  const struct branches *branches = node->own;
  unsigned value;
  TRY(value_of(node, stream, &value));
  size_t chosen = value;
  if (node->params.conditional.type == CU_GRAPH_COND_TYPE_IF) chosen = value == 0;
  if (node->params.conditional.type != CU_GRAPH_COND_TYPE_WHILE)
    return chosen < branches->count ? graph_run(branches->graphs[chosen], stream) : CUDA_SUCCESS;
  while (value != 0) {
    TRY(graph_run(branches->graphs[0], stream));
    TRY(value_of(node, stream, &value));
  }
  return CUDA_SUCCESS;
}

static CUgraphExecUpdateResult differs(const struct CUgraphNode_st *node, const struct CUgraphNode_st *wanted) {
  const CUDA_CONDITIONAL_NODE_PARAMS *is = &node->params.conditional, *shall = &wanted->params.conditional;
  bool same = is->handle == shall->handle && is->type == shall->type && is->size == shall->size;
  return same ? CU_GRAPH_EXEC_UPDATE_SUCCESS : CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED;
}

static CUgraph *inner(CUgraphNode node, size_t *count) {
  struct branches *branches = node->own;
  *count = branches == NULL ? 0 : branches->count;
  return branches == NULL ? NULL : branches->graphs;
}

const struct node_kind condition_node = {.name = "CONDITIONAL",
                                         .take = take,
                                         .begin = begin,
                                         .run = run,
                                         .copy = copy,
                                         .end = end,
                                         .differs = differs,
                                         .inner = inner,
                                         .has_no_clones = true};
