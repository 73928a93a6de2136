/* Nodes that allocate memory, and nodes that free it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../driver.h"
#include "../reservation.h"
#include "graph.h"
#include "kinds.h"

static void hold(CUgraphNode node, struct reservation *reservation) {
  reservation_hold(reservation);
  node->own = reservation;
}

/* What the parameters point to is the node's, and that of its copies in executable graphs. */
static CUresult keep_accesses(CUgraphNode node, const CUDA_MEM_ALLOC_NODE_PARAMS *from) {
  size_t bytes = from->accessDescCount * sizeof *from->accessDescs;
  node->params.alloc = *from;
  if (bytes == 0) return CUDA_SUCCESS;
  CUmemAccessDesc *accesses = malloc(bytes);
  if (accesses == NULL) return CUDA_ERROR_OUT_OF_MEMORY;
  node->params.alloc.accessDescs = memcpy(accesses, from->accessDescs, bytes);
  return CUDA_SUCCESS;
}

static CUresult take_allocation(CUgraphNode node, CUgraphNodeParams *params) {
  NEEDS_CONTEXT(context);
  CUDA_MEM_ALLOC_NODE_PARAMS *alloc = &params->alloc;
  struct reservation *reservation;
  /* The parameters of one that has its memory cannot change. */
  if (node->own != NULL) return CUDA_ERROR_NOT_SUPPORTED;
  NEEDS(alloc->bytesize > 0 && alloc->poolProps.location.type == 1 && alloc->poolProps.location.id == 0);
  NEEDS(alloc->accessDescCount <= 1 && (alloc->accessDescCount == 0 || alloc->accessDescs != NULL));
  TRY(reservation_new(&reservation, alloc->bytesize, context));
  node->own = reservation;
  alloc->dptr = reservation_address(reservation);
  return keep_accesses(node, alloc);
}

static CUresult copy_allocation(CUgraphNode node, const struct CUgraphNode_st *from) {
  hold(node, from->own);
  return keep_accesses(node, &from->params.alloc);
}

/* What an earlier launch has allocated is free again, or may not be in use. */
static CUresult begin_allocation(CUgraphNode node, bool frees, CUstream stream) {
  (void)stream;
  if (!reservation_in_use(node->own)) return CUDA_SUCCESS;
  NEEDS(frees);
  return reservation_free(node->own);
}

static CUresult run_allocation(CUgraphNode node, CUstream stream) {
  (void)stream;
  return reservation_use(node->own);
}

static void end_allocation(CUgraphNode node) {
  if (node->own != NULL) reservation_release(node->own);
  if (node->params.alloc.accessDescCount > 0) free((void *)(uintptr_t)node->params.alloc.accessDescs);
}

/* An address of another node that allocates, which nothing else in the graph frees. */
static CUresult take_free(CUgraphNode node, CUgraphNodeParams *params) {
  if (node->own != NULL) return CUDA_ERROR_NOT_SUPPORTED;
  struct reservation *reservation = reservation_at(params->free.dptr);
  NEEDS(reservation != NULL);
  for EACH_NODE(other, node->graph) NEEDS(other->kind != &free_node || other->own != reservation);
  hold(node, reservation);
  node->params.free = params->free;
  return CUDA_SUCCESS;
}

static CUresult copy_free(CUgraphNode node, const struct CUgraphNode_st *from) {
  hold(node, from->own);
  node->params.free = from->params.free;
  return CUDA_SUCCESS;
}

static CUresult run_free(CUgraphNode node, CUstream stream) {
  (void)stream;
  return reservation_free(node->own);
}

static void end_free(CUgraphNode node) {
  if (node->own != NULL) reservation_release(node->own);
}

static CUgraphExecUpdateResult differs(const struct CUgraphNode_st *node, const struct CUgraphNode_st *wanted) {
  return node->own == wanted->own ? CU_GRAPH_EXEC_UPDATE_SUCCESS : CU_GRAPH_EXEC_UPDATE_ERROR_NOT_SUPPORTED;
}

static void describe_allocation(const struct CUgraphNode_st *node, char *text, size_t room) {
  snprintf(text, room, "0x%llx, %zu bytes", node->params.alloc.dptr, node->params.alloc.bytesize);
}

static void describe_free(const struct CUgraphNode_st *node, char *text, size_t room) {
  snprintf(text, room, "0x%llx", node->params.free.dptr);
}

const struct node_kind allocate_node = {.name = "MEM_ALLOC",
                                        .take = take_allocation,
                                        .begin = begin_allocation,
                                        .run = run_allocation,
                                        .copy = copy_allocation,
                                        .end = end_allocation,
                                        .differs = differs,
                                        .describe = describe_allocation,
                                        .has_no_clones = true,
.fixes_graph = true};
const struct node_kind free_node = {.name = "MEM_FREE",
                                    .take = take_free,
                                    .run = run_free,
                                    .copy = copy_free,
                                    .end = end_free,
                                    .differs = differs,
                                    .describe = describe_free,
                                    .has_no_clones = true,
.fixes_graph = true};
