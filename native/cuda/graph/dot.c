/* A picture of a graph, as Graphviz reads it. */
#include <stdio.h>

#include "../driver.h"
#include "graph.h"

/* A flag asks for what is said by a node's type anyway; these are all of them. */
#define VERBOSE 1u
#define HANDLES 1024u
#define FLAGS 0xffffu

static void print_text(FILE *file, const char *text) {
  for (; *text != 0; text++) fprintf(file, *text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
}

/* Nodes are named by their graph and their place in it. */
static void print_graph(FILE *file, const struct CUgraph_st *graph, unsigned flags, int depth, unsigned *graphs) {
  unsigned own = (*graphs)++, at = 0;
  fprintf(file, "%*ssubgraph cluster_%u {\n", 2 * depth, "", own);
  fprintf(file, "%*slabel=\"graph_%u\" graph[style=\"dashed\"]\n", 2 * depth + 2, "", own);
  for EACH_NODE(node, graph) node->waits = at++;
  for EACH_NODE(node, graph) {
    char text[600] = "";
    size_t count = 0;
    bool described = node->kind->describe != NULL;
    if (described) node->kind->describe(node, text, sizeof text);
    fprintf(file, "%*s\"graph_%u_node_%zu\"[shape=\"%s\" label=\"%zu\\n%s", 2 * depth + 2, "", own, node->waits,
            described ? "rectangle" : "octagon", node->waits, node->kind->name);
    if (described) fprintf(file, "\\n");
    print_text(file, text);
    if ((flags & (VERBOSE | HANDLES)) != 0) fprintf(file, "\\nhandle: 0x%llx", (unsigned long long)(uintptr_t)node);
    fprintf(file, "\"]\n");
    CUgraph *inner = node->kind->inner == NULL ? NULL : node->kind->inner(node, &count);
    for (size_t i = 0; i < count; i++) print_graph(file, inner[i], flags, depth + 1, graphs);
  }
  for EACH_NODE(node, graph)
    for (size_t i = 0; i < node->after.count; i++)
      fprintf(file, "%*s\"graph_%u_node_%zu\" -> \"graph_%u_node_%zu\"\n", 2 * depth + 2, "", own, node->waits, own,
              node->after.all[i].node->waits);
  fprintf(file, "%*s}\n", 2 * depth, "");
}

API CUresult cuGraphDebugDotPrint(CUgraph graph, const char *path, unsigned flags) {
  NEEDS_INIT;
  NEEDS(path != NULL && (flags & ~FLAGS) == 0);
  NEEDS_GRAPH(graph);
  FILE *file = fopen(path, "we");
  if (file == NULL) return CUDA_ERROR_OPERATING_SYSTEM;
  unsigned graphs = 0;
  fprintf(file, "digraph dot {\n");
  print_graph(file, graph, flags, 1, &graphs);
  fprintf(file, "}\n");
  return fclose(file) == 0 ? CUDA_SUCCESS : CUDA_ERROR_OPERATING_SYSTEM;
}
