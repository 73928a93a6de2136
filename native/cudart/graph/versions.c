/* Functions of which CUDA 11, 12 and 13 have different forms; programs ask for a form by a name that CUDA 12 has added, too. */
#include "../runtime.h"
#include "pass.h"

PASSES(cudaGraphGetEdges_v2,
       (cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to, cudaGraphEdgeData *data, size_t *count),
       cuGraphGetEdges_v2(graph, from, to, data, count))
PASSES(cudaGraphNodeGetDependencies_v2, (cudaGraphNode_t node, cudaGraphNode_t *nodes, cudaGraphEdgeData *data, size_t *count),
       cuGraphNodeGetDependencies_v2(node, nodes, data, count))
PASSES(cudaGraphNodeGetDependentNodes_v2, (cudaGraphNode_t node, cudaGraphNode_t *nodes, cudaGraphEdgeData *data, size_t *count),
       cuGraphNodeGetDependentNodes_v2(node, nodes, data, count))
PASSES(cudaGraphAddDependencies_v2,
       (cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to, const cudaGraphEdgeData *data, size_t count),
       cuGraphAddDependencies_v2(graph, from, to, data, count))
PASSES(cudaGraphRemoveDependencies_v2,
       (cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to, const cudaGraphEdgeData *data, size_t count),
       cuGraphRemoveDependencies_v2(graph, from, to, data, count))
PASSES(cudaStreamGetCaptureInfo_v2,
       (cudaStream_t stream, CUstreamCaptureStatus *status, unsigned long long *id, cudaGraph_t *graph,
        const cudaGraphNode_t **nodes, size_t *count),
       cuStreamGetCaptureInfo_v2(stream, status, (uint64_t *)id, graph, nodes, count))
PER_THREAD(cudaStreamGetCaptureInfo_v2);
PASSES(cudaStreamGetCaptureInfo_v3,
       (cudaStream_t stream, CUstreamCaptureStatus *status, unsigned long long *id, cudaGraph_t *graph,
        const cudaGraphNode_t **nodes, const cudaGraphEdgeData **data, size_t *count),
       cuStreamGetCaptureInfo_v3(stream, status, (uint64_t *)id, graph, nodes, data, count))
PER_THREAD(cudaStreamGetCaptureInfo_v3);
PASSES(cudaStreamUpdateCaptureDependencies_v2,
       (cudaStream_t stream, cudaGraphNode_t *nodes, const cudaGraphEdgeData *data, size_t count, unsigned flags),
       cuStreamUpdateCaptureDependencies_v2(stream, nodes, data, count, flags))
PER_THREAD(cudaStreamUpdateCaptureDependencies_v2);

#if CUDART_MAJOR >= 13

API cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *nodes, const cudaGraphEdgeData *data,
                                 size_t count, struct cudaGraphNodeParams *params) {
  return cudaGraphAddNode_v2(node, graph, nodes, data, count, params);
}

ALSO(cudaGraphGetEdges_v2, cudaGraphGetEdges);
ALSO(cudaGraphNodeGetDependencies_v2, cudaGraphNodeGetDependencies);
ALSO(cudaGraphNodeGetDependentNodes_v2, cudaGraphNodeGetDependentNodes);
ALSO(cudaGraphAddDependencies_v2, cudaGraphAddDependencies);
ALSO(cudaGraphRemoveDependencies_v2, cudaGraphRemoveDependencies);
ALSO(cudaStreamGetCaptureInfo_v3, cudaStreamGetCaptureInfo);
ALSO(cudaStreamUpdateCaptureDependencies_v2, cudaStreamUpdateCaptureDependencies);

#else

API cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *nodes, size_t count,
                                 struct cudaGraphNodeParams *params) {
  return cudaGraphAddNode_v2(node, graph, nodes, NULL, count, params);
}

PASSES(cudaGraphGetEdges, (cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to, size_t *count),
       cuGraphGetEdges(graph, from, to, count))
PASSES(cudaGraphNodeGetDependencies, (cudaGraphNode_t node, cudaGraphNode_t *nodes, size_t *count),
       cuGraphNodeGetDependencies(node, nodes, count))
PASSES(cudaGraphNodeGetDependentNodes, (cudaGraphNode_t node, cudaGraphNode_t *nodes, size_t *count),
       cuGraphNodeGetDependentNodes(node, nodes, count))
PASSES(cudaGraphAddDependencies, (cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to, size_t count),
       cuGraphAddDependencies(graph, from, to, count))
PASSES(cudaGraphRemoveDependencies, (cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to, size_t count),
       cuGraphRemoveDependencies(graph, from, to, count))
PASSES(cudaStreamGetCaptureInfo, (cudaStream_t stream, CUstreamCaptureStatus *status, unsigned long long *id),
       cuStreamGetCaptureInfo(stream, status, (uint64_t *)id))
PASSES(cudaStreamUpdateCaptureDependencies, (cudaStream_t stream, cudaGraphNode_t *nodes, size_t count, unsigned flags),
       cuStreamUpdateCaptureDependencies(stream, nodes, count, flags))

#endif

PER_THREAD(cudaStreamGetCaptureInfo);
PER_THREAD(cudaStreamUpdateCaptureDependencies);

#if CUDART_MAJOR >= 12

PASSES(cudaGraphInstantiate, (cudaGraphExec_t *instance, cudaGraph_t graph, unsigned long long flags),
       cuGraphInstantiateWithFlags(instance, graph, flags))
PASSES(cudaGraphExecUpdate, (cudaGraphExec_t instance, cudaGraph_t graph, cudaGraphExecUpdateResultInfo *info),
       cuGraphExecUpdate_v2(instance, graph, info))

#else

PASSES(cudaGraphInstantiate, (cudaGraphExec_t *instance, cudaGraph_t graph, cudaGraphNode_t *wrong, char *log, size_t room),
       cuGraphInstantiate_v2(instance, graph, wrong, log, room))
PASSES(cudaGraphExecUpdate, (cudaGraphExec_t instance, cudaGraph_t graph, cudaGraphNode_t *wrong, CUgraphExecUpdateResult *result),
       cuGraphExecUpdate(instance, graph, wrong, result))

#endif
