/* Nodes of graphs that copy: boxes, bytes behind each other, and variables of the device. */
#include "../copy.h"
#include "../directions.h"
#include "../registry.h"
#include "pass.h"

static cudaError_t copy_of_line(CUDA_MEMCPY3D *copy, void *to, const void *from, size_t bytes, cudaMemcpyKind kind) {
  struct cudaMemcpy3DParms box = {.srcPtr = {(void *)(uintptr_t)from, bytes, bytes, 1},
                                  .dstPtr = {to, bytes, bytes, 1},
                                  .extent = {bytes, 1, 1},
                                  .kind = kind};
  return copy_of_box(copy, &box);
}

static cudaError_t copy_to_symbol(CUDA_MEMCPY3D *copy, const void *symbol, const void *from, size_t bytes, size_t offset,
                                  cudaMemcpyKind kind) {
  void *to;
  if (kind == cudaMemcpyHostToHost || kind == cudaMemcpyDeviceToHost) return cudaErrorInvalidMemcpyDirection;
  cudaError_t error = symbol_address(&to, symbol, offset, bytes);
  return error == cudaSuccess ? copy_of_line(copy, to, from, bytes, kind) : error;
}

static cudaError_t copy_from_symbol(CUDA_MEMCPY3D *copy, void *to, const void *symbol, size_t bytes, size_t offset,
                                    cudaMemcpyKind kind) {
  void *from;
  if (kind == cudaMemcpyHostToHost || kind == cudaMemcpyHostToDevice) return cudaErrorInvalidMemcpyDirection;
  cudaError_t error = symbol_address(&from, symbol, offset, bytes);
  return error == cudaSuccess ? copy_of_line(copy, to, from, bytes, kind) : error;
}

static cudaError_t copy_of_params(CUDA_MEMCPY3D *copy, const struct cudaMemcpy3DParms *params) {
  return params == NULL ? cudaErrorInvalidValue : copy_of_box(copy, params);
}

/* Three functions of each way to say what is copied: a node is added, changed, or changed in an executable graph. */
#define LIST(...) __VA_ARGS__
#define COPY_FUNCTIONS(Add, Set, parameters, description)                                                                    \
  API cudaError_t cudaGraphAdd##Add(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *nodes, size_t count,    \
                                    parameters) {                                                                            \
    CUDA_MEMCPY3D copy;                                                                                                      \
    BEGIN;                                                                                                                   \
    cudaError_t error = description;                                                                                         \
    return error == cudaSuccess ? end(cuGraphAddMemcpyNode(node, graph, nodes, count, &copy, own_context())) : fails(error); \
  }                                                                                                                          \
  API cudaError_t cudaGraph##Set(cudaGraphNode_t node, parameters) {                                                         \
    CUDA_MEMCPY3D copy;                                                                                                      \
    BEGIN;                                                                                                                   \
    cudaError_t error = description;                                                                                         \
    return error == cudaSuccess ? end(cuGraphMemcpyNodeSetParams(node, &copy)) : fails(error);                               \
  }                                                                                                                          \
  API cudaError_t cudaGraphExec##Set(cudaGraphExec_t instance, cudaGraphNode_t node, parameters) {                           \
    CUDA_MEMCPY3D copy;                                                                                                      \
    BEGIN;                                                                                                                   \
    cudaError_t error = description;                                                                                         \
    return error == cudaSuccess ? end(cuGraphExecMemcpyNodeSetParams(instance, node, &copy, own_context())) : fails(error);  \
  }

COPY_FUNCTIONS(MemcpyNode, MemcpyNodeSetParams, LIST(const struct cudaMemcpy3DParms *params), copy_of_params(&copy, params))
COPY_FUNCTIONS(MemcpyNode1D, MemcpyNodeSetParams1D, LIST(void *to, const void *from, size_t bytes, cudaMemcpyKind kind),
               copy_of_line(&copy, to, from, bytes, kind))
COPY_FUNCTIONS(MemcpyNodeToSymbol, MemcpyNodeSetParamsToSymbol,
               LIST(const void *symbol, const void *from, size_t bytes, size_t offset, cudaMemcpyKind kind),
               copy_to_symbol(&copy, symbol, from, bytes, offset, kind))
COPY_FUNCTIONS(MemcpyNodeFromSymbol, MemcpyNodeSetParamsFromSymbol,
               LIST(void *to, const void *symbol, size_t bytes, size_t offset, cudaMemcpyKind kind),
               copy_from_symbol(&copy, to, symbol, bytes, offset, kind))

API cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, struct cudaMemcpy3DParms *params) {
  CUDA_MEMCPY3D copy;
  BEGIN;
  NEEDS(params != NULL);
  CUresult result = cuGraphMemcpyNodeGetParams(node, &copy);
  if (result == CUDA_SUCCESS) box_of_copy(params, &copy);
  return end(result);
}
