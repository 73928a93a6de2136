/* Nodes of graphs, but for those that copy. */
#include <string.h>

#include "../copy.h"
#include "../registry.h"
#include "pass.h"

PASSES(cudaGraphAddEmptyNode, (cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *nodes, size_t count),
       cuGraphAddEmptyNode(node, graph, nodes, count))

/* A kernel by the program's name for it, and by the driver's. */
static cudaError_t kernel_of(CUDA_KERNEL_NODE_PARAMS *kernel, const struct cudaKernelNodeParams *params) {
  CUfunction function;
  cudaError_t found = find_kernel(&function, params->func);
  if (found != cudaSuccess) return found;
  *kernel = (CUDA_KERNEL_NODE_PARAMS){function,
                                      params->gridDim.x,
                                      params->gridDim.y,
                                      params->gridDim.z,
                                      params->blockDim.x,
                                      params->blockDim.y,
                                      params->blockDim.z,
                                      params->sharedMemBytes,
                                      params->kernelParams,
                                      params->extra,
                                      NULL,
                                      NULL};
  return cudaSuccess;
}

#define KERNEL_OF(kernel, params)                    \
  CUDA_KERNEL_NODE_PARAMS kernel;                    \
  BEGIN;                                             \
  NEEDS((params) != NULL);                           \
  do {                                               \
    cudaError_t found_ = kernel_of(&kernel, params); \
    if (found_ != cudaSuccess) return fails(found_); \
  } while (0)

API cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *nodes, size_t count,
                                       const struct cudaKernelNodeParams *params) {
  KERNEL_OF(kernel, params);
  return end(cuGraphAddKernelNode_v2(node, graph, nodes, count, &kernel));
}

API cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const struct cudaKernelNodeParams *params) {
  KERNEL_OF(kernel, params);
  return end(cuGraphKernelNodeSetParams_v2(node, &kernel));
}

API cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t instance, cudaGraphNode_t node,
                                                 const struct cudaKernelNodeParams *params) {
  KERNEL_OF(kernel, params);
  return end(cuGraphExecKernelNodeSetParams_v2(instance, node, &kernel));
}

API cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, struct cudaKernelNodeParams *params) {
  CUDA_KERNEL_NODE_PARAMS kernel;
  BEGIN;
  NEEDS(params != NULL);
  CUresult result = cuGraphKernelNodeGetParams_v2(node, &kernel);
  if (result != CUDA_SUCCESS) return end(result);
  const void *key = key_of_kernel(kernel.func);
  *params = (struct cudaKernelNodeParams){key == NULL ? (void *)kernel.func : (void *)(uintptr_t)key,
                                          {kernel.gridDimX, kernel.gridDimY, kernel.gridDimZ},
                                          {kernel.blockDimX, kernel.blockDimY, kernel.blockDimZ},
                                          kernel.sharedMemBytes,
                                          kernel.kernelParams,
                                          kernel.extra};
  return cudaSuccess;
}

PASSES(cudaGraphKernelNodeSetAttribute, (cudaGraphNode_t node, CUlaunchAttributeID id, const CUlaunchAttributeValue *value),
       cuGraphKernelNodeSetAttribute(node, id, value))
PASSES(cudaGraphKernelNodeGetAttribute, (cudaGraphNode_t node, CUlaunchAttributeID id, CUlaunchAttributeValue *value),
       cuGraphKernelNodeGetAttribute(node, id, value))
PASSES(cudaGraphKernelNodeCopyAttributes, (cudaGraphNode_t to, cudaGraphNode_t from), cuGraphKernelNodeCopyAttributes(to, from))

/* Parameters that both interfaces have in the same form. */
#define SAME(type, params) ((const type *)(const void *)(params))

PASSES(cudaGraphAddMemsetNode,
       (cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *nodes, size_t count, const struct cudaMemsetParams *params),
       cuGraphAddMemsetNode(node, graph, nodes, count, SAME(CUDA_MEMSET_NODE_PARAMS, params), own_context()))
PASSES(cudaGraphMemsetNodeGetParams, (cudaGraphNode_t node, struct cudaMemsetParams *params),
       cuGraphMemsetNodeGetParams(node, (CUDA_MEMSET_NODE_PARAMS *)(void *)params))
PASSES(cudaGraphMemsetNodeSetParams, (cudaGraphNode_t node, const struct cudaMemsetParams *params),
       cuGraphMemsetNodeSetParams(node, SAME(CUDA_MEMSET_NODE_PARAMS, params)))
PASSES(cudaGraphExecMemsetNodeSetParams, (cudaGraphExec_t instance, cudaGraphNode_t node, const struct cudaMemsetParams *params),
       cuGraphExecMemsetNodeSetParams(instance, node, SAME(CUDA_MEMSET_NODE_PARAMS, params), own_context()))

PASSES(cudaGraphAddHostNode,
       (cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *nodes, size_t count, const struct cudaHostNodeParams *params),
       cuGraphAddHostNode(node, graph, nodes, count, SAME(CUDA_HOST_NODE_PARAMS, params)))
PASSES(cudaGraphHostNodeGetParams, (cudaGraphNode_t node, struct cudaHostNodeParams *params),
       cuGraphHostNodeGetParams(node, (CUDA_HOST_NODE_PARAMS *)(void *)params))
PASSES(cudaGraphHostNodeSetParams, (cudaGraphNode_t node, const struct cudaHostNodeParams *params),
       cuGraphHostNodeSetParams(node, SAME(CUDA_HOST_NODE_PARAMS, params)))
PASSES(cudaGraphExecHostNodeSetParams, (cudaGraphExec_t instance, cudaGraphNode_t node, const struct cudaHostNodeParams *params),
       cuGraphExecHostNodeSetParams(instance, node, SAME(CUDA_HOST_NODE_PARAMS, params)))

PASSES(cudaGraphAddChildGraphNode,
       (cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *nodes, size_t count, cudaGraph_t child),
       cuGraphAddChildGraphNode(node, graph, nodes, count, child))
PASSES(cudaGraphChildGraphNodeGetGraph, (cudaGraphNode_t node, cudaGraph_t *child), cuGraphChildGraphNodeGetGraph(node, child))
PASSES(cudaGraphExecChildGraphNodeSetParams, (cudaGraphExec_t instance, cudaGraphNode_t node, cudaGraph_t child),
       cuGraphExecChildGraphNodeSetParams(instance, node, child))

#define EVENT_FUNCTIONS(Name)                                                                                                 \
  PASSES(cudaGraphAdd##Name##Node,                                                                                            \
         (cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *nodes, size_t count, cudaEvent_t event),           \
         cuGraphAdd##Name##Node(node, graph, nodes, count, event))                                                            \
  PASSES(cudaGraph##Name##NodeGetEvent, (cudaGraphNode_t node, cudaEvent_t *event), cuGraph##Name##NodeGetEvent(node, event)) \
  PASSES(cudaGraph##Name##NodeSetEvent, (cudaGraphNode_t node, cudaEvent_t event), cuGraph##Name##NodeSetEvent(node, event))  \
  PASSES(cudaGraphExec##Name##NodeSetEvent, (cudaGraphExec_t instance, cudaGraphNode_t node, cudaEvent_t event),              \
         cuGraphExec##Name##NodeSetEvent(instance, node, event))

EVENT_FUNCTIONS(EventRecord)
EVENT_FUNCTIONS(EventWait)

PASSES(cudaGraphAddMemAllocNode,
       (cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *nodes, size_t count, struct cudaMemAllocNodeParams *params),
       cuGraphAddMemAllocNode(node, graph, nodes, count, (CUDA_MEM_ALLOC_NODE_PARAMS *)(void *)params))
PASSES(cudaGraphMemAllocNodeGetParams, (cudaGraphNode_t node, struct cudaMemAllocNodeParams *params),
       cuGraphMemAllocNodeGetParams(node, (CUDA_MEM_ALLOC_NODE_PARAMS *)(void *)params))
PASSES(cudaGraphAddMemFreeNode,
       (cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *nodes, size_t count, void *pointer),
       cuGraphAddMemFreeNode(node, graph, nodes, count, DEVICE_ADDRESS(pointer)))
PASSES(cudaGraphMemFreeNodeGetParams, (cudaGraphNode_t node, void *pointer), cuGraphMemFreeNodeGetParams(node, (CUdeviceptr *)pointer))

/* The form for all types differs where the driver names kernels, copies and contexts in its own way. */
static cudaError_t params_of(CUgraphNodeParams *to, const struct cudaGraphNodeParams *from) {
  _Static_assert(sizeof *to == sizeof *from, "the forms of both interfaces are of one size");
  if (from == NULL) return cudaErrorInvalidValue;
  memcpy(to, from, sizeof *to);
  if (from->type == CU_GRAPH_NODE_TYPE_KERNEL) return kernel_of(&to->kernel, &from->kernel);
  if (from->type == CU_GRAPH_NODE_TYPE_MEMSET) to->memset.ctx = own_context();
  if (from->type == CU_GRAPH_NODE_TYPE_CONDITIONAL) to->conditional.ctx = own_context();
  if (from->type != CU_GRAPH_NODE_TYPE_MEMCPY) return cudaSuccess;
  to->memcpy = (CUDA_MEMCPY_NODE_PARAMS){.copyCtx = own_context()};
  return copy_of_box(&to->memcpy.copyParams, &from->memcpy.copyParams);
}

#define PARAMS_OF(params, from)                      \
  CUgraphNodeParams params;                          \
  BEGIN;                                             \
  do {                                               \
    cudaError_t error_ = params_of(&params, from);   \
    if (error_ != cudaSuccess) return fails(error_); \
  } while (0)

API cudaError_t cudaGraphAddNode_v2(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *nodes,
                                    const cudaGraphEdgeData *data, size_t count, struct cudaGraphNodeParams *from) {
  PARAMS_OF(params, from);
  CUresult result = cuGraphAddNode_v2(node, graph, nodes, data, count, &params);
  if (result != CUDA_SUCCESS) return end(result);
  if (from->type == CU_GRAPH_NODE_TYPE_MEM_ALLOC) from->alloc.dptr = (void *)(uintptr_t)params.alloc.dptr;
  if (from->type == CU_GRAPH_NODE_TYPE_CONDITIONAL) from->conditional.phGraph_out = params.conditional.phGraph_out;
  return cudaSuccess;
}

API cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node, struct cudaGraphNodeParams *from) {
  PARAMS_OF(params, from);
  return end(cuGraphNodeSetParams(node, &params));
}

API cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t instance, cudaGraphNode_t node, struct cudaGraphNodeParams *from) {
  PARAMS_OF(params, from);
  return end(cuGraphExecNodeSetParams(instance, node, &params));
}
