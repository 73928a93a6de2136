/* The types of nodes. */
#ifndef PTXRUN_CUDA_GRAPH_KINDS_H
#define PTXRUN_CUDA_GRAPH_KINDS_H

#include "../types.h"

/* Each in the file of its name, or with the one that belongs to it. */
extern const struct node_kind kernel_node, copy_node, set_node, host_node, child_node, empty_node, wait_node, record_node,
    allocate_node, free_node, condition_node;

/* NULL for a type that is not there. */
const struct node_kind *node_kind_of(CUgraphNodeType type);

#endif
