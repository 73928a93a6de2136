/* Graphs and captures, by the driver API. */
#include <pthread.h>
#include <unistd.h>

#include "driver-check.h"
#include "driver-kernels.h"

static CUfunction forward;
static CUdeviceptr data;
static uint32_t words[4];

/* Adds 5 to each of the four words. */
static CUDA_KERNEL_NODE_PARAMS step(void **parameters) {
  *parameters = &data;
  return (CUDA_KERNEL_NODE_PARAMS){forward, 1, 1, 1, 4, 1, 1, 0, parameters, NULL, NULL, NULL};
}

static CUDA_MEMCPY3D line(CUmemorytype to_kind, void *to, CUmemorytype from_kind, void *from, size_t bytes) {
  return (CUDA_MEMCPY3D){.srcMemoryType = from_kind, .srcHost = from, .srcDevice = (CUdeviceptr)(uintptr_t)from,
                         .dstMemoryType = to_kind, .dstHost = to, .dstDevice = (CUdeviceptr)(uintptr_t)to,
                         .WidthInBytes = bytes, .Height = 1, .Depth = 1};
}

static int calls;
static void count_call(void *number) { calls += *(int *)number; }

static void prepare(void) {
  static const uint32_t zeros[4];
  calls = 0;
  memset(words, 0, sizeof words);
  begin();
  forward = kernel_of(stepping, "forward");
  data = device_copy(zeros, sizeof zeros);
}

static CUDA_MEMCPY3D to_program(void) {
  return line(CU_MEMORYTYPE_HOST, words, CU_MEMORYTYPE_DEVICE, (void *)(uintptr_t)data, sizeof words);
}

/* A node of each type that needs no memory of its own: set, two launches, a copy, a call. */
struct chain {
  CUgraph graph;
  CUgraphNode set, first, second, copy, call;
};

static struct chain make_chain(void) {
  static int one = 1;
  struct chain chain;
  void *parameters[1];
  CUDA_KERNEL_NODE_PARAMS kernel = step(parameters);
  CUDA_MEMSET_NODE_PARAMS set = {data, 0, 7, 4, 4, 1};
  CUDA_MEMCPY3D copy = to_program();
  CUDA_HOST_NODE_PARAMS host = {count_call, &one};
  WORKS(cuGraphCreate(&chain.graph, 0));
  /* Added in another order than they run in. */
  WORKS(cuGraphAddHostNode(&chain.call, chain.graph, NULL, 0, &host));
  WORKS(cuGraphAddMemcpyNode(&chain.copy, chain.graph, NULL, 0, &copy, NULL));
  WORKS(cuGraphAddMemsetNode(&chain.set, chain.graph, NULL, 0, &set, NULL));
  WORKS(cuGraphAddKernelNode_v2(&chain.first, chain.graph, &chain.set, 1, &kernel));
  WORKS(cuGraphAddKernelNode_v2(&chain.second, chain.graph, &chain.first, 1, &kernel));
  CUgraphNode from[] = {chain.second, chain.copy}, to[] = {chain.copy, chain.call};
  WORKS(cuGraphAddDependencies(chain.graph, from, to, 2));
  return chain;
}

static CUgraphExec executable(CUgraph graph) {
  CUgraphExec made;
  WORKS(cuGraphInstantiateWithFlags(&made, graph, 0));
  return made;
}

/* What a launch leaves in the first word. */
static uint32_t launched(CUgraphExec graph) {
  WORKS(cuGraphLaunch(graph, NULL));
  WORKS(cuCtxSynchronize());
  return words[0];
}

static void nodes(void) {
  prepare();
  struct chain chain = make_chain();
  CUgraphExec run = executable(chain.graph);
  CHECK(launched(run) == 17 && words[3] == 17 && calls == 1);
  CHECK(launched(run) == 17 && calls == 2);
  WORKS(cuGraphUpload(run, NULL));

  CUgraphNode found[6] = {NULL}, wrong;
  size_t count = 6;
  WORKS(cuGraphGetNodes(chain.graph, found, &count));
  CHECK(count == 5 && found[0] == chain.call && found[4] == chain.second && found[5] == NULL);
  WORKS(cuGraphGetNodes(chain.graph, NULL, &count));
  CHECK(count == 5);
  count = 1;
  WORKS(cuGraphGetRootNodes(chain.graph, found, &count));
  CHECK(count == 1 && found[0] == chain.set);
  WORKS(cuGraphNodeGetDependencies(chain.copy, found, &count));
  CHECK(count == 1 && found[0] == chain.second);
  WORKS(cuGraphNodeGetDependentNodes(chain.copy, found, &count));
  CHECK(count == 1 && found[0] == chain.call);
  CUgraphNode from[5], to[5];
  count = 5;
  WORKS(cuGraphGetEdges(chain.graph, from, to, &count));
  CHECK(count == 4 && from[0] == chain.copy && to[0] == chain.call);
  CUgraphNodeType type;
  WORKS(cuGraphNodeGetType(chain.set, &type));
  CHECK(type == CU_GRAPH_NODE_TYPE_MEMSET);
  CUDA_KERNEL_NODE_PARAMS kernel;
  WORKS(cuGraphKernelNodeGetParams_v2(chain.first, &kernel));
  CHECK(kernel.func == forward && kernel.blockDimX == 4 && *(CUdeviceptr *)kernel.kernelParams[0] == data);
  CUDA_HOST_NODE_PARAMS host;
  WORKS(cuGraphHostNodeGetParams(chain.call, &host));
  CHECK(host.fn == count_call);

  /* Other parameters, of the graph alone and of what is made of it. */
  kernel.blockDimX = 1;
  WORKS(cuGraphKernelNodeSetParams_v2(chain.first, &kernel));
  CHECK(launched(run) == 17 && words[3] == 17);
  WORKS(cuGraphKernelNodeGetParams_v2(chain.first, &kernel));
  WORKS(cuGraphExecKernelNodeSetParams_v2(run, chain.second, &kernel));
  CHECK(launched(run) == 17 && words[3] == 12);
  CUDA_MEMSET_NODE_PARAMS set = {data, 0, 1, 4, 4, 1};
  WORKS(cuGraphExecMemsetNodeSetParams(run, chain.set, &set, NULL));
  CHECK(launched(run) == 11);
  set.height = 2, set.pitch = 16;
  GIVES(CUDA_ERROR_INVALID_VALUE, cuGraphExecMemsetNodeSetParams(run, chain.set, &set, NULL));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuGraphExecMemsetNodeSetParams(run, chain.first, &set, NULL));
  CUDA_MEMCPY3D copy = to_program();
  copy.WidthInBytes = 8, copy.Height = 2, copy.srcPitch = copy.dstPitch = 8;
  GIVES(CUDA_ERROR_INVALID_VALUE, cuGraphExecMemcpyNodeSetParams(run, chain.copy, &copy, NULL));
  int ten = 10;
  host.userData = &ten;
  WORKS(cuGraphExecHostNodeSetParams(run, chain.call, &host));
  calls = 0;
  launched(run);
  CHECK(calls == 10);
  unsigned enabled;
  WORKS(cuGraphNodeSetEnabled(run, chain.first, 0));
  WORKS(cuGraphNodeGetEnabled(run, chain.first, &enabled));
  CHECK(enabled == 0 && launched(run) == 6);
  GIVES(CUDA_ERROR_INVALID_VALUE, cuGraphNodeSetEnabled(run, chain.call, 0));

  /* What cannot be added, and a circle. */
  kernel.blockDimX = 2048;
  GIVES(CUDA_ERROR_INVALID_VALUE, cuGraphAddKernelNode_v2(&wrong, chain.graph, NULL, 0, &kernel));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuGraphAddEmptyNode(&wrong, chain.graph, (CUgraphNode[]){NULL}, 1));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuGraphAddEmptyNode(&wrong, chain.graph, (CUgraphNode[]){chain.set, chain.set}, 2));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuGraphAddDependencies(chain.graph, &chain.set, &chain.first, 1));
  CUgraphNodeParams other = {.type = (CUgraphNodeType)14};
  GIVES(CUDA_ERROR_INVALID_VALUE, cuGraphAddNode(&wrong, chain.graph, NULL, 0, &other));
  other.type = CU_GRAPH_NODE_TYPE_BATCH_MEM_OP;
  GIVES(CUDA_ERROR_NOT_SUPPORTED, cuGraphAddNode(&wrong, chain.graph, NULL, 0, &other));
  WORKS(cuGraphGetNodes(chain.graph, NULL, &count));
  CHECK(count == 5);
  WORKS(cuGraphAddDependencies(chain.graph, &chain.copy, &chain.first, 1));
  CUgraphExec none;
  CUDA_GRAPH_INSTANTIATE_PARAMS how = {.flags = 0};
  GIVES(CUDA_ERROR_INVALID_VALUE, cuGraphInstantiateWithParams(&none, chain.graph, &how));
  CHECK(how.result_out == CUDA_GRAPH_INSTANTIATE_INVALID_STRUCTURE && how.hErrNode_out != NULL);
  char log[80] = "";
  GIVES(CUDA_ERROR_INVALID_VALUE, cuGraphInstantiate(&none, chain.graph, &wrong, log, sizeof log));
  CHECK(strstr(log, "depends on itself") != NULL && wrong != NULL);
  WORKS(cuGraphRemoveDependencies(chain.graph, &chain.copy, &chain.first, 1));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuGraphRemoveDependencies(chain.graph, &chain.copy, &chain.first, 1));
  WORKS(cuGraphDestroyNode(chain.copy));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuGraphNodeGetType(chain.copy, &type));
  GIVES(CUDA_ERROR_NOT_SUPPORTED, cuGraphInstantiateWithFlags(&none, chain.graph, CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH));
  uint64_t flags;
  WORKS(cuGraphExecGetFlags(run, &flags));
  CHECK(flags == 0);
  WORKS(cuGraphExecDestroy(run));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuGraphLaunch(run, NULL));
  WORKS(cuGraphDestroy(chain.graph));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuGraphDestroy(chain.graph));
}

static void clones(void) {
  prepare();
  struct chain chain = make_chain();
  CUgraph clone, outer, within;
  CUgraphNode copied, child, last;
  WORKS(cuGraphClone(&clone, chain.graph));
  WORKS(cuGraphNodeFindInClone(&copied, chain.second, clone));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuGraphNodeFindInClone(&last, copied, clone));
  WORKS(cuGraphDestroyNode(copied));
  CUgraphNode found;
  GIVES(CUDA_ERROR_INVALID_VALUE, cuGraphNodeFindInClone(&found, chain.second, clone));
  /* The copy of a graph is a node of another one, twice. */
  WORKS(cuGraphCreate(&outer, 0));
  WORKS(cuGraphAddChildGraphNode(&child, outer, NULL, 0, chain.graph));
  WORKS(cuGraphAddChildGraphNode(&last, outer, &child, 1, chain.graph));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuGraphAddChildGraphNode(&found, outer, NULL, 0, outer));
  WORKS(cuGraphChildGraphNodeGetGraph(last, &within));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuGraphDestroy(within));
  WORKS(cuGraphDestroy(chain.graph));
  CUgraphExec run = executable(outer);
  calls = 0;
  CHECK(launched(run) == 17 && calls == 2);
  /* A node within it. */
  CUgraphNode inner[5];
  size_t count = 5;
  WORKS(cuGraphGetNodes(within, inner, &count));
  WORKS(cuGraphNodeSetEnabled(run, inner[3], 0));
  CHECK(launched(run) == 12);
  const char *path = getenv("DOT");
  WORKS(cuGraphDebugDotPrint(outer, path, 0));
  GIVES(CUDA_ERROR_OPERATING_SYSTEM, cuGraphDebugDotPrint(outer, "/nowhere/at/all", 0));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuGraphDebugDotPrint(outer, NULL, 0));
}

static void updates(void) {
  prepare();
  struct chain chain = make_chain(), other = make_chain(), third = make_chain();
  CUgraphExec run = executable(chain.graph);
  CUgraphExecUpdateResultInfo info;
  CUDA_MEMSET_NODE_PARAMS set = {data, 0, 100, 4, 4, 1};
  WORKS(cuGraphMemsetNodeSetParams(other.set, &set));
  WORKS(cuGraphExecUpdate_v2(run, other.graph, &info));
  CHECK(info.result == CU_GRAPH_EXEC_UPDATE_SUCCESS && launched(run) == 110);
  /* The nodes of the first graph still name those of the executable one. */
  WORKS(cuGraphNodeSetEnabled(run, chain.first, 0));
  CHECK(launched(run) == 105);
  CUDA_MEMCPY3D copy = to_program();
  copy.dstMemoryType = CU_MEMORYTYPE_UNIFIED;
  WORKS(cuGraphMemcpyNodeSetParams(other.copy, &copy));
  WORKS(cuGraphMemsetNodeSetParams(other.set, &(CUDA_MEMSET_NODE_PARAMS){data, 0, 0, 4, 4, 1}));
  GIVES(CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE, cuGraphExecUpdate_v2(run, other.graph, &info));
  CHECK(info.result == CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED && info.errorNode == other.copy);
  /* Nothing has changed then. */
  CHECK(launched(run) == 105);
  CUlaunchAttributeValue cooperative = {.cooperative = 1};
  WORKS(cuGraphKernelNodeSetAttribute(third.first, CU_LAUNCH_ATTRIBUTE_COOPERATIVE, &cooperative));
  cooperative.cooperative = 0;
  WORKS(cuGraphKernelNodeGetAttribute(third.first, CU_LAUNCH_ATTRIBUTE_COOPERATIVE, &cooperative));
  CHECK(cooperative.cooperative == 1);
  CUgraphNode wrong;
  CUgraphExecUpdateResult why;
  GIVES(CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE, cuGraphExecUpdate(run, third.graph, &wrong, &why));
  CHECK(why == CU_GRAPH_EXEC_UPDATE_ERROR_ATTRIBUTES_CHANGED && wrong == third.first);
  WORKS(cuGraphKernelNodeCopyAttributes(third.first, third.second));
  WORKS(cuGraphExecUpdate(run, third.graph, &wrong, &why));
  /* Another form. */
  WORKS(cuGraphRemoveDependencies(third.graph, &third.set, &third.first, 1));
  GIVES(CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE, cuGraphExecUpdate_v2(run, third.graph, &info));
  CHECK(info.result == CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED);
  WORKS(cuGraphAddDependencies(third.graph, &third.set, &third.first, 1));
  WORKS(cuGraphDestroyNode(third.call));
  WORKS(cuGraphAddEmptyNode(&wrong, third.graph, &third.copy, 1));
  GIVES(CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE, cuGraphExecUpdate_v2(run, third.graph, &info));
  CHECK(info.result == CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED && info.errorNode == wrong);
  WORKS(cuGraphDestroyNode(wrong));
  GIVES(CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE, cuGraphExecUpdate_v2(run, third.graph, &info));
  CHECK(info.result == CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED && info.errorNode == NULL);
  CHECK(launched(run) == 12);
}

static CUstream stream_of(unsigned flags) {
  CUstream stream;
  WORKS(cuStreamCreate(&stream, flags));
  return stream;
}

static CUevent event_of(void) {
  CUevent event;
  WORKS(cuEventCreate(&event, 2));
  return event;
}

static void captures(void) {
  prepare();
  CUstream first = stream_of(1), second = stream_of(1);
  CUevent fork = event_of(), joined = event_of();
  CUgraph graph;
  uint32_t source[4] = {1, 2, 3, 4};
  void *parameters[] = {&data};
  int three = 3;
  WORKS(cuStreamBeginCapture_v2(first, CU_STREAM_CAPTURE_MODE_GLOBAL));
  WORKS(cuMemcpyHtoDAsync_v2(data, source, sizeof source, first));
  WORKS(cuEventRecord(fork, first));
  WORKS(cuStreamWaitEvent(second, fork, 0));
  WORKS(cuLaunchKernel(forward, 1, 1, 1, 2, 1, 1, 0, second, parameters, NULL));
  WORKS(cuMemsetD32Async(data + 8, 50, 2, first));
  WORKS(cuEventRecord(joined, second));
  WORKS(cuStreamWaitEvent(first, joined, 0));
  CUstreamCaptureStatus status;
  uint64_t id = 0, other = 0;
  const CUgraphNode *front;
  const CUgraphEdgeData *edges;
  size_t count;
  WORKS(cuStreamGetCaptureInfo_v3(first, &status, &id, &graph, &front, &edges, &count));
  CHECK(status == CU_STREAM_CAPTURE_STATUS_ACTIVE && id != 0 && count == 2 && edges[1].type == 0);
  WORKS(cuStreamGetCaptureInfo(second, &status, &other));
  CHECK(other == id);
  WORKS(cuMemcpyDtoHAsync_v2(words, data, sizeof words, first));
  WORKS(cuLaunchHostFunc(first, count_call, &three));
  CHECK(words[0] == 0 && calls == 0);
  WORKS(cuStreamEndCapture(first, &graph));
  WORKS(cuStreamIsCapturing(second, &status));
  CHECK(status == CU_STREAM_CAPTURE_STATUS_NONE);
  WORKS(cuGraphGetNodes(graph, NULL, &count));
  CHECK(count == 5);
  WORKS(cuGraphGetEdges(graph, NULL, NULL, &count));
  CHECK(count == 5);
  CUgraphExec run = executable(graph);
  CHECK(launched(run) == 6 && words[1] == 7 && words[2] == 50 && words[3] == 50 && calls == 3);
  GIVES(CUDA_ERROR_CAPTURED_EVENT, cuEventQuery(fork));

  /* Into a graph that is there, behind a node; a launch of a graph becomes a graph within. */
  CUgraph given;
  CUgraphNode before;
  WORKS(cuGraphCreate(&given, 0));
  WORKS(cuGraphAddEmptyNode(&before, given, NULL, 0));
  WORKS(cuStreamBeginCaptureToGraph(first, given, &before, NULL, 1, CU_STREAM_CAPTURE_MODE_RELAXED));
  CUgraphExec none;
  GIVES(CUDA_ERROR_INVALID_VALUE, cuGraphInstantiateWithFlags(&none, given, 0));
  WORKS(cuGraphLaunch(run, first));
  WORKS(cuEventRecordWithFlags(joined, first, 1));
  WORKS(cuStreamWaitEvent(first, joined, 1));
  WORKS(cuStreamUpdateCaptureDependencies(first, &before, 1, CU_STREAM_SET_CAPTURE_DEPENDENCIES));
  WORKS(cuLaunchHostFunc(first, count_call, &three));
  WORKS(cuStreamEndCapture(first, &graph));
  CHECK(graph == given);
  WORKS(cuGraphGetNodes(given, NULL, &count));
  CHECK(count == 5);
  WORKS(cuGraphNodeGetDependentNodes(before, NULL, &count));
  CHECK(count == 2);
  calls = 0, words[0] = 0;
  CHECK(launched(executable(given)) == 6 && calls == 6);
  WORKS(cuEventQuery(joined));

  /* Attributes of a launch are the node's, and the event that it records is that of the capture. */
  CUlaunchAttribute attributes[] = {{.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE, .value = {.cooperative = 1}},
                                    {.id = CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT, .value = {.launchCompletionEvent = {fork, 0}}}};
  CUlaunchConfig config = {1, 1, 1, 4, 1, 1, 0, first, attributes, 2};
  WORKS(cuStreamBeginCapture_v2(first, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
  WORKS(cuLaunchKernelEx(&config, forward, parameters, NULL));
  WORKS(cuStreamWaitEvent(second, fork, 0));
  WORKS(cuStreamGetCaptureInfo_v2(second, &status, NULL, NULL, &front, &count));
  CHECK(count == 1);
  CUlaunchAttributeValue value;
  WORKS(cuGraphKernelNodeGetAttribute(front[0], CU_LAUNCH_ATTRIBUTE_COOPERATIVE, &value));
  CHECK(value.cooperative == 1);
  WORKS(cuStreamEndCapture(first, &graph));
  config.hStream = second;
  WORKS(cuLaunchKernelEx(&config, forward, parameters, NULL));
  WORKS(cuEventQuery(fork));

  /* A box, rows, and lines of an array. */
  uint32_t batch[1] = {0};
  CUarray array;
  WORKS(cuArrayCreate_v2(&array, &(CUDA_ARRAY_DESCRIPTOR){2, 2, CU_AD_FORMAT_UNSIGNED_INT32, 1}));
  CUDA_MEMCPY2D plane = {.srcMemoryType = CU_MEMORYTYPE_HOST, .srcHost = source, .srcPitch = 8, .dstMemoryType = CU_MEMORYTYPE_DEVICE,
                         .dstDevice = data, .dstPitch = 8, .WidthInBytes = 8, .Height = 2};
  WORKS(cuStreamBeginCapture(first));
  WORKS(cuMemcpy2DAsync_v2(&plane, first));
  CUdeviceptr here[] = {(CUdeviceptr)(uintptr_t)batch}, there[] = {data + 4};
  size_t size[] = {4}, at[] = {0};
  WORKS(cuMemcpyBatchAsync_v2(here, there, size, 1, at, at, 1, first));
  WORKS(cuMemsetD2D32Async(data, 8, 9, 1, 2, first));
  WORKS(cuMemcpyHtoAAsync_v2(array, 0, source, sizeof source, first));
  WORKS(cuMemcpyAtoHAsync_v2(words, array, 4, 12, first));
  WORKS(cuMemcpyDtoHAsync_v2(source, data, sizeof source, first));
  WORKS(cuStreamEndCapture(first, &graph));
  launched(executable(graph));
  CHECK(words[0] == 2 && words[1] == 3 && words[2] == 4 && source[0] == 9 && source[1] == 2 && source[2] == 9);
  CHECK(batch[0] == 2);
}

static void begin_in(CUstream stream) { WORKS(cuStreamBeginCapture_v2(stream, CU_STREAM_CAPTURE_MODE_GLOBAL)); }

static void spoilt(CUstream stream) {
  CUgraph graph = (CUgraph)1;
  CUstreamCaptureStatus status;
  WORKS(cuStreamIsCapturing(stream, &status));
  CHECK(status == CU_STREAM_CAPTURE_STATUS_INVALIDATED);
  GIVES(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, cuMemsetD8Async(data, 0, 1, stream));
  GIVES(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, cuStreamEndCapture(stream, &graph));
  CHECK(graph == NULL);
  WORKS(cuMemsetD8Async(data, 0, 1, stream));
}

struct elsewhere {
  CUcontext context;
  CUstream stream;
  CUstreamCaptureMode mode;
  CUresult allocated, ended;
};

static void *in_thread(void *argument) {
  struct elsewhere *elsewhere = argument;
  CUdeviceptr address = 0;
  CUgraph graph;
  WORKS(cuCtxSetCurrent(elsewhere->context));
  CUstreamCaptureMode mode = elsewhere->mode;
  WORKS(cuThreadExchangeStreamCaptureMode(&mode));
  CHECK(mode == CU_STREAM_CAPTURE_MODE_GLOBAL);
  elsewhere->allocated = cuMemAlloc_v2(&address, 16);
  elsewhere->ended = cuStreamEndCapture(elsewhere->stream, &graph);
  return NULL;
}

static struct elsewhere try_elsewhere(CUstream stream, CUstreamCaptureMode mode) {
  struct elsewhere elsewhere = {.stream = stream, .mode = mode};
  pthread_t thread;
  WORKS(cuCtxGetCurrent(&elsewhere.context));
  CHECK(pthread_create(&thread, NULL, in_thread, &elsewhere) == 0 && pthread_join(thread, NULL) == 0);
  return elsewhere;
}

static void ignore_status(CUstream stream, CUresult status, void *number) { (void)stream, (void)status, (void)number; }

static void refusals(void) {
  prepare();
  CUstream first = stream_of(1), second = stream_of(1), blocking = stream_of(0);
  CUevent event = event_of(), fork = event_of();
  CUgraph graph;
  CUdeviceptr address;
  CUstreamCaptureStatus status;
  void *host;
  GIVES(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, cuStreamBeginCapture_v2(NULL, CU_STREAM_CAPTURE_MODE_GLOBAL));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuStreamBeginCapture_v2(first, (CUstreamCaptureMode)3));
  GIVES(CUDA_ERROR_ILLEGAL_STATE, cuStreamEndCapture(first, &graph));
  GIVES(CUDA_ERROR_ILLEGAL_STATE, cuStreamUpdateCaptureDependencies(first, NULL, 0, 0));
  begin_in(first);
  GIVES(CUDA_ERROR_ILLEGAL_STATE, cuStreamBeginCapture_v2(first, CU_STREAM_CAPTURE_MODE_GLOBAL));
  /* What cannot be captured, or happens outside of streams. */
  GIVES(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, cuStreamSynchronize(first));
  spoilt(first);
  for (int i = 0; i < 6; i++) {
    begin_in(first);
    CUresult result = i == 0   ? cuMemAlloc_v2(&address, 16)
                      : i == 1 ? cuMemFree_v2(data)
                      : i == 2 ? cuMemAllocHost_v2(&host, 16)
                      : i == 3 ? cuEventQuery(event)
                      : i == 4 ? cuMemHostRegister_v2(words, 16, 0)
                               : cuMemcpyDtoH_v2(words, data, 4);
    GIVES(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, result);
    spoilt(first);
  }
  begin_in(first);
  GIVES(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, cuCtxSynchronize());
  spoilt(first);
  begin_in(first);
  GIVES(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, cuStreamAddCallback(first, ignore_status, NULL, 0));
  spoilt(first);
  begin_in(first);
  GIVES(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, cuStreamAttachMemAsync(first, data, 0, 1));
  spoilt(first);
  begin_in(first);
  GIVES(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, cuStreamWriteValue32_v2(first, data, 1, 0));
  spoilt(first);
  /* The legacy stream waits for streams that are not said to be apart. */
  begin_in(first);
  WORKS(cuMemsetD8Async(data, 0, 1, NULL));
  WORKS(cuStreamEndCapture(first, &graph));
  begin_in(blocking);
  GIVES(CUDA_ERROR_STREAM_CAPTURE_IMPLICIT, cuStreamIsCapturing(NULL, &status));
  WORKS(cuStreamIsCapturing(blocking, &status));
  CHECK(status == CU_STREAM_CAPTURE_STATUS_ACTIVE);
  GIVES(CUDA_ERROR_STREAM_CAPTURE_IMPLICIT, cuMemsetD8Async(data, 0, 1, NULL));
  spoilt(blocking);
  begin_in(blocking);
  GIVES(CUDA_ERROR_STREAM_CAPTURE_IMPLICIT, cuMemcpyHtoD_v2(data, words, 4));
  spoilt(blocking);
  /* Events across the border, and between captures. */
  WORKS(cuEventRecord(event, second));
  begin_in(first);
  GIVES(CUDA_ERROR_STREAM_CAPTURE_ISOLATION, cuStreamWaitEvent(first, event, 0));
  spoilt(first);
  begin_in(first);
  begin_in(second);
  WORKS(cuEventRecord(fork, first));
  GIVES(CUDA_ERROR_STREAM_CAPTURE_MERGE, cuStreamWaitEvent(second, fork, 0));
  spoilt(first);
  spoilt(second);
  begin_in(first);
  WORKS(cuEventRecord(fork, first));
  GIVES(CUDA_ERROR_CAPTURED_EVENT, cuEventSynchronize(fork));
  spoilt(first);
  GIVES(CUDA_ERROR_INVALID_VALUE, cuEventRecordWithFlags(event, first, 1));
  /* Forks that come back to where it began, and do not. */
  begin_in(first);
  WORKS(cuEventRecord(fork, first));
  WORKS(cuStreamWaitEvent(second, fork, 0));
  GIVES(CUDA_ERROR_STREAM_CAPTURE_UNMATCHED, cuStreamEndCapture(second, &graph));
  spoilt(first);
  begin_in(first);
  WORKS(cuEventRecord(fork, first));
  WORKS(cuStreamWaitEvent(second, fork, 0));
  WORKS(cuMemsetD8Async(data, 0, 1, second));
  GIVES(CUDA_ERROR_STREAM_CAPTURE_UNJOINED, cuStreamEndCapture(first, &graph));
  CHECK(graph == NULL);
  WORKS(cuMemsetD8Async(data, 0, 1, second));
  /* Modes, and other threads. */
  begin_in(first);
  struct elsewhere global = try_elsewhere(first, CU_STREAM_CAPTURE_MODE_GLOBAL);
  CHECK(global.allocated == CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED && global.ended == CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD);
  spoilt(first);
  begin_in(first);
  struct elsewhere local = try_elsewhere(first, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL);
  CHECK(local.allocated == CUDA_SUCCESS && local.ended == CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD);
  WORKS(cuStreamEndCapture(first, &graph));
  WORKS(cuStreamBeginCapture_v2(first, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
  CHECK(try_elsewhere(first, CU_STREAM_CAPTURE_MODE_GLOBAL).allocated == CUDA_SUCCESS);
  GIVES(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, cuMemAlloc_v2(&address, 16));
  spoilt(first);
  WORKS(cuStreamBeginCapture_v2(first, CU_STREAM_CAPTURE_MODE_RELAXED));
  WORKS(cuMemAlloc_v2(&address, 16));
  CHECK(try_elsewhere(first, CU_STREAM_CAPTURE_MODE_GLOBAL).ended == CUDA_SUCCESS);
  begin_in(first);
  CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_RELAXED;
  WORKS(cuThreadExchangeStreamCaptureMode(&mode));
  WORKS(cuMemAlloc_v2(&address, 16));
  WORKS(cuStreamEndCapture(first, &graph));
  /* A stream that is destroyed meanwhile. */
  begin_in(first);
  WORKS(cuEventRecord(fork, first));
  WORKS(cuStreamWaitEvent(second, fork, 0));
  WORKS(cuMemsetD8Async(data, 0, 1, second));
  WORKS(cuStreamDestroy_v2(first));
  WORKS(cuMemsetD8Async(data, 0, 1, second));
  begin_in(second);
  WORKS(cuMemsetD8Async(data, 0, 1, second));
  WORKS(cuStreamEndCapture(second, &graph));
  WORKS(cuThreadExchangeStreamCaptureMode(&mode));
}

static uint64_t counted(CUgraphMem_attribute attribute) {
  uint64_t value;
  WORKS(cuDeviceGetGraphMemAttribute(0, attribute, &value));
  return value;
}

static void memory(void) {
  prepare();
  CUstream stream = stream_of(1);
  CUgraph graph, other;
  CUgraphNode node, set, freed;
  CUgraphExec run, second;
  CUdeviceptr address;
  CUDA_MEM_ALLOC_NODE_PARAMS alloc = {.poolProps = {.allocType = 1, .location = {1, 0}}, .bytesize = 64};
  /* Freed in the graph. */
  WORKS(cuStreamBeginCapture_v2(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  WORKS(cuMemAllocAsync(&address, 64, stream));
  WORKS(cuMemsetD32Async(address, 11, 16, stream));
  WORKS(cuMemcpyDtoHAsync_v2(words, address, sizeof words, stream));
  WORKS(cuMemFreeAsync(address, stream));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemFreeAsync(address, stream));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemFreeAsync(data, stream));
  WORKS(cuStreamEndCapture(stream, &graph));
  run = executable(graph);
  GIVES(CUDA_ERROR_INVALID_VALUE, cuGraphInstantiateWithFlags(&second, graph, 0));
  GIVES(CUDA_ERROR_NOT_SUPPORTED, cuGraphClone(&other, graph));
  for (int i = 0; i < 2; i++) CHECK(launched(run) == 11);
  CHECK(counted(CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT) == 0 && counted(CU_GRAPH_MEM_ATTR_USED_MEM_HIGH) == 64);
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemFree_v2(address));
  WORKS(cuGraphExecDestroy(run));
  run = executable(graph);
  WORKS(cuGraphDestroy(graph));
  CHECK(launched(run) == 11);
  WORKS(cuGraphExecDestroy(run));
  CHECK(counted(CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT) == 0);
  /* Freed by who launches, by the next launch, or by another graph. */
  WORKS(cuGraphCreate(&graph, 0));
  WORKS(cuGraphAddMemAllocNode(&node, graph, NULL, 0, &alloc));
  CUDA_MEMSET_NODE_PARAMS how = {alloc.dptr, 0, 12, 4, 16, 1};
  WORKS(cuGraphAddMemsetNode(&set, graph, &node, 1, &how, NULL));
  GIVES(CUDA_ERROR_NOT_SUPPORTED, cuGraphDestroyNode(set));
  GIVES(CUDA_ERROR_NOT_SUPPORTED, cuGraphRemoveDependencies(graph, &node, &set, 1));
  run = executable(graph);
  WORKS(cuGraphLaunch(run, stream));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuGraphLaunch(run, stream));
  WORKS(cuMemcpyDtoH_v2(words, alloc.dptr, sizeof words));
  CHECK(words[3] == 12);
  WORKS(cuMemFreeAsync(alloc.dptr, stream));
  WORKS(cuGraphLaunch(run, stream));
  WORKS(cuMemFree_v2(alloc.dptr));
  WORKS(cuGraphExecDestroy(run));
  WORKS(cuGraphInstantiateWithFlags(&run, graph, CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH));
  for (int i = 0; i < 2; i++) WORKS(cuGraphLaunch(run, stream));
  WORKS(cuGraphCreate(&other, 0));
  WORKS(cuGraphAddMemFreeNode(&freed, other, NULL, 0, alloc.dptr));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuGraphAddMemFreeNode(&freed, other, NULL, 0, data));
  WORKS(cuGraphLaunch(executable(other), stream));
  CHECK(counted(CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT) == 0);
  CUdeviceptr its;
  WORKS(cuGraphMemFreeNodeGetParams(freed, &its));
  CHECK(its == alloc.dptr);
  /* Within another graph only if that owns it. */
  CUgraph outer, child;
  WORKS(cuGraphCreate(&outer, 0));
  WORKS(cuGraphCreate(&child, 0));
  WORKS(cuGraphAddMemAllocNode(&node, child, NULL, 0, &alloc));
  how.dst = alloc.dptr, how.value = 13;
  WORKS(cuGraphAddMemsetNode(&set, child, &node, 1, &how, NULL));
  GIVES(CUDA_ERROR_NOT_SUPPORTED, cuGraphAddChildGraphNode(&node, outer, NULL, 0, child));
  CUgraphNodeParams params = {.type = CU_GRAPH_NODE_TYPE_GRAPH, .graph = {child, CU_GRAPH_CHILD_GRAPH_OWNERSHIP_MOVE}};
  WORKS(cuGraphAddNode_v2(&node, outer, NULL, NULL, 0, &params));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuGraphDestroy(child));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuGraphAddNode_v2(&set, outer, NULL, NULL, 0, &params));
  run = executable(outer);
  WORKS(cuGraphLaunch(run, stream));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuGraphLaunch(run, stream));
  WORKS(cuGraphExecDestroy(run));
  WORKS(cuGraphDestroy(outer));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuGraphDestroy(child));
  /* What is in use outlives its graphs. */
  WORKS(cuMemcpyDtoH_v2(words, alloc.dptr, sizeof words));
  CHECK(words[1] == 13);
  WORKS(cuMemFree_v2(alloc.dptr));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemFree_v2(alloc.dptr));

  uint64_t zero = 0;
  WORKS(cuDeviceSetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_USED_MEM_HIGH, &zero));
  CHECK(counted(CU_GRAPH_MEM_ATTR_USED_MEM_HIGH) == 0);
  WORKS(cuDeviceGraphMemTrim(0));
}

static void objects(void) {
  prepare();
  int one = 1;
  CUuserObject object, second;
  struct chain chain = make_chain();
  WORKS(cuUserObjectCreate(&object, &one, count_call, 1, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuUserObjectCreate(&second, &one, count_call, 1, 0));
  WORKS(cuUserObjectRetain(object, 2));
  WORKS(cuUserObjectRelease(object, 2));
  WORKS(cuGraphRetainUserObject(chain.graph, object, 1, CU_GRAPH_USER_OBJECT_MOVE));
  CUgraphExec run = executable(chain.graph);
  WORKS(cuGraphDestroy(chain.graph));
  CHECK(calls == 0);
  WORKS(cuGraphExecDestroy(run));
  CHECK(calls == 1);
  GIVES(CUDA_ERROR_INVALID_VALUE, cuUserObjectRetain(object, 1));
  CUgraph graph;
  WORKS(cuGraphCreate(&graph, 0));
  WORKS(cuUserObjectCreate(&second, &one, count_call, 1, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
  WORKS(cuGraphRetainUserObject(graph, second, 1, 0));
  WORKS(cuUserObjectRelease(second, 1));
  CHECK(calls == 1);
  GIVES(CUDA_ERROR_INVALID_VALUE, cuGraphReleaseUserObject(graph, second, 2));
  WORKS(cuGraphReleaseUserObject(graph, second, 1));
  CHECK(calls == 2);
}

/* Adds a conditional node for a handle; gives its branches. */
static CUgraph *branches(CUgraph graph, CUgraphConditionalHandle handle, CUgraphConditionalNodeType type, unsigned size) {
  CUgraphNode node;
  CUgraphNodeParams params = {.type = CU_GRAPH_NODE_TYPE_CONDITIONAL, .conditional = {handle, type, size, NULL, NULL}};
  WORKS(cuGraphAddNode_v2(&node, graph, NULL, NULL, 0, &params));
  return params.conditional.phGraph_out;
}

static void calls_in(CUgraph graph, int *number) {
  CUgraphNode node;
  CUDA_HOST_NODE_PARAMS host = {count_call, number};
  WORKS(cuGraphAddHostNode(&node, graph, NULL, 0, &host));
}

static void conditions(void) {
  prepare();
  CUgraph graph, clone;
  CUgraphConditionalHandle handle, other;
  CUgraphNode node;
  CUcontext context;
  int one = 1, ten = 10, hundred = 100;
  WORKS(cuCtxGetCurrent(&context));
  WORKS(cuGraphCreate(&graph, 0));
  /* As long as a kernel says so. */
  WORKS(cuGraphConditionalHandleCreate(&handle, graph, context, 1, CU_GRAPH_COND_ASSIGN_DEFAULT));
  CUgraph body = branches(graph, handle, CU_GRAPH_COND_TYPE_WHILE, 1)[0];
  void *parameters[] = {&handle, &data};
  CUDA_KERNEL_NODE_PARAMS kernel = {kernel_of(counting, "countdown"), 1, 1, 1, 1, 1, 1, 0, parameters, NULL, NULL, NULL};
  WORKS(cuGraphAddKernelNode_v2(&node, body, NULL, 0, &kernel));
  calls_in(body, &one);
  GIVES(CUDA_ERROR_NOT_SUPPORTED, cuGraphClone(&clone, graph));
  CUgraphExec run = executable(graph);
  for (unsigned turns = 3; turns > 1; turns--) {
    calls = 0;
    WORKS(cuMemsetD32_v2(data, turns, 1));
    WORKS(cuGraphLaunch(run, NULL));
    CHECK(calls == (int)turns);
  }
  /* One of two branches, and one of three. */
  WORKS(cuGraphCreate(&graph, 0));
  WORKS(cuGraphConditionalHandleCreate(&handle, graph, context, 0, CU_GRAPH_COND_ASSIGN_DEFAULT));
  WORKS(cuGraphConditionalHandleCreate(&other, graph, context, 2, CU_GRAPH_COND_ASSIGN_DEFAULT));
  CUgraph *both = branches(graph, handle, CU_GRAPH_COND_TYPE_IF, 2), *three = branches(graph, other, CU_GRAPH_COND_TYPE_SWITCH, 3);
  calls_in(both[0], &one);
  calls_in(both[1], &ten);
  calls_in(three[0], &one);
  calls_in(three[2], &hundred);
  calls = 0;
  WORKS(cuGraphLaunch(executable(graph), NULL));
  CHECK(calls == 110);
  /* A handle is that of one node. */
  CUgraphNodeParams params = {.type = CU_GRAPH_NODE_TYPE_CONDITIONAL, .conditional = {handle, CU_GRAPH_COND_TYPE_IF, 1, NULL, NULL}};
  GIVES(CUDA_ERROR_INVALID_VALUE, cuGraphAddNode_v2(&node, graph, NULL, NULL, 0, &params));
  WORKS(cuGraphDestroy(graph));
}

/* In one process each, as a worker is slow to start. */
static void graphs(void) {
  nodes();
  updates();
  objects();
  conditions();
}

static void streams(void) {
  captures();
  refusals();
  memory();
}

int main(int argc, char **argv) {
  static const struct part_of_test parts[] = {{"graphs", graphs}, {"streams", streams}, {"clones", clones}};
  return run_part(parts, COUNT(parts), argc, argv);
}
