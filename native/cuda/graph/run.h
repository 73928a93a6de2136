/* Runs of executable graphs. */
#ifndef PTXRUN_CUDA_GRAPH_RUN_H
#define PTXRUN_CUDA_GRAPH_RUN_H

#include "graph.h"

/* Finds an order for a graph and those within it; an error, and a node on a circle, where there is none. */
CUresult graph_order(CUgraph graph, CUgraphNode *wrong);
/* Runs the nodes in that order, with the lock held once, which is let go of while the program is called. */
CUresult graph_run(CUgraph graph, CUstream stream);

#endif
