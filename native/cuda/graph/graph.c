#include "graph.h"

#include <stdlib.h>
#include <string.h>

#include "../driver.h"
#include "kinds.h"
#include "user_object.h"

static uint64_t made;

CUgraph graph_new(void) {
  CUgraph graph = object_new(GRAPH, sizeof *graph, NULL);
  if (graph != NULL) graph->id = ++made;
  return graph;
}

static CUgraphNode node_new(CUgraphNodeType type) {
  const struct node_kind *kind = node_kind_of(type);
  CUgraphNode node = kind == NULL ? NULL : object_new(NODE, sizeof *node, NULL);
  if (node == NULL) return NULL;
  node->kind = kind;
  node->params.type = type;
  node->id = ++made;
  return node;
}

void node_free(CUgraphNode node) {
  if (node->kind->end != NULL) node->kind->end(node);
  free(node->before.all);
  free(node->after.all);
  object_free(node);
}

CUresult node_copy(CUgraphNode *copy, const struct CUgraphNode_st *node) {
  CUgraphNode like = node_new(node->params.type);
  if (like == NULL) return CUDA_ERROR_OUT_OF_MEMORY;
  CUgraphNodeParams params = node->params;
  CUresult result = node->kind->copy != NULL ? node->kind->copy(like, node) : node->kind->take(like, &params);
  like->origin = node->id;
  like->disabled = node->disabled;
  if (result == CUDA_SUCCESS)
    *copy = like;
  else
    node_free(like);
  return result;
}

static struct edge *edge_to(const struct edges *edges, CUgraphNode node) {
  for (size_t i = 0; i < edges->count; i++)
    if (edges->all[i].node == node) return &edges->all[i];
  return NULL;
}

static bool append(struct edges *edges, struct edge edge) {
  if (edges->count == edges->room) {
    size_t room = edges->room == 0 ? 2 : 2 * edges->room;
    struct edge *all = realloc(edges->all, room * sizeof *all);
    if (all == NULL) return false;
    edges->all = all;
    edges->room = room;
  }
  edges->all[edges->count++] = edge;
  return true;
}

static void take_out(struct edges *edges, CUgraphNode node) {
  struct edge *edge = edge_to(edges, node);
  if (edge == NULL) return;
  memmove(edge, edge + 1, (size_t)(edges->all + edges->count - edge - 1) * sizeof *edge);
  edges->count--;
}

CUresult edge_add(CUgraphNode from, CUgraphNode to, CUgraphEdgeData data) {
  NEEDS(from != to && edge_to(&to->before, from) == NULL);
  if (!append(&to->before, (struct edge){from, data})) return CUDA_ERROR_OUT_OF_MEMORY;
  if (append(&from->after, (struct edge){to, data})) return CUDA_SUCCESS;
  to->before.count--;
  return CUDA_ERROR_OUT_OF_MEMORY;
}

bool edge_remove(CUgraphNode from, CUgraphNode to) {
  if (edge_to(&to->before, from) == NULL) return false;
  take_out(&to->before, from);
  take_out(&from->after, to);
  return true;
}

static void put_in(CUgraph graph, CUgraphNode node) {
  node->graph = graph;
  node->previous = graph->last;
  if (graph->last == NULL)
    graph->first = node;
  else
    graph->last->next = node;
  graph->last = node;
  graph->count++;
}

static void remove_node(CUgraphNode node) {
  CUgraph graph = node->graph;
  while (node->before.count > 0) edge_remove(node->before.all[0].node, node);
  while (node->after.count > 0) edge_remove(node, node->after.all[0].node);
  *(node->previous == NULL ? &graph->first : &node->previous->next) = node->next;
  *(node->next == NULL ? &graph->last : &node->next->previous) = node->previous;
  graph->count--;
  node_free(node);
}

void graph_free(CUgraph graph) {
  while (graph->first != NULL) {
    CUgraphNode node = graph->first;
    graph->first = node->next;
    node_free(node);
  }
  if (graph->instance != NULL) graph->instance->source = NULL;
  held_release_all(&graph->held);
  free(graph->order);
  object_free(graph);
}

CUresult graph_add(CUgraphNode *node, CUgraph graph, const CUgraphNode *before, const CUgraphEdgeData *data, size_t count,
                   CUgraphNodeParams *params) {
  NEEDS((unsigned)params->type <= CU_GRAPH_NODE_TYPE_CONDITIONAL);
  if (node_kind_of(params->type) == NULL) return CUDA_ERROR_NOT_SUPPORTED;
  for (size_t i = 0; i < count; i++) NEEDS(object_is(before[i], NODE) && before[i]->graph == graph);
  CUgraphNode like = node_new(params->type);
  if (like == NULL) return CUDA_ERROR_OUT_OF_MEMORY;
  put_in(graph, like);
  CUresult result = CUDA_SUCCESS;
  for (size_t i = 0; i < count && result == CUDA_SUCCESS; i++)
    result = edge_add(before[i], like, data == NULL ? (CUgraphEdgeData){0} : data[i]);
  /* Last, as it may take over what the parameters name. */
  if (result == CUDA_SUCCESS) result = like->kind->take(like, params);
  if (result == CUDA_SUCCESS)
    *node = like;
  else
    remove_node(like);
  return result;
}

static bool is_fixing(const struct node_kind *kind) { return kind->fixes_graph; }
static bool is_single(const struct node_kind *kind) { return kind->has_no_clones; }

static bool has_kind(const struct CUgraph_st *graph, bool (*is)(const struct node_kind *kind)) {
  for EACH_NODE(node, graph) {
    size_t count = 0;
    CUgraph *inner = node->kind->inner == NULL ? NULL : node->kind->inner(node, &count);
    if (is(node->kind)) return true;
    for (size_t i = 0; i < count; i++)
      if (has_kind(inner[i], is)) return true;
  }
  return false;
}

bool graph_is_fixed(const struct CUgraph_st *graph) { return has_kind(graph, is_fixing); }
bool graph_has_no_clones(const struct CUgraph_st *graph) { return has_kind(graph, is_single); }

CUgraphNode graph_find(const struct CUgraph_st *graph, uint64_t origin) {
  for EACH_NODE(node, graph) {
    size_t count = 0;
    if (node->origin == origin) return node;
    CUgraph *inner = node->kind->inner == NULL ? NULL : node->kind->inner(node, &count);
    for (size_t i = 0; i < count; i++) {
      CUgraphNode found = graph_find(inner[i], origin);
      if (found != NULL) return found;
    }
  }
  return NULL;
}

/* Nodes first, then edges: an edge may lead to a node that was added earlier. */
static CUresult copy_nodes(CUgraph copy, const struct CUgraph_st *graph) {
  for EACH_NODE(node, graph) {
    CUgraphNode like;
    TRY(node_copy(&like, node));
    put_in(copy, like);
    node->pair = like;
  }
  for EACH_NODE(node, graph)
    for (size_t i = 0; i < node->before.count; i++)
      TRY(edge_add(node->before.all[i].node->pair, node->pair, node->before.all[i].data));
  return held_copy(&copy->held, graph->held);
}

CUresult graph_copy(CUgraph *copy, const struct CUgraph_st *graph) {
  CUgraph like = graph_new();
  if (like == NULL) return CUDA_ERROR_OUT_OF_MEMORY;
  like->origin = graph->id;
  CUresult result = copy_nodes(like, graph);
  if (result == CUDA_SUCCESS)
    *copy = like;
  else
    graph_free(like);
  return result;
}

API CUresult cuGraphCreate(CUgraph *graph, unsigned flags) {
  NEEDS_INIT;
  NEEDS(graph != NULL && flags == 0);
  *graph = graph_new();
  return *graph == NULL ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_SUCCESS;
}

static CUresult destroy(CUgraph graph) {
  NEEDS_INIT;
  NEEDS_GRAPH(graph);
  NEEDS(graph->owner == NULL && !graph->is_captured_into);
  graph_free(graph);
  return CUDA_SUCCESS;
}

API CUresult cuGraphDestroy(CUgraph graph) {
  CUresult result = destroy(graph);
  user_objects_end();
  return result;
}

API CUresult cuGraphClone(CUgraph *clone, CUgraph graph) {
  NEEDS_INIT;
  NEEDS(clone != NULL);
  NEEDS_GRAPH(graph);
  if (graph_has_no_clones(graph)) return CUDA_ERROR_NOT_SUPPORTED;
  return graph_copy(clone, graph);
}

API CUresult cuGraphNodeFindInClone(CUgraphNode *node, CUgraphNode original, CUgraph clone) {
  NEEDS_INIT;
  NEEDS(node != NULL);
  NEEDS_NODE(original);
  NEEDS_GRAPH(clone);
  CUgraphNode found = graph_find(clone, original->id);
  NEEDS(found != NULL);
  *node = found;
  return CUDA_SUCCESS;
}

API CUresult cuGraphNodeGetType(CUgraphNode node, CUgraphNodeType *type) {
  NEEDS_INIT;
  NEEDS(type != NULL);
  NEEDS_NODE(node);
  *type = node->params.type;
  return CUDA_SUCCESS;
}

API CUresult cuGraphDestroyNode(CUgraphNode node) {
  NEEDS_INIT;
  NEEDS_NODE(node);
  NEEDS(node->graph != NULL && !node->graph->is_captured_into);
  if (graph_is_fixed(node->graph)) return CUDA_ERROR_NOT_SUPPORTED;
  remove_node(node);
  return CUDA_SUCCESS;
}

/* How many there are, or as many of them as there is room for; NULL in what room is left. */
static CUresult give_nodes(const struct CUgraph_st *graph, bool roots_alone, CUgraphNode *nodes, size_t *count) {
  size_t found = 0;
  for EACH_NODE(node, graph) {
    if (roots_alone && node->before.count > 0) continue;
    if (nodes != NULL && found == *count) break;
    if (nodes != NULL) nodes[found] = node;
    found++;
  }
  for (size_t i = found; nodes != NULL && i < *count; i++) nodes[i] = NULL;
  *count = found;
  return CUDA_SUCCESS;
}

API CUresult cuGraphGetNodes(CUgraph graph, CUgraphNode *nodes, size_t *count) {
  NEEDS_INIT;
  NEEDS(count != NULL);
  NEEDS_GRAPH(graph);
  return give_nodes(graph, false, nodes, count);
}

API CUresult cuGraphGetRootNodes(CUgraph graph, CUgraphNode *nodes, size_t *count) {
  NEEDS_INIT;
  NEEDS(count != NULL);
  NEEDS_GRAPH(graph);
  return give_nodes(graph, true, nodes, count);
}

static CUresult lets_go(CUgraph graph, CUuserObject object, unsigned count) {
  NEEDS_INIT;
  NEEDS_GRAPH(graph);
  return held_remove(&graph->held, object, count);
}

API CUresult cuGraphReleaseUserObject(CUgraph graph, CUuserObject object, unsigned count) {
  CUresult result = lets_go(graph, object, count);
  user_objects_end();
  return result;
}

API CUresult cuGraphRetainUserObject(CUgraph graph, CUuserObject object, unsigned count, unsigned flags) {
  NEEDS_INIT;
  NEEDS_GRAPH(graph);
  NEEDS((flags & ~(unsigned)CU_GRAPH_USER_OBJECT_MOVE) == 0);
  return held_add(&graph->held, object, count, flags != 0);
}
