/* Graphs, and the nodes in them. */
#ifndef PTXRUN_CUDA_GRAPH_H
#define PTXRUN_CUDA_GRAPH_H

#include "../state.h"

struct edge {
  CUgraphNode node;
  CUgraphEdgeData data;
};

struct edges {
  struct edge *all;
  size_t count, room;
};

struct CUgraphNode_st {
  struct object object;
  CUgraph graph;
  CUgraphNode next, previous;
  /* That no other node has, and that of the node which this one is a copy of. */
  uint64_t id, origin;
  const struct node_kind *kind;
  /* What they point to is the node's own. */
  CUgraphNodeParams params;
  /* What else the kind keeps. */
  void *own;
  /* What it depends on and what depends on it, in the order in which that was said. */
  struct edges before, after;
  /* Of a node of an executable graph. */
  bool disabled;
  /* For whoever walks over the graph. */
  size_t waits;
  CUgraphNode pair;
};

/* What a type of nodes is: an entry of the table in kinds.c. */
struct node_kind {
  const char *name;
  /* Checks parameters and makes them the node's; a node that has some keeps them where that fails. */
  CUresult (*take)(CUgraphNode node, CUgraphNodeParams *params);
  /* Before anything of a launch runs: whether it frees what earlier ones have left; NULL where nothing is to be done. */
  CUresult (*begin)(CUgraphNode node, bool frees, CUstream stream);
  /* Does what the node is there for, in the stream of the launch. */
  CUresult (*run)(CUgraphNode node, CUstream stream);
  /* Makes a new node like another one; NULL where that is to take its parameters. */
  CUresult (*copy)(CUgraphNode node, const struct CUgraphNode_st *from);
  /* Frees what the node has of its own; NULL where that is nothing. */
  void (*end)(CUgraphNode node);
  /* Why a node of an executable graph cannot become like another one; NULL where it always can. */
  CUgraphExecUpdateResult (*differs)(const struct CUgraphNode_st *node, const struct CUgraphNode_st *wanted);
  /* The graphs within it; NULL where there are none. */
  CUgraph *(*inner)(CUgraphNode node, size_t *count);
  /* Says what it does, in a few words, for a picture of the graph; NULL where its name says all. */
  void (*describe)(const struct CUgraphNode_st *node, char *text, size_t room);
  /* Nodes of executable graphs can be disabled. */
  bool can_be_disabled;
  /* Its graph has no clones. */
  bool has_no_clones;
  /* And keeps its nodes and edges, of which there is one executable graph at a time. */
  bool fixes_graph;
  /* It is not run under the driver's lock: it calls the program. */
  bool calls_program;
};

struct CUgraph_st {
  struct object object;
  CUgraphNode first, last;
  size_t count;
  /* The node that it is within; NULL for one that stands alone. */
  CUgraphNode owner;
  /* Of a graph that was captured or cloned, what it is a clone of. */
  uint64_t id, origin;
  /* Nothing is instantiated of it yet. */
  bool is_captured_into;
  /* The only executable graph of one that keeps its nodes. */
  CUgraphExec instance;
  /* User objects that it holds. */
  struct held *held;
  /* Of an executable graph: its nodes, each behind those that it depends on. */
  CUgraphNode *order;
};

struct CUgraphExec_st {
  struct object object;
  /* A copy of its own. */
  CUgraph graph;
  /* What it is made of, where that may have one alone; NULL else, and when that is gone. */
  CUgraph source;
  uint64_t flags;
  /* Launches that are under way, and whether it ends with the last of them. */
  unsigned launches;
  bool ends;
};

#define EACH_NODE(node, graph) (CUgraphNode node = (graph)->first; node != NULL; node = node->next)
#define NEEDS_GRAPH(graph) NEEDS(object_is(graph, GRAPH))
#define NEEDS_NODE(node) NEEDS(object_is(node, NODE))

CUgraph graph_new(void);
/* With all that is in it. */
void graph_free(CUgraph graph);
/* A copy whose nodes name the originals. */
CUresult graph_copy(CUgraph *copy, const struct CUgraph_st *graph);
bool graph_is_fixed(const struct CUgraph_st *graph);
bool graph_has_no_clones(const struct CUgraph_st *graph);
/* The copy of a node within a graph, and within the graphs in it; NULL where there is none. */
CUgraphNode graph_find(const struct CUgraph_st *graph, uint64_t origin);

CUresult graph_add(CUgraphNode *node, CUgraph graph, const CUgraphNode *before, const CUgraphEdgeData *data, size_t count,
                   CUgraphNodeParams *params);

/* A node without a graph, like another one. */
CUresult node_copy(CUgraphNode *made, const struct CUgraphNode_st *node);
void node_free(CUgraphNode node);

/* An edge within a graph; an error where it is there. */
CUresult edge_add(CUgraphNode from, CUgraphNode to, CUgraphEdgeData data);
bool edge_remove(CUgraphNode from, CUgraphNode to);

#endif
