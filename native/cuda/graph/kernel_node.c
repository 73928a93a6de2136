/* Nodes that launch a kernel. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../driver.h"
#include "../launch.h"
#include "../modules.h"
#include "graph.h"
#include "kinds.h"

#define ATTRIBUTES 17

/* How much of an attribute's value is there, by number: older programs have shorter ones. */
static const unsigned char attribute_bytes[ATTRIBUTES] = {
    [1] = 32, [2] = 4, [3] = 4, [4] = 12, [5] = 4, [6] = 4, [7] = 16, [8] = 4, [9] = 2, [10] = 4, [11] = 12, [12] = 16, [13] = 16, [14] = 4,
    [16] = 4};

struct kernel {
  /* The parameters as the kernel lays them out, and where each one is among them. */
  unsigned char *block;
  void **pointers;
  CUlaunchAttributeValue attributes[ATTRIBUTES];
  bool is_set[ATTRIBUTES];
};

static void kernel_free(struct kernel *kernel) {
  if (kernel == NULL) return;
  free(kernel->block);
  free(kernel->pointers);
  free(kernel);
}

static CUresult asked_of(struct asked *asked, const CUDA_KERNEL_NODE_PARAMS *is, const struct kernel *kernel) {
  *asked = (struct asked){{is->gridDimX, is->gridDimY, is->gridDimZ}, {is->blockDimX, is->blockDimY, is->blockDimZ}, {0, 0, 0},
                          is->sharedMemBytes, 0};
  for (int i = 0; i < ATTRIBUTES; i++)
    if (kernel->is_set[i]) TRY(launch_attribute(asked, (CUlaunchAttributeID)i, &kernel->attributes[i]));
  return CUDA_SUCCESS;
}

static CUresult pack(struct kernel *kernel, CUfunction function, const CUDA_KERNEL_NODE_PARAMS *params) {
  kernel->block = calloc(1, function->parameter_bytes + 1);
  kernel->pointers = calloc(function->parameters + 1, sizeof *kernel->pointers);
  if (kernel->block == NULL || kernel->pointers == NULL) return CUDA_ERROR_OUT_OF_MEMORY;
  for (uint32_t i = 0; i < function->parameters; i++) kernel->pointers[i] = kernel->block + function->parameter[i].offset;
  return launch_pack(kernel->block, function, params->kernelParams, params->extra);
}

static CUresult fill(struct kernel *kernel, CUDA_KERNEL_NODE_PARAMS *params) {
  NEEDS_CONTEXT(context);
  struct asked asked;
  if (params->func == NULL) params->func = (CUfunction)(void *)params->kern;
  NEEDS_FUNCTION(params->func);
  TRY(asked_of(&asked, params, kernel));
  TRY(launch_check(context, params->func, &asked));
  TRY(pack(kernel, params->func, params));
  *params = (CUDA_KERNEL_NODE_PARAMS){params->func,      params->gridDimX,  params->gridDimY,       params->gridDimZ,
                                      params->blockDimX, params->blockDimY, params->blockDimZ,      params->sharedMemBytes,
                                      kernel->pointers,  NULL,              NULL,                   context};
  return CUDA_SUCCESS;
}

static CUresult take(CUgraphNode node, CUgraphNodeParams *params) {
  struct kernel *before = node->own, *kernel = calloc(1, sizeof *kernel);
  CUDA_KERNEL_NODE_PARAMS is = params->kernel;
  if (kernel == NULL) return CUDA_ERROR_OUT_OF_MEMORY;
  if (before != NULL) {
    memcpy(kernel->attributes, before->attributes, sizeof kernel->attributes);
    memcpy(kernel->is_set, before->is_set, sizeof kernel->is_set);
  }
  CUresult result = fill(kernel, &is);
  if (result != CUDA_SUCCESS) {
    kernel_free(kernel);
    return result;
  }
  node->params.kernel = is;
  node->own = kernel;
  kernel_free(before);
  return CUDA_SUCCESS;
}

static void set_attributes(CUgraphNode node, const struct CUgraphNode_st *from) {
  struct kernel *to = node->own;
  const struct kernel *other = from->own;
  memcpy(to->attributes, other->attributes, sizeof to->attributes);
  memcpy(to->is_set, other->is_set, sizeof to->is_set);
}

static CUresult copy(CUgraphNode node, const struct CUgraphNode_st *from) {
  CUgraphNodeParams params = from->params;
  TRY(take(node, &params));
  set_attributes(node, from);
  return CUDA_SUCCESS;
}

static CUresult run(CUgraphNode node, CUstream stream) {
  NEEDS_CONTEXT(context);
  const struct kernel *kernel = node->own;
  struct asked asked;
  (void)stream;
  TRY(asked_of(&asked, &node->params.kernel, kernel));
  TRY(launch_check(context, node->params.kernel.func, &asked));
  return launch_run(context, node->params.kernel.func, &asked, kernel->block);
}

static void end(CUgraphNode node) { kernel_free(node->own); }

static CUgraphExecUpdateResult differs(const struct CUgraphNode_st *node, const struct CUgraphNode_st *wanted) {
  struct asked is, shall;
  if (node->params.kernel.ctx != wanted->params.kernel.ctx) return CU_GRAPH_EXEC_UPDATE_ERROR_UNSUPPORTED_FUNCTION_CHANGE;
  asked_of(&is, &node->params.kernel, node->own);
  asked_of(&shall, &wanted->params.kernel, wanted->own);
  return is.cooperative == shall.cooperative ? CU_GRAPH_EXEC_UPDATE_SUCCESS : CU_GRAPH_EXEC_UPDATE_ERROR_ATTRIBUTES_CHANGED;
}

static void describe(const struct CUgraphNode_st *node, char *text, size_t room) {
  const CUDA_KERNEL_NODE_PARAMS *is = &node->params.kernel;
  const char *name = object_is(is->func, FUNCTION) ? is->func->name : "?";
  snprintf(text, room, "%.400s<<<(%u,%u,%u), (%u,%u,%u), %u>>>", name, is->gridDimX, is->gridDimY, is->gridDimZ, is->blockDimX,
           is->blockDimY, is->blockDimZ, is->sharedMemBytes);
}

const struct node_kind kernel_node = {.name = "KERNEL",
                                      .take = take,
                                      .run = run,
                                      .copy = copy,
                                      .end = end,
                                      .differs = differs,
                                      .describe = describe,
                                      .can_be_disabled = true};

#define NEEDS_KERNEL(node) NEEDS(object_is(node, NODE) && (node)->kind == &kernel_node)
#define NEEDS_ATTRIBUTE(id, value) NEEDS((unsigned)(id) < ATTRIBUTES && attribute_bytes[id] > 0 && (value) != NULL)

API CUresult cuGraphKernelNodeSetAttribute(CUgraphNode node, CUlaunchAttributeID id, const CUlaunchAttributeValue *value) {
  NEEDS_INIT;
  struct asked asked;
  CUlaunchAttributeValue whole = {{0}};
  NEEDS_KERNEL(node);
  if (id == CU_LAUNCH_ATTRIBUTE_IGNORE) return CUDA_SUCCESS;
  NEEDS_ATTRIBUTE(id, value);
  memcpy(&whole, value, attribute_bytes[id]);
  TRY(launch_attribute(&asked, id, &whole));
  struct kernel *kernel = node->own;
  kernel->attributes[id] = whole;
  kernel->is_set[id] = true;
  return CUDA_SUCCESS;
}

API CUresult cuGraphKernelNodeGetAttribute(CUgraphNode node, CUlaunchAttributeID id, CUlaunchAttributeValue *value) {
  NEEDS_INIT;
  NEEDS_KERNEL(node);
  NEEDS_ATTRIBUTE(id, value);
  memcpy(value, &((struct kernel *)node->own)->attributes[id], attribute_bytes[id]);
  return CUDA_SUCCESS;
}

API CUresult cuGraphKernelNodeCopyAttributes(CUgraphNode to, CUgraphNode from) {
  NEEDS_INIT;
  NEEDS_KERNEL(to);
  NEEDS_KERNEL(from);
  set_attributes(to, from);
  return CUDA_SUCCESS;
}
