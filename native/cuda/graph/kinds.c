#include "kinds.h"

static const struct node_kind *const kinds[] = {
    [CU_GRAPH_NODE_TYPE_KERNEL] = &kernel_node,
    [CU_GRAPH_NODE_TYPE_MEMCPY] = &copy_node,
    [CU_GRAPH_NODE_TYPE_MEMSET] = &set_node,
    [CU_GRAPH_NODE_TYPE_HOST] = &host_node,
    [CU_GRAPH_NODE_TYPE_GRAPH] = &child_node,
    [CU_GRAPH_NODE_TYPE_EMPTY] = &empty_node,
    [CU_GRAPH_NODE_TYPE_WAIT_EVENT] = &wait_node,
    [CU_GRAPH_NODE_TYPE_EVENT_RECORD] = &record_node,
    [CU_GRAPH_NODE_TYPE_MEM_ALLOC] = &allocate_node,
    [CU_GRAPH_NODE_TYPE_MEM_FREE] = &free_node,
    [CU_GRAPH_NODE_TYPE_CONDITIONAL] = &condition_node,
};
#define COUNT (sizeof kinds / sizeof *kinds)

const struct node_kind *node_kind_of(CUgraphNodeType type) { return (size_t)type < COUNT ? kinds[type] : NULL; }
