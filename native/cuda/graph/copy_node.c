/* Nodes that copy, in up to three dimensions. */
#include <stdio.h>

#include "../driver.h"
#include "graph.h"
#include "kinds.h"

static bool is_type(CUmemorytype type) { return type >= CU_MEMORYTYPE_HOST && type <= CU_MEMORYTYPE_UNIFIED; }

static CUresult take(CUgraphNode node, CUgraphNodeParams *params) {
  const CUDA_MEMCPY3D *copy = &params->memcpy.copyParams;
  NEEDS(is_type(copy->srcMemoryType) && is_type(copy->dstMemoryType));
  NEEDS(copy->srcMemoryType != CU_MEMORYTYPE_ARRAY || object_is(copy->srcArray, ARRAY));
  NEEDS(copy->dstMemoryType != CU_MEMORYTYPE_ARRAY || object_is(copy->dstArray, ARRAY));
  NEEDS(copy->WidthInBytes > 0 && copy->Height > 0 && copy->Depth > 0);
  node->params.memcpy = params->memcpy;
  return CUDA_SUCCESS;
}

static CUresult run(CUgraphNode node, CUstream stream) { return cuMemcpy3DAsync_v2(&node->params.memcpy.copyParams, stream); }

static CUgraphExecUpdateResult differs(const struct CUgraphNode_st *node, const struct CUgraphNode_st *wanted) {
  const CUDA_MEMCPY3D *is = &node->params.memcpy.copyParams, *shall = &wanted->params.memcpy.copyParams;
  bool same = is->srcMemoryType == shall->srcMemoryType && is->dstMemoryType == shall->dstMemoryType;
  return same ? CU_GRAPH_EXEC_UPDATE_SUCCESS : CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED;
}

static void describe(const struct CUgraphNode_st *node, char *text, size_t room) {
  static const char *const ends[] = {"?", "Host", "Device", "Array", "Unified"};
  const CUDA_MEMCPY3D *copy = &node->params.memcpy.copyParams;
  snprintf(text, room, "%s to %s, %zu x %zu x %zu", ends[copy->srcMemoryType], ends[copy->dstMemoryType], copy->WidthInBytes,
           copy->Height, copy->Depth);
}

const struct node_kind copy_node = {
    .name = "MEMCPY", .take = take, .run = run, .differs = differs, .describe = describe, .can_be_disabled = true};
