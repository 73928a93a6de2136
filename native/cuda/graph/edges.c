/* What depends on what, as programs ask for it and change it. */
#include <string.h>

#include "../driver.h"
#include "graph.h"

static bool is_plain(CUgraphEdgeData data) {
  static const CUgraphEdgeData plain;
  return memcmp(&data, &plain, sizeof plain) == 0;
}

/* Where edges are written to; each may be NULL. */
struct listing {
  CUgraphNode *from, *to;
  CUgraphEdgeData *data;
  size_t room, found;
};

static CUresult list(struct listing *listing, CUgraphNode from, CUgraphNode to, CUgraphEdgeData data) {
  bool wanted = listing->from != NULL || listing->to != NULL;
  if (wanted && listing->found == listing->room) return CUDA_SUCCESS;
  if (wanted && listing->data == NULL && !is_plain(data)) return CUDA_ERROR_LOSSY_QUERY;
  if (listing->from != NULL) listing->from[listing->found] = from;
  if (listing->to != NULL) listing->to[listing->found] = to;
  if (listing->data != NULL && wanted) listing->data[listing->found] = data;
  listing->found++;
  return CUDA_SUCCESS;
}

/* Where there was room for more, there is nothing. */
static CUresult end_list(struct listing *listing, size_t *count) {
  for (size_t i = listing->found; listing->from != NULL && i < listing->room; i++) listing->from[i] = NULL;
  for (size_t i = listing->found; listing->to != NULL && i < listing->room; i++) listing->to[i] = NULL;
  *count = listing->found;
  return CUDA_SUCCESS;
}

static CUresult list_edges(struct listing *listing, const struct edges *edges, CUgraphNode node, bool before) {
  for (size_t i = 0; i < edges->count; i++) {
    CUgraphNode other = edges->all[i].node;
    TRY(list(listing, before ? other : node, before ? node : other, edges->all[i].data));
  }
  return CUDA_SUCCESS;
}

API CUresult cuGraphGetEdges_v2(CUgraph graph, CUgraphNode *from, CUgraphNode *to, CUgraphEdgeData *data, size_t *count) {
  NEEDS_INIT;
  NEEDS_GRAPH(graph);
  NEEDS(count != NULL && (from == NULL) == (to == NULL) && (data == NULL || from != NULL));
  struct listing listing = {from, to, data, *count, 0};
  for EACH_NODE(node, graph) TRY(list_edges(&listing, &node->before, node, true));
  return end_list(&listing, count);
}

API CUresult cuGraphGetEdges(CUgraph graph, CUgraphNode *from, CUgraphNode *to, size_t *count) {
  return cuGraphGetEdges_v2(graph, from, to, NULL, count);
}

API CUresult cuGraphNodeGetDependencies_v2(CUgraphNode node, CUgraphNode *nodes, CUgraphEdgeData *data, size_t *count) {
  NEEDS_INIT;
  NEEDS_NODE(node);
  NEEDS(count != NULL && (data == NULL || nodes != NULL));
  struct listing listing = {nodes, NULL, data, *count, 0};
  TRY(list_edges(&listing, &node->before, node, true));
  return end_list(&listing, count);
}

API CUresult cuGraphNodeGetDependencies(CUgraphNode node, CUgraphNode *nodes, size_t *count) {
  return cuGraphNodeGetDependencies_v2(node, nodes, NULL, count);
}

API CUresult cuGraphNodeGetDependentNodes_v2(CUgraphNode node, CUgraphNode *nodes, CUgraphEdgeData *data, size_t *count) {
  NEEDS_INIT;
  NEEDS_NODE(node);
  NEEDS(count != NULL && (data == NULL || nodes != NULL));
  struct listing listing = {NULL, nodes, data, *count, 0};
  TRY(list_edges(&listing, &node->after, node, false));
  return end_list(&listing, count);
}

API CUresult cuGraphNodeGetDependentNodes(CUgraphNode node, CUgraphNode *nodes, size_t *count) {
  return cuGraphNodeGetDependentNodes_v2(node, nodes, NULL, count);
}

static CUresult needs_ends(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to, size_t count) {
  NEEDS_GRAPH(graph);
  NEEDS(count == 0 || (from != NULL && to != NULL));
  for (size_t i = 0; i < count; i++) {
    NEEDS_NODE(from[i]);
    NEEDS_NODE(to[i]);
    NEEDS(from[i]->graph == graph && to[i]->graph == graph);
  }
  return CUDA_SUCCESS;
}

API CUresult cuGraphAddDependencies_v2(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to, const CUgraphEdgeData *data,
                                       size_t count) {
  NEEDS_INIT;
  TRY(needs_ends(graph, from, to, count));
  for (size_t i = 0; i < count; i++) TRY(edge_add(from[i], to[i], data == NULL ? (CUgraphEdgeData){0} : data[i]));
  return CUDA_SUCCESS;
}

API CUresult cuGraphAddDependencies(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to, size_t count) {
  return cuGraphAddDependencies_v2(graph, from, to, NULL, count);
}

API CUresult cuGraphRemoveDependencies_v2(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
                                          const CUgraphEdgeData *data, size_t count) {
  NEEDS_INIT;
  (void)data;
  TRY(needs_ends(graph, from, to, count));
  if (count > 0 && graph_is_fixed(graph)) return CUDA_ERROR_NOT_SUPPORTED;
  for (size_t i = 0; i < count; i++) NEEDS(edge_remove(from[i], to[i]));
  return CUDA_SUCCESS;
}

API CUresult cuGraphRemoveDependencies(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to, size_t count) {
  return cuGraphRemoveDependencies_v2(graph, from, to, NULL, count);
}
