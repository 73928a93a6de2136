#include "instance.h"

#include <stdio.h>
#include <stdlib.h>

#include "../driver.h"
#include "../launch.h"
#include "capture.h"
#include "kinds.h"
#include "run.h"
#include "update.h"
#include "user_object.h"

static void instance_free(CUgraphExec instance) {
  if (instance->source != NULL) instance->source->instance = NULL;
  graph_free(instance->graph);
  object_free(instance);
}

static CUresult make(CUgraphExec *made, CUgraph graph, uint64_t flags, CUgraphNode *wrong) {
  CUgraph copy;
  NEEDS(graph->instance == NULL);
  TRY(graph_order(graph, wrong));
  TRY(graph_copy(&copy, graph));
  CUgraphExec instance = object_new(INSTANCE, sizeof *instance, NULL);
  CUgraphNode none;
  CUresult result = instance == NULL ? CUDA_ERROR_OUT_OF_MEMORY : graph_order(copy, &none);
  if (result != CUDA_SUCCESS) {
    if (instance != NULL) object_free(instance);
    graph_free(copy);
    return result;
  }
  instance->graph = copy;
  instance->flags = flags & ~(uint64_t)CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD;
  if (graph_is_fixed(graph)) {
    instance->source = graph;
    graph->instance = instance;
  }
  *made = instance;
  return CUDA_SUCCESS;
}

static CUresult instantiate(CUgraphExec *instance, CUgraph graph, uint64_t flags, CUgraphNode *wrong) {
  const uint64_t known = CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH | CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD |
                         CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH | CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY;
  *wrong = NULL;
  NEEDS_INIT;
  NEEDS(instance != NULL && (flags & ~known) == 0);
  NEEDS_GRAPH(graph);
  NEEDS(!graph->is_captured_into);
  /* Kernels launch nothing here. */
  if ((flags & CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH) != 0) return CUDA_ERROR_NOT_SUPPORTED;
  return make(instance, graph, flags, wrong);
}

API CUresult cuGraphInstantiateWithFlags(CUgraphExec *instance, CUgraph graph, unsigned long long flags) {
  CUgraphNode wrong;
  NEEDS((flags & CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD) == 0);
  return instantiate(instance, graph, flags, &wrong);
}

API CUresult cuGraphInstantiate_v2(CUgraphExec *instance, CUgraph graph, CUgraphNode *wrong, char *log, size_t room) {
  CUgraphNode found;
  CUresult result = instantiate(instance, graph, 0, &found);
  if (wrong != NULL) *wrong = found;
  if (log != NULL && room > 0) snprintf(log, room, "%s", found == NULL ? "" : "the graph has a node that depends on itself");
  return result;
}
ALSO(cuGraphInstantiate_v2, cuGraphInstantiate);

API CUresult cuGraphInstantiateWithParams(CUgraphExec *instance, CUgraph graph, CUDA_GRAPH_INSTANTIATE_PARAMS *params) {
  NEEDS(params != NULL);
  CUresult result = instantiate(instance, graph, params->flags, &params->hErrNode_out);
  params->result_out = result == CUDA_SUCCESS             ? CUDA_GRAPH_INSTANTIATE_SUCCESS
                       : params->hErrNode_out != NULL     ? CUDA_GRAPH_INSTANTIATE_INVALID_STRUCTURE
                       : result == CUDA_ERROR_NOT_SUPPORTED ? CUDA_GRAPH_INSTANTIATE_NODE_OPERATION_NOT_SUPPORTED
                                                            : CUDA_GRAPH_INSTANTIATE_ERROR;
  return result;
}
ALSO(cuGraphInstantiateWithParams, cuGraphInstantiateWithParams_ptsz);

API CUresult cuGraphExecGetFlags(CUgraphExec instance, uint64_t *flags) {
  NEEDS_INIT;
  NEEDS(flags != NULL);
  NEEDS_INSTANCE(instance);
  *flags = instance->flags;
  return CUDA_SUCCESS;
}

static CUresult destroy(CUgraphExec instance) {
  NEEDS_INIT;
  NEEDS_INSTANCE(instance);
  instance->ends = true;
  if (instance->launches == 0) instance_free(instance);
  return CUDA_SUCCESS;
}

API CUresult cuGraphExecDestroy(CUgraphExec instance) {
  CUresult result = destroy(instance);
  user_objects_end();
  return result;
}

API CUresult cuGraphUpload(CUgraphExec instance, CUstream stream) {
  NEEDS_CONTEXT(context);
  NEEDS_INSTANCE(instance);
  IN_STREAM(stream, capture_cannot(stream));
  return CUDA_SUCCESS;
}
ALSO(cuGraphUpload, cuGraphUpload_ptsz);

static CUresult begin(CUgraph graph, bool frees, CUstream stream) {
  for EACH_NODE(node, graph) {
    size_t count = 0;
    CUgraph *inner = node->kind->inner == NULL ? NULL : node->kind->inner(node, &count);
    for (size_t i = 0; i < count; i++) TRY(begin(inner[i], frees, stream));
    if (node->kind->begin != NULL) TRY(node->kind->begin(node, frees, stream));
  }
  return CUDA_SUCCESS;
}

/* A launch that is captured is a graph within the other one. */
static CUresult capture(CUgraphExec instance, CUstream stream) {
  CUgraphNodeParams params = {.type = CU_GRAPH_NODE_TYPE_GRAPH, .graph = {.graph = instance->graph}};
  return capture_node(stream, &params, NULL);
}

static CUresult launch(CUgraphExec instance, CUstream stream) {
  NEEDS_CONTEXT(context);
  NEEDS_INSTANCE(instance);
  IN_STREAM(stream, capture(instance, stream));
  TRY(begin(instance->graph, (instance->flags & CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH) != 0, stream));
  instance->launches++;
  CUresult result = graph_run(instance->graph, stream);
  if (--instance->launches == 0 && instance->ends) instance_free(instance);
  /* A fault of a kernel is told by the calls that follow. */
  return context->dead != CUDA_SUCCESS && !launch_is_blocking() ? CUDA_SUCCESS : result;
}

API CUresult cuGraphLaunch(CUgraphExec instance, CUstream stream) {
  CUresult result = launch(instance, stream);
  user_objects_end();
  return result;
}
ALSO(cuGraphLaunch, cuGraphLaunch_ptsz);

/* The copy of a node in an executable graph. */
static CUresult copy_in(CUgraphNode *copy, CUgraphExec instance, CUgraphNode node) {
  NEEDS_INSTANCE(instance);
  NEEDS_NODE(node);
  *copy = graph_find(instance->graph, node->id);
  NEEDS(*copy != NULL);
  return CUDA_SUCCESS;
}

API CUresult cuGraphNodeSetEnabled(CUgraphExec instance, CUgraphNode node, unsigned enabled) {
  NEEDS_INIT;
  CUgraphNode copy;
  TRY(copy_in(&copy, instance, node));
  NEEDS(copy->kind->can_be_disabled);
  copy->disabled = enabled == 0;
  return CUDA_SUCCESS;
}

API CUresult cuGraphNodeGetEnabled(CUgraphExec instance, CUgraphNode node, unsigned *enabled) {
  NEEDS_INIT;
  CUgraphNode copy;
  NEEDS(enabled != NULL);
  TRY(copy_in(&copy, instance, node));
  NEEDS(copy->kind->can_be_disabled);
  *enabled = !copy->disabled;
  return CUDA_SUCCESS;
}

/* A copy of more than one row keeps what it copies, unless the whole graph is updated. */
static bool is_line(const CUgraphNodeParams *params) {
  const CUDA_MEMCPY3D *copy = &params->memcpy.copyParams;
  return params->type != CU_GRAPH_NODE_TYPE_MEMCPY || (copy->Height == 1 && copy->Depth == 1);
}

CUresult instance_set(CUgraphExec instance, CUgraphNode node, CUgraphNodeParams *params) {
  CUgraphNode copy;
  TRY(copy_in(&copy, instance, node));
  NEEDS(params->type == copy->params.type && is_line(&copy->params) && is_line(params));
  if (copy->kind == &child_node) {
    NEEDS_GRAPH(params->graph.graph);
    return graph_update(copy->params.graph.graph, params->graph.graph).result == CU_GRAPH_EXEC_UPDATE_SUCCESS
               ? CUDA_SUCCESS
               : CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE;
  }
  return node_change(copy, params);
}

static CUresult update(CUgraphExec instance, CUgraph graph, CUgraphExecUpdateResultInfo *info) {
  NEEDS_INIT;
  NEEDS(info != NULL);
  *info = (CUgraphExecUpdateResultInfo){.result = CU_GRAPH_EXEC_UPDATE_ERROR};
  NEEDS_INSTANCE(instance);
  NEEDS_GRAPH(graph);
  *info = graph_update(instance->graph, graph);
  if (info->result == CU_GRAPH_EXEC_UPDATE_SUCCESS) TRY(held_replace(&instance->graph->held, graph->held));
  return info->result == CU_GRAPH_EXEC_UPDATE_SUCCESS ? CUDA_SUCCESS : CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE;
}

API CUresult cuGraphExecUpdate_v2(CUgraphExec instance, CUgraph graph, CUgraphExecUpdateResultInfo *info) {
  CUresult result = update(instance, graph, info);
  user_objects_end();
  return result;
}

API CUresult cuGraphExecUpdate(CUgraphExec instance, CUgraph graph, CUgraphNode *wrong, CUgraphExecUpdateResult *why) {
  CUgraphExecUpdateResultInfo info;
  NEEDS(why != NULL);
  CUresult result = cuGraphExecUpdate_v2(instance, graph, &info);
  if (wrong != NULL) *wrong = info.errorNode;
  *why = info.result;
  return result;
}
