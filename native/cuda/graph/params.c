/* Nodes and their parameters, as programs add, ask for and change them: by one structure for all types, and by one for each. */
#include <string.h>

#include "../driver.h"
#include "graph.h"
#include "instance.h"
#include "kinds.h"

API CUresult cuGraphAddNode_v2(CUgraphNode *node, CUgraph graph, const CUgraphNode *nodes, const CUgraphEdgeData *data, size_t count,
                               CUgraphNodeParams *params) {
  NEEDS_INIT;
  NEEDS(node != NULL && params != NULL && (count == 0 || nodes != NULL));
  NEEDS_GRAPH(graph);
  return graph_add(node, graph, nodes, data, count, params);
}

API CUresult cuGraphAddNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *nodes, size_t count, CUgraphNodeParams *params) {
  return cuGraphAddNode_v2(node, graph, nodes, NULL, count, params);
}

API CUresult cuGraphNodeSetParams(CUgraphNode node, CUgraphNodeParams *params) {
  NEEDS_INIT;
  NEEDS(params != NULL);
  NEEDS_NODE(node);
  NEEDS(params->type == node->params.type);
  return node->kind->take(node, params);
}

API CUresult cuGraphExecNodeSetParams(CUgraphExec instance, CUgraphNode node, CUgraphNodeParams *params) {
  NEEDS_INIT;
  NEEDS(params != NULL);
  return instance_set(instance, node, params);
}

/* The node's own parameters. */
static CUresult params_of(const CUgraphNodeParams **params, CUgraphNode node, CUgraphNodeType type) {
  NEEDS_INIT;
  NEEDS_NODE(node);
  NEEDS(node->params.type == type);
  *params = &node->params;
  return CUDA_SUCCESS;
}

/* In and out of the structure for all types. The first form of kernels ends where the second goes on. */
#define PARAMS(TYPE, field, value) CUgraphNodeParams params = {.type = CU_GRAPH_NODE_TYPE_##TYPE, .field = value}
#define ADD(TYPE, field, value, node, graph, nodes, count) \
  PARAMS(TYPE, field, value);                              \
  return cuGraphAddNode_v2(node, graph, nodes, NULL, count, &params)
#define SET(TYPE, field, value, node) \
  PARAMS(TYPE, field, value);         \
  return cuGraphNodeSetParams(node, &params)
#define SET_IN(TYPE, field, value, instance, node) \
  PARAMS(TYPE, field, value);                      \
  return cuGraphExecNodeSetParams(instance, node, &params)
#define GET(TYPE, node)            \
  LOCKED;                          \
  const CUgraphNodeParams *params; \
  TRY(params_of(&params, node, CU_GRAPH_NODE_TYPE_##TYPE))

static CUDA_KERNEL_NODE_PARAMS kernel_of(const CUDA_KERNEL_NODE_PARAMS_v1 *first) {
  CUDA_KERNEL_NODE_PARAMS kernel = {.kern = NULL};
  memcpy(&kernel, first, sizeof *first);
  return kernel;
}

API CUresult cuGraphAddKernelNode_v2(CUgraphNode *node, CUgraph graph, const CUgraphNode *nodes, size_t count,
                                     const CUDA_KERNEL_NODE_PARAMS *kernel) {
  NEEDS(kernel != NULL);
  ADD(KERNEL, kernel, *kernel, node, graph, nodes, count);
}

API CUresult cuGraphAddKernelNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *nodes, size_t count,
                                  const CUDA_KERNEL_NODE_PARAMS_v1 *kernel) {
  NEEDS(kernel != NULL);
  ADD(KERNEL, kernel, kernel_of(kernel), node, graph, nodes, count);
}

API CUresult cuGraphKernelNodeGetParams_v2(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS *kernel) {
  NEEDS(kernel != NULL);
  GET(KERNEL, node);
  *kernel = params->kernel;
  return CUDA_SUCCESS;
}

API CUresult cuGraphKernelNodeGetParams(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS_v1 *kernel) {
  NEEDS(kernel != NULL);
  GET(KERNEL, node);
  memcpy(kernel, &params->kernel, sizeof *kernel);
  return CUDA_SUCCESS;
}

API CUresult cuGraphKernelNodeSetParams_v2(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS *kernel) {
  NEEDS(kernel != NULL);
  SET(KERNEL, kernel, *kernel, node);
}

API CUresult cuGraphKernelNodeSetParams(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS_v1 *kernel) {
  NEEDS(kernel != NULL);
  SET(KERNEL, kernel, kernel_of(kernel), node);
}

API CUresult cuGraphExecKernelNodeSetParams_v2(CUgraphExec instance, CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS *kernel) {
  NEEDS(kernel != NULL);
  SET_IN(KERNEL, kernel, *kernel, instance, node);
}

API CUresult cuGraphExecKernelNodeSetParams(CUgraphExec instance, CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS_v1 *kernel) {
  NEEDS(kernel != NULL);
  SET_IN(KERNEL, kernel, kernel_of(kernel), instance, node);
}

#define COPY(copy, context) ((CUDA_MEMCPY_NODE_PARAMS){0, 0, context, *(copy)})

API CUresult cuGraphAddMemcpyNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *nodes, size_t count, const CUDA_MEMCPY3D *copy,
                                  CUcontext context) {
  NEEDS(copy != NULL);
  ADD(MEMCPY, memcpy, COPY(copy, context), node, graph, nodes, count);
}

API CUresult cuGraphMemcpyNodeGetParams(CUgraphNode node, CUDA_MEMCPY3D *copy) {
  NEEDS(copy != NULL);
  GET(MEMCPY, node);
  *copy = params->memcpy.copyParams;
  return CUDA_SUCCESS;
}

API CUresult cuGraphMemcpyNodeSetParams(CUgraphNode node, const CUDA_MEMCPY3D *copy) {
  NEEDS(copy != NULL);
  SET(MEMCPY, memcpy, COPY(copy, NULL), node);
}

API CUresult cuGraphExecMemcpyNodeSetParams(CUgraphExec instance, CUgraphNode node, const CUDA_MEMCPY3D *copy, CUcontext context) {
  NEEDS(copy != NULL);
  SET_IN(MEMCPY, memcpy, COPY(copy, context), instance, node);
}

#define FILL(set, context) \
  ((CUDA_MEMSET_NODE_PARAMS_v2){(set)->dst, (set)->pitch, (set)->value, (set)->elementSize, (set)->width, (set)->height, context})

API CUresult cuGraphAddMemsetNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *nodes, size_t count,
                                  const CUDA_MEMSET_NODE_PARAMS *set, CUcontext context) {
  NEEDS(set != NULL);
  ADD(MEMSET, memset, FILL(set, context), node, graph, nodes, count);
}

API CUresult cuGraphMemsetNodeGetParams(CUgraphNode node, CUDA_MEMSET_NODE_PARAMS *set) {
  NEEDS(set != NULL);
  GET(MEMSET, node);
  memcpy(set, &params->memset, sizeof *set);
  return CUDA_SUCCESS;
}

API CUresult cuGraphMemsetNodeSetParams(CUgraphNode node, const CUDA_MEMSET_NODE_PARAMS *set) {
  NEEDS(set != NULL);
  SET(MEMSET, memset, FILL(set, NULL), node);
}

API CUresult cuGraphExecMemsetNodeSetParams(CUgraphExec instance, CUgraphNode node, const CUDA_MEMSET_NODE_PARAMS *set,
                                            CUcontext context) {
  NEEDS(set != NULL);
  SET_IN(MEMSET, memset, FILL(set, context), instance, node);
}

API CUresult cuGraphAddHostNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *nodes, size_t count,
                                const CUDA_HOST_NODE_PARAMS *host) {
  NEEDS(host != NULL);
  ADD(HOST, host, *host, node, graph, nodes, count);
}

API CUresult cuGraphHostNodeGetParams(CUgraphNode node, CUDA_HOST_NODE_PARAMS *host) {
  NEEDS(host != NULL);
  GET(HOST, node);
  *host = params->host;
  return CUDA_SUCCESS;
}

API CUresult cuGraphHostNodeSetParams(CUgraphNode node, const CUDA_HOST_NODE_PARAMS *host) {
  NEEDS(host != NULL);
  SET(HOST, host, *host, node);
}

API CUresult cuGraphExecHostNodeSetParams(CUgraphExec instance, CUgraphNode node, const CUDA_HOST_NODE_PARAMS *host) {
  NEEDS(host != NULL);
  SET_IN(HOST, host, *host, instance, node);
}

#define CHILD(child) ((CUDA_CHILD_GRAPH_NODE_PARAMS){child, CU_GRAPH_CHILD_GRAPH_OWNERSHIP_CLONE})

API CUresult cuGraphAddChildGraphNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *nodes, size_t count, CUgraph child) {
  ADD(GRAPH, graph, CHILD(child), node, graph, nodes, count);
}

API CUresult cuGraphChildGraphNodeGetGraph(CUgraphNode node, CUgraph *child) {
  NEEDS(child != NULL);
  GET(GRAPH, node);
  *child = params->graph.graph;
  return CUDA_SUCCESS;
}

API CUresult cuGraphExecChildGraphNodeSetParams(CUgraphExec instance, CUgraphNode node, CUgraph child) {
  SET_IN(GRAPH, graph, CHILD(child), instance, node);
}

API CUresult cuGraphAddEmptyNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *nodes, size_t count) {
  CUgraphNodeParams params = {.type = CU_GRAPH_NODE_TYPE_EMPTY};
  return cuGraphAddNode_v2(node, graph, nodes, NULL, count, &params);
}

#define EVENT_FUNCTIONS(Name, TYPE, field)                                                                                       \
  API CUresult cuGraphAdd##Name##Node(CUgraphNode *node, CUgraph graph, const CUgraphNode *nodes, size_t count, CUevent event) { \
    ADD(TYPE, field, (CUDA_EVENT_RECORD_NODE_PARAMS){event}, node, graph, nodes, count);                                         \
  }                                                                                                                              \
  API CUresult cuGraph##Name##NodeGetEvent(CUgraphNode node, CUevent *event) {                                                   \
    NEEDS(event != NULL);                                                                                                        \
    GET(TYPE, node);                                                                                                             \
    *event = params->field.event;                                                                                                \
    return CUDA_SUCCESS;                                                                                                         \
  }                                                                                                                              \
  API CUresult cuGraph##Name##NodeSetEvent(CUgraphNode node, CUevent event) {                                                    \
    SET(TYPE, field, (CUDA_EVENT_RECORD_NODE_PARAMS){event}, node);                                                              \
  }                                                                                                                              \
  API CUresult cuGraphExec##Name##NodeSetEvent(CUgraphExec instance, CUgraphNode node, CUevent event) {                          \
    SET_IN(TYPE, field, (CUDA_EVENT_RECORD_NODE_PARAMS){event}, instance, node);                                                 \
  }

EVENT_FUNCTIONS(EventRecord, EVENT_RECORD, eventRecord)
EVENT_FUNCTIONS(EventWait, WAIT_EVENT, eventWait)

API CUresult cuGraphAddMemAllocNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *nodes, size_t count,
                                    CUDA_MEM_ALLOC_NODE_PARAMS *alloc) {
  NEEDS(alloc != NULL);
  PARAMS(MEM_ALLOC, alloc, *alloc);
  TRY(cuGraphAddNode_v2(node, graph, nodes, NULL, count, &params));
  alloc->dptr = params.alloc.dptr;
  return CUDA_SUCCESS;
}

API CUresult cuGraphMemAllocNodeGetParams(CUgraphNode node, CUDA_MEM_ALLOC_NODE_PARAMS *alloc) {
  NEEDS(alloc != NULL);
  GET(MEM_ALLOC, node);
  *alloc = params->alloc;
  return CUDA_SUCCESS;
}

API CUresult cuGraphAddMemFreeNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *nodes, size_t count, CUdeviceptr address) {
  ADD(MEM_FREE, free, (CUDA_MEM_FREE_NODE_PARAMS){address}, node, graph, nodes, count);
}

API CUresult cuGraphMemFreeNodeGetParams(CUgraphNode node, CUdeviceptr *address) {
  NEEDS(address != NULL);
  GET(MEM_FREE, node);
  *address = params->free.dptr;
  return CUDA_SUCCESS;
}
