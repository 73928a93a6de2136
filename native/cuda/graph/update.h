/* Changes of the nodes of executable graphs. */
#ifndef PTXRUN_CUDA_GRAPH_UPDATE_H
#define PTXRUN_CUDA_GRAPH_UPDATE_H

#include "graph.h"

/* Gives a node other parameters, where it can have them. */
CUresult node_change(CUgraphNode node, CUgraphNodeParams *params);

/* Makes a graph like another one of the same form; says what differs where that cannot be, and changes nothing then. */
CUgraphExecUpdateResultInfo graph_update(CUgraph graph, CUgraph wanted);

#endif
