/* Executable graphs. */
#ifndef PTXRUN_CUDA_GRAPH_INSTANCE_H
#define PTXRUN_CUDA_GRAPH_INSTANCE_H

#include "graph.h"

#define NEEDS_INSTANCE(instance) NEEDS(object_is(instance, INSTANCE) && !(instance)->ends)

/* Changes the parameters of the copy of a node. */
CUresult instance_set(CUgraphExec instance, CUgraphNode node, CUgraphNodeParams *params);


#endif
