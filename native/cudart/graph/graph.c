/* Graphs and captures. What differs between the versions of CUDA stands in versions.c. */
#include "../registry.h"
#include "pass.h"

PASSES(cudaGraphCreate, (cudaGraph_t *graph, unsigned flags), cuGraphCreate(graph, flags))
PASSES(cudaGraphDestroy, (cudaGraph_t graph), cuGraphDestroy(graph))
PASSES(cudaGraphClone, (cudaGraph_t *clone, cudaGraph_t graph), cuGraphClone(clone, graph))
PASSES(cudaGraphNodeFindInClone, (cudaGraphNode_t *node, cudaGraphNode_t original, cudaGraph_t clone),
       cuGraphNodeFindInClone(node, original, clone))
PASSES(cudaGraphNodeGetType, (cudaGraphNode_t node, CUgraphNodeType *type), cuGraphNodeGetType(node, type))
PASSES(cudaGraphGetNodes, (cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count), cuGraphGetNodes(graph, nodes, count))
PASSES(cudaGraphGetRootNodes, (cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count), cuGraphGetRootNodes(graph, nodes, count))
PASSES(cudaGraphDestroyNode, (cudaGraphNode_t node), cuGraphDestroyNode(node))
PASSES(cudaGraphDebugDotPrint, (cudaGraph_t graph, const char *path, unsigned flags), cuGraphDebugDotPrint(graph, path, flags))

PASSES(cudaGraphInstantiateWithFlags, (cudaGraphExec_t *instance, cudaGraph_t graph, unsigned long long flags),
       cuGraphInstantiateWithFlags(instance, graph, flags))
PASSES(cudaGraphInstantiateWithParams, (cudaGraphExec_t *instance, cudaGraph_t graph, cudaGraphInstantiateParams *params),
       cuGraphInstantiateWithParams(instance, graph, params))
PER_THREAD(cudaGraphInstantiateWithParams);
PASSES(cudaGraphExecGetFlags, (cudaGraphExec_t instance, unsigned long long *flags), cuGraphExecGetFlags(instance, (uint64_t *)flags))
PASSES(cudaGraphExecDestroy, (cudaGraphExec_t instance), cuGraphExecDestroy(instance))
PASSES(cudaGraphUpload, (cudaGraphExec_t instance, cudaStream_t stream), cuGraphUpload(instance, stream))
PER_THREAD(cudaGraphUpload);
PASSES(cudaGraphNodeSetEnabled, (cudaGraphExec_t instance, cudaGraphNode_t node, unsigned enabled),
       cuGraphNodeSetEnabled(instance, node, enabled))
PASSES(cudaGraphNodeGetEnabled, (cudaGraphExec_t instance, cudaGraphNode_t node, unsigned *enabled),
       cuGraphNodeGetEnabled(instance, node, enabled))

API cudaError_t cudaGraphLaunch(cudaGraphExec_t instance, cudaStream_t stream) {
  BEGIN;
  managed_to_device();
  CUresult result = cuGraphLaunch(instance, stream);
  managed_to_program();
  return end(result);
}
PER_THREAD(cudaGraphLaunch);

PASSES(cudaUserObjectCreate, (cudaUserObject_t *object, void *value, cudaHostFn_t destroy, unsigned count, unsigned flags),
       cuUserObjectCreate(object, value, destroy, count, flags))
PASSES(cudaUserObjectRetain, (cudaUserObject_t object, unsigned count), cuUserObjectRetain(object, count))
PASSES(cudaUserObjectRelease, (cudaUserObject_t object, unsigned count), cuUserObjectRelease(object, count))
PASSES(cudaGraphRetainUserObject, (cudaGraph_t graph, cudaUserObject_t object, unsigned count, unsigned flags),
       cuGraphRetainUserObject(graph, object, count, flags))
PASSES(cudaGraphReleaseUserObject, (cudaGraph_t graph, cudaUserObject_t object, unsigned count),
       cuGraphReleaseUserObject(graph, object, count))

PASSES(cudaDeviceGraphMemTrim, (int device), cuDeviceGraphMemTrim(device))
PASSES(cudaDeviceGetGraphMemAttribute, (int device, CUgraphMem_attribute attribute, void *value),
       cuDeviceGetGraphMemAttribute(device, attribute, value))
PASSES(cudaDeviceSetGraphMemAttribute, (int device, CUgraphMem_attribute attribute, void *value),
       cuDeviceSetGraphMemAttribute(device, attribute, value))

PASSES(cudaGraphConditionalHandleCreate,
       (cudaGraphConditionalHandle *handle, cudaGraph_t graph, unsigned value, unsigned flags),
       cuGraphConditionalHandleCreate(handle, graph, own_context(), value, flags))

PASSES(cudaStreamBeginCapture, (cudaStream_t stream, CUstreamCaptureMode mode), cuStreamBeginCapture_v2(stream, mode))
/* By which the driver knows that the program is built for streams of each thread. */
PASSES(cudaStreamBeginCapture_ptsz, (cudaStream_t stream, CUstreamCaptureMode mode), cuStreamBeginCapture_v2_ptsz(stream, mode))
PASSES(cudaStreamBeginCaptureToGraph,
       (cudaStream_t stream, cudaGraph_t graph, const cudaGraphNode_t *nodes, const cudaGraphEdgeData *data, size_t count,
        CUstreamCaptureMode mode),
       cuStreamBeginCaptureToGraph(stream, graph, nodes, data, count, mode))
PASSES(cudaStreamBeginCaptureToGraph_ptsz,
       (cudaStream_t stream, cudaGraph_t graph, const cudaGraphNode_t *nodes, const cudaGraphEdgeData *data, size_t count,
        CUstreamCaptureMode mode),
       cuStreamBeginCaptureToGraph_ptsz(stream, graph, nodes, data, count, mode))
PASSES(cudaStreamEndCapture, (cudaStream_t stream, cudaGraph_t *graph), cuStreamEndCapture(stream, graph))
PER_THREAD(cudaStreamEndCapture);
PASSES(cudaStreamIsCapturing, (cudaStream_t stream, CUstreamCaptureStatus *status), cuStreamIsCapturing(stream, status))
PER_THREAD(cudaStreamIsCapturing);
PASSES(cudaThreadExchangeStreamCaptureMode, (CUstreamCaptureMode *mode), cuThreadExchangeStreamCaptureMode(mode))
