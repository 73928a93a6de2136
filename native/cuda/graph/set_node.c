/* Nodes that set memory. */
#include <stdio.h>

#include "../driver.h"
#include "graph.h"
#include "kinds.h"

static CUresult take(CUgraphNode node, CUgraphNodeParams *params) {
  const CUDA_MEMSET_NODE_PARAMS_v2 *set = &params->memset;
  NEEDS(set->elementSize == 1 || set->elementSize == 2 || set->elementSize == 4);
  NEEDS(set->width > 0 && set->height > 0 && set->dst != 0 && set->dst % set->elementSize == 0);
  NEEDS(set->height == 1 || (set->pitch % set->elementSize == 0 && set->pitch / set->elementSize >= set->width));
  node->params.memset = *set;
  return CUDA_SUCCESS;
}

static CUresult run(CUgraphNode node, CUstream stream) {
  const CUDA_MEMSET_NODE_PARAMS_v2 *set = &node->params.memset;
  if (set->elementSize == 1)
    return cuMemsetD2D8Async(set->dst, set->pitch, (unsigned char)set->value, set->width, set->height, stream);
  if (set->elementSize == 2)
    return cuMemsetD2D16Async(set->dst, set->pitch, (unsigned short)set->value, set->width, set->height, stream);
  return cuMemsetD2D32Async(set->dst, set->pitch, set->value, set->width, set->height, stream);
}

/* Of more than one row, only what it sets and where can change; of one row, not that it is one. */
static CUgraphExecUpdateResult differs(const struct CUgraphNode_st *node, const struct CUgraphNode_st *wanted) {
  const CUDA_MEMSET_NODE_PARAMS_v2 *is = &node->params.memset, *shall = &wanted->params.memset;
  bool same = is->height == shall->height && (is->height == 1 || (is->width == shall->width && is->pitch == shall->pitch &&
                                                                  is->elementSize == shall->elementSize));
  return same ? CU_GRAPH_EXEC_UPDATE_SUCCESS : CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED;
}

static void describe(const struct CUgraphNode_st *node, char *text, size_t room) {
  const CUDA_MEMSET_NODE_PARAMS_v2 *set = &node->params.memset;
  snprintf(text, room, "0x%llx to 0x%x, %zu x %zu of %u bytes", set->dst, set->value, set->width, set->height, set->elementSize);
}

const struct node_kind set_node = {
    .name = "MEMSET", .take = take, .run = run, .differs = differs, .describe = describe, .can_be_disabled = true};
