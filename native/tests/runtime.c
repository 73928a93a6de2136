/* What the compiler of CUDA makes of a program, done by hand: it registers a fat binary, and calls the runtime API. */
#include "runtime.h"

#include <dlfcn.h>
#include <pthread.h>
#include <unistd.h>

#include "check.h"
#include "driver.h"

#define GIVES(result, call)                                                                                           \
  do {                                                                                                                \
    cudaError_t got_ = (call);                                                                                        \
    if (got_ != (result)) {                                                                                           \
      fprintf(stderr, "%s:%d: %s gives %s, not " #result "\n", __FILE__, __LINE__, #call, cudaGetErrorName(got_)); \
      exit(99);                                                                                                       \
    }                                                                                                                 \
  } while (0)
#define WORKS(call) GIVES(cudaSuccess, call)

static struct {
  int magic, version;
  const void *data;
  void *unused;
} wrapper = {0x466243b1, 1, NULL, NULL};
static void **handle;

/* The stubs of kernels and the shadows of variables: nothing but addresses. */
static char forward, sum, speak, absent;
static int step, factors[4];
static int *total;

static void load(void) {
  const char *path = getenv("FATBIN");
  FILE *file = path == NULL ? NULL : fopen(path, "rb");
  CHECK(file != NULL);
  static char bytes[1 << 16] __attribute__((aligned(8)));
  CHECK(fread(bytes, 1, sizeof bytes, file) > 0);
  fclose(file);
  wrapper.data = bytes;
  handle = __cudaRegisterFatBinary(&wrapper);
  __cudaRegisterFunction(handle, &forward, "forward", "forward", -1, NULL, NULL, NULL, NULL, NULL);
  __cudaRegisterFunction(handle, &sum, "sum", "sum", -1, NULL, NULL, NULL, NULL, NULL);
  __cudaRegisterFunction(handle, &speak, "speak", "speak", -1, NULL, NULL, NULL, NULL, NULL);
  __cudaRegisterFunction(handle, &absent, "absent", "absent", -1, NULL, NULL, NULL, NULL, NULL);
  __cudaRegisterVar(handle, (char *)&step, "step", "step", 0, sizeof step, 0, 0);
  __cudaRegisterVar(handle, (char *)factors, "factors", "factors", 0, sizeof factors, 1, 0);
  __cudaRegisterManagedVar(handle, (void **)&total, "total", "total", 0, sizeof *total, 0, 0);
  __cudaRegisterFatBinaryEnd(handle);
}

static const dim3 one = {1, 1, 1};
static dim3 threads(unsigned count) { return (dim3){count, 1, 1}; }

/* `stub<<<grid, block, shared>>>(...)`. */
static void call(const void *stub, dim3 grid, dim3 block, size_t shared, void **parameters) {
  cudaKernel_t kernel = NULL;
  cudaStream_t stream;
  CHECK(__cudaGetKernel(&kernel, stub) == cudaSuccess);
  CHECK(__cudaPushCallConfiguration(grid, block, shared, NULL) == 0);
  WORKS(__cudaPopCallConfiguration(&grid, &block, &shared, &stream));
  __cudaLaunchKernel(kernel, grid, block, parameters, shared, stream);
}

static void call_in(const void *stub, cudaStream_t stream, void **parameters) {
  WORKS(cudaLaunchKernel(stub, one, threads(4), parameters, 0, stream));
}

static int *numbers(const int *from, size_t bytes) {
  int *device;
  WORKS(cudaMalloc((void **)&device, bytes));
  WORKS(cudaMemcpy(device, from, bytes, cudaMemcpyHostToDevice));
  return device;
}

static void launches(void) {
  int data[] = {1, 2, 3, 4, 5}, n = 5;
  int *device = numbers(data, sizeof data);
  void *parameters[] = {&device, &n};
  call(&forward, one, threads(32), 0, parameters);
  WORKS(cudaGetLastError());
  WORKS(cudaMemcpy(data, device, sizeof data, cudaMemcpyDeviceToHost));
  CHECK(data[0] == 6 && data[1] == 9 && data[2] == 14 && data[3] == 21 && data[4] == 10);
  WORKS(cudaLaunchKernel(&forward, one, threads(2), parameters, 0, NULL));
  cudaFunction_t function;
  const char *name;
  WORKS(cudaGetFuncBySymbol(&function, &forward));
  WORKS(cudaFuncGetName(&name, &forward));
  CHECK(strcmp(name, "forward") == 0);
  CHECK(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, parameters, NULL) == CUDA_SUCCESS);
  /* A handle of the driver's is taken as well. */
  cudaKernel_t kernel;
  WORKS(cudaGetKernel(&kernel, &forward));
  WORKS(cudaLaunchKernel((const void *)kernel, one, one, parameters, 0, NULL));
  WORKS(cudaMemcpy(data, device, sizeof data, cudaMemcpyDeviceToHost));
  CHECK(data[0] == 21 && data[1] == 23 && data[2] == 14);
  cudaLaunchConfig_t config = {one, threads(1), 0, NULL, NULL, 0};
  WORKS(cudaLaunchKernelExC(&config, &forward, parameters));
  WORKS(cudaLaunchCooperativeKernel(&forward, one, threads(1), parameters, 0, NULL));
  WORKS(cudaMemcpy(data, device, 4, cudaMemcpyDefault));
  CHECK(data[0] == 31);
  struct cudaFuncAttributes attributes;
  WORKS(cudaFuncGetAttributes(&attributes, &forward));
  CHECK(attributes.ptxVersion == 80 && attributes.binaryVersion == 90 && attributes.maxThreadsPerBlock == 1024);
  call(&speak, one, threads(2), 0, NULL);
  WORKS(cudaFree(device));
}

static void variables(void) {
  int read, other[] = {9, 9, 9, 9}, words[] = {1, 2, 3, 4}, n = 4;
  int lowest = dup(0);
  CHECK(close(lowest) == 0);
  /* Before the program touches managed memory, the compiler calls this. */
  CHECK(__cudaInitModule(handle) == 1);
  /* What that has opened is closed, or has a high number. */
  CHECK(dup(0) == lowest && close(lowest) == 0);
  CHECK(*total == 3);
  *total = 10;
  int *device = numbers(words, sizeof words);
  void *parameters[] = {&device, &n};
  call(&sum, one, threads(4), 16, parameters);
  WORKS(cudaDeviceSynchronize());
  CHECK(*total == 20);
  /* One address on both sides. */
  int *where = total, count = 1;
  void *managed[] = {&where, &count};
  call(&forward, one, threads(1), 0, managed);
  CHECK(*total == 25);
  WORKS(cudaMemcpyFromSymbol(&read, total, sizeof read, 0, cudaMemcpyDeviceToHost));
  CHECK(read == 25);
  WORKS(cudaMemcpyFromSymbol(&read, &step, sizeof read, 0, cudaMemcpyDeviceToHost));
  CHECK(read == 5);
  WORKS(cudaMemcpyToSymbol(factors, other, 4, 4, cudaMemcpyHostToDevice));
  call(&forward, one, threads(4), 0, parameters);
  WORKS(cudaMemcpy(words, device, sizeof words, cudaMemcpyDeviceToHost));
  CHECK(words[0] == 6 && words[1] == 23 && words[2] == 14);
  void *address;
  size_t bytes;
  WORKS(cudaGetSymbolAddress(&address, &step));
  WORKS(cudaGetSymbolSize(&bytes, factors));
  CHECK(bytes == 16);
  WORKS(cudaMemset(address, 0, 4));
  GIVES(cudaErrorInvalidValue, cudaMemcpyToSymbol(factors, other, 16, 4, cudaMemcpyHostToDevice));
  GIVES(cudaErrorInvalidSymbol, cudaMemcpyToSymbol(&read, other, 4, 0, cudaMemcpyHostToDevice));
  GIVES(cudaErrorInvalidSymbol, cudaGetSymbolAddress(&address, &forward));
  /* A context that the thread has made current by itself stays so. */
  CUcontext own, current;
  CHECK(cuCtxCreate_v2(&own, 0, 0) == CUDA_SUCCESS);
  WORKS(cudaDeviceSynchronize());
  CHECK(cuCtxGetCurrent(&current) == CUDA_SUCCESS && current == own);
  CHECK(cuCtxDestroy_v2(own) == CUDA_SUCCESS);
  /* After a reset, everything begins anew, and what the compiler keeps of a kernel still holds. */
  WORKS(cudaDeviceReset());
  WORKS(cudaMemcpyFromSymbol(&read, &step, sizeof read, 0, cudaMemcpyDeviceToHost));
  CHECK(read == 5);
  GIVES(cudaErrorInvalidValue, cudaFree(device));
  device = numbers(other, sizeof other);
  call(&forward, one, threads(1), 0, parameters);
  WORKS(cudaMemcpy(&read, device, 4, cudaMemcpyDeviceToHost));
  CHECK(read == 14);
}

static void *look(void *seen) {
  *(cudaError_t *)seen = cudaGetLastError();
  return NULL;
}

static void errors(void) {
  int n = 0, *device = NULL;
  void *parameters[] = {&device, &n};
  call(&forward, one, threads(1025), 0, parameters);
  /* It is this thread's, and not for ever. */
  cudaError_t seen;
  pthread_t thread;
  CHECK(pthread_create(&thread, NULL, look, &seen) == 0 && pthread_join(thread, NULL) == 0 && seen == cudaSuccess);
  GIVES(cudaErrorInvalidConfiguration, cudaPeekAtLastError());
  GIVES(cudaErrorInvalidConfiguration, cudaGetLastError());
  WORKS(cudaGetLastError());
  GIVES(cudaErrorInvalidDeviceFunction, cudaLaunchKernel(&n, one, one, parameters, 0, NULL));
  GIVES(cudaErrorInvalidDeviceFunction, cudaLaunchKernel(&absent, one, one, parameters, 0, NULL));
  GIVES(cudaErrorInvalidDeviceFunction, cudaLaunchKernel(NULL, one, one, parameters, 0, NULL));
  GIVES(cudaErrorInvalidValue, cudaLaunchKernel(&sum, one, one, parameters, 60 << 10, NULL));
  WORKS(cudaFuncSetAttribute(&sum, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 60 << 10));
  dim3 none = {0, 1, 1};
  GIVES(cudaErrorInvalidConfiguration, cudaLaunchKernel(&forward, none, one, parameters, 0, NULL));
  GIVES(cudaErrorMissingConfiguration, __cudaPopCallConfiguration(&none, &none, &(size_t){0}, &(void *){NULL}));
  GIVES(cudaErrorInvalidDevice, cudaSetDevice(1));
  GIVES(cudaErrorInvalidMemcpyDirection, cudaMemcpy(&n, &n, 4, (cudaMemcpyKind)9));
  GIVES(cudaErrorInvalidPitchValue, cudaMemcpy2D(&n, 1, &n, 4, 4, 1, cudaMemcpyHostToHost));
  GIVES(cudaErrorInvalidValue, cudaMalloc(NULL, 4));
  GIVES(cudaErrorMemoryAllocation, cudaMalloc((void **)&device, (size_t)1 << 50));
  WORKS(cudaMalloc((void **)&device, 0));
  CHECK(device == NULL);
  WORKS(cudaFree(NULL));
  CHECK(strcmp(cudaGetErrorName(cudaErrorIllegalAddress), "cudaErrorIllegalAddress") == 0);
  CHECK(strcmp(cudaGetErrorString((cudaError_t)12345), "unrecognized error code") == 0);
  /* What is not there. */
  cudaError_t (*missing)(void);
  *(void **)(&missing) = dlsym(RTLD_DEFAULT, "cudaVDPAUGetDevice");
  CHECK(missing != NULL);
  GIVES(cudaErrorNotSupported, missing());
  GIVES(cudaErrorNotSupported, missing());
  void *function;
  int found;
  WORKS(cudaGetDriverEntryPointByVersion("cuMemAlloc", &function, 12000, 0, &found));
  CHECK(function != NULL && found == 0);
  WORKS(cudaGetDriverEntryPoint("cuNothing", &function, 0, &found));
  CHECK(function == NULL && found == 1);
}

/* In the form of CUDA 13. */
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *instance, cudaGraph_t graph, unsigned long long flags);
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t instance, cudaGraph_t graph, cudaGraphExecUpdateResultInfo *info);

static void count_call(void *number) { ++*(int *)number; }

/* Sets four words to 1, adds to them by kernel, and copies them to `to`, in nodes that are added one by one. */
static cudaGraph_t graph_of(int *device, int *to, cudaGraphNode_t nodes[4]) {
  cudaGraph_t graph;
  int n = 4;
  void *parameters[] = {&device, &n};
  struct cudaKernelNodeParams kernel = {&forward, one, {4, 1, 1}, 0, parameters, NULL};
  struct cudaMemsetParams set = {device, 0, 1, 4, 4, 1};
  struct cudaGraphNodeParams second = {.type = CU_GRAPH_NODE_TYPE_KERNEL, .kernel = kernel};
  WORKS(cudaGraphCreate(&graph, 0));
  WORKS(cudaGraphAddMemsetNode(&nodes[0], graph, NULL, 0, &set));
  WORKS(cudaGraphAddKernelNode(&nodes[1], graph, nodes, 1, &kernel));
  WORKS(cudaGraphAddNode_v2(&nodes[2], graph, &nodes[1], NULL, 1, &second));
  WORKS(cudaGraphAddMemcpyNode1D(&nodes[3], graph, &nodes[2], 1, to, device, 16, cudaMemcpyDeviceToHost));
  return graph;
}

static void graphs(void) {
  int data[4] = {0}, other[4] = {0}, calls = 0, *device = numbers(data, sizeof data), value;
  cudaGraphNode_t nodes[4], others[4], node;
  cudaGraph_t graph = graph_of(device, data, nodes), second = graph_of(device, other, others);
  cudaGraphExec_t run;
  cudaStream_t stream;
  WORKS(cudaStreamCreateWithFlags(&stream, 1));
  WORKS(cudaGraphInstantiate(&run, graph, 0));
  WORKS(cudaGraphLaunch(run, stream));
  WORKS(cudaStreamSynchronize(stream));
  int once = data[0];
  CHECK(once > 1 && data[3] > 1);
  struct cudaKernelNodeParams kernel;
  WORKS(cudaGraphKernelNodeGetParams(nodes[1], &kernel));
  CHECK(kernel.func == &forward && kernel.blockDim.x == 4 && *(int **)kernel.kernelParams[0] == device);
  GIVES(cudaErrorInvalidDeviceFunction, cudaGraphAddKernelNode(&node, graph, NULL, 0, &(struct cudaKernelNodeParams){.func = &calls}));
  struct cudaMemcpy3DParms box;
  WORKS(cudaGraphMemcpyNodeGetParams(nodes[3], &box));
  CHECK(box.dstPtr.ptr == data && box.extent.width == 16 && box.kind == cudaMemcpyDeviceToHost);
  WORKS(cudaGraphMemcpyNodeSetParams(nodes[3], &box));
  WORKS(cudaGraphExecMemcpyNodeSetParams1D(run, nodes[3], other, device, 4, cudaMemcpyDeviceToHost));
  WORKS(cudaGraphLaunch(run, stream));
  CHECK(other[0] == once && other[1] == 0);
  cudaGraphExecUpdateResultInfo info;
  WORKS(cudaGraphExecUpdate(run, second, &info));
  WORKS(cudaGraphLaunch(run, stream));
  CHECK(other[3] == data[3]);
  /* Of a variable, by its name; the kernel that reads it runs between both copies. */
  int seven = 7;
  cudaGraph_t symbols;
  WORKS(cudaGraphCreate(&symbols, 0));
  WORKS(cudaGraphAddMemcpyNodeToSymbol(&nodes[0], symbols, NULL, 0, &step, &seven, 4, 0, cudaMemcpyHostToDevice));
  WORKS(cudaGraphAddMemcpyNodeFromSymbol(&nodes[1], symbols, nodes, 1, &value, &step, 4, 0, cudaMemcpyDeviceToHost));
  GIVES(cudaErrorInvalidSymbol, cudaGraphAddMemcpyNodeToSymbol(&node, symbols, NULL, 0, data, &seven, 4, 0, cudaMemcpyHostToDevice));
  GIVES(cudaErrorInvalidValue, cudaGraphMemcpyNodeSetParamsToSymbol(nodes[0], &step, &seven, 8, 0, cudaMemcpyHostToDevice));
  /* What the stream is asked for comes behind; a variable that the program shares with kernels is left alone meanwhile. */
  cudaGraph_t all;
  CUstreamCaptureStatus status;
  WORKS(cudaStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  WORKS(cudaMemcpyToSymbolAsync(&step, &seven, 4, 0, cudaMemcpyHostToDevice, stream));
  WORKS(cudaMemsetAsync(device, 0, 16, stream));
  call_in(&forward, stream, (void *[]){&device, &(int){4}});
  WORKS(cudaMemcpy2DAsync(data, 8, device, 8, 8, 2, cudaMemcpyDeviceToHost, stream));
  WORKS(cudaLaunchHostFunc(stream, count_call, &calls));
  WORKS(cudaStreamIsCapturing(stream, &status));
  CHECK(status == CU_STREAM_CAPTURE_STATUS_ACTIVE && calls == 0);
  WORKS(cudaStreamEndCapture(stream, &all));
  size_t count;
  WORKS(cudaGraphGetNodes(all, NULL, &count));
  CHECK(count == 5);
  WORKS(cudaGraphAddChildGraphNode(&node, all, NULL, 0, symbols));
  WORKS(cudaGraphInstantiateWithFlags(&run, all, 0));
  data[0] = 0;
  WORKS(cudaGraphLaunch(run, stream));
  CHECK(calls == 1 && value == 7 && data[0] > 0);
  /* Errors of a thread, as of other calls. */
  WORKS(cudaStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  GIVES(cudaErrorStreamCaptureUnsupported, cudaMalloc((void **)&device, 4));
  GIVES(cudaErrorStreamCaptureUnsupported, cudaGetLastError());
  GIVES(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(stream, &all));
  GIVES(cudaErrorStreamCaptureInvalidated, cudaGetLastError());
  CHECK(all == NULL);
}

/* The same names in the forms that CUDA 11, 12 and 13 have of them. */
static void forms(void) {
  static const char *const versions[] = {"libcudart.so.11.0", "libcudart.so.12", "libcudart.so.13"};
  cudaGraphNode_t nodes[2], from[2], to[2];
  cudaGraph_t graph;
  cudaStream_t stream;
  WORKS(cudaGraphCreate(&graph, 0));
  WORKS(cudaGraphAddEmptyNode(&nodes[0], graph, NULL, 0));
  WORKS(cudaGraphAddEmptyNode(&nodes[1], graph, nodes, 1));
  WORKS(cudaStreamCreate(&stream));
  for (int i = 0; i < COUNT(versions); i++) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", getenv("LIBRARIES"), versions[i]);
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    CHECK(library != NULL);
    union {
      void *symbol;
      cudaError_t (*instantiate_11)(cudaGraphExec_t *, cudaGraph_t, cudaGraphNode_t *, char *, size_t);
      cudaError_t (*instantiate)(cudaGraphExec_t *, cudaGraph_t, unsigned long long);
      cudaError_t (*update_11)(cudaGraphExec_t, cudaGraph_t, cudaGraphNode_t *, CUgraphExecUpdateResult *);
      cudaError_t (*update)(cudaGraphExec_t, cudaGraph_t, cudaGraphExecUpdateResultInfo *);
      cudaError_t (*edges_12)(cudaGraph_t, cudaGraphNode_t *, cudaGraphNode_t *, size_t *);
      cudaError_t (*edges)(cudaGraph_t, cudaGraphNode_t *, cudaGraphNode_t *, cudaGraphEdgeData *, size_t *);
      cudaError_t (*info_12)(cudaStream_t, CUstreamCaptureStatus *, unsigned long long *);
      cudaError_t (*info)(cudaStream_t, CUstreamCaptureStatus *, unsigned long long *, cudaGraph_t *, const cudaGraphNode_t **,
                          const cudaGraphEdgeData **, size_t *);
    } call;
    cudaGraphExec_t run = NULL;
    cudaGraphNode_t wrong = nodes[0];
    char log[8] = "before";
    call.symbol = dlsym(library, "cudaGraphInstantiate");
    WORKS(i == 0 ? call.instantiate_11(&run, graph, &wrong, log, sizeof log) : call.instantiate(&run, graph, 0));
    CHECK(i > 0 || (wrong == NULL && *log == 0));
    CUgraphExecUpdateResult result = CU_GRAPH_EXEC_UPDATE_ERROR;
    cudaGraphExecUpdateResultInfo info = {.result = CU_GRAPH_EXEC_UPDATE_ERROR};
    call.symbol = dlsym(library, "cudaGraphExecUpdate");
    WORKS(i == 0 ? call.update_11(run, graph, &wrong, &result) : call.update(run, graph, &info));
    CHECK((i == 0 ? result : info.result) == CU_GRAPH_EXEC_UPDATE_SUCCESS);
    size_t count = 2;
    cudaGraphEdgeData data[2] = {{1, 1, 1, {0}}, {1, 1, 1, {0}}};
    call.symbol = dlsym(library, "cudaGraphGetEdges");
    WORKS(i < 2 ? call.edges_12(graph, from, to, &count) : call.edges(graph, from, to, data, &count));
    CHECK(count == 1 && from[0] == nodes[0] && to[0] == nodes[1] && (i < 2 || data[0].type == 0));
    CUstreamCaptureStatus status;
    unsigned long long id = 0;
    cudaGraph_t captured = NULL;
    WORKS(cudaStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
    call.symbol = dlsym(library, "cudaStreamGetCaptureInfo");
    WORKS(i < 2 ? call.info_12(stream, &status, &id) : call.info(stream, &status, &id, &captured, NULL, NULL, &count));
    CHECK(status == CU_STREAM_CAPTURE_STATUS_ACTIVE && id > 0 && (i < 2 || (captured != NULL && count == 0)));
    WORKS(cudaStreamEndCapture(stream, &captured));
  }
}

static void fault(void) {
  int n = 4, *host = malloc(16), *device;
  void *parameters[] = {&host, &n};
  call(&forward, one, threads(4), 0, parameters);
  GIVES(cudaErrorIllegalAddress, cudaGetLastError());
  GIVES(cudaErrorIllegalAddress, cudaGetLastError());
  GIVES(cudaErrorIllegalAddress, cudaDeviceSynchronize());
  GIVES(cudaErrorIllegalAddress, cudaMalloc((void **)&device, 4));
  GIVES(cudaErrorIllegalAddress, cudaDeviceReset());
  GIVES(cudaErrorIllegalAddress, cudaMalloc((void **)&device, 4));
}

/* Where nothing but machine code is embedded. */
static void machine_code(void) {
  static const struct {
    unsigned magic;
    unsigned short version, head;
    unsigned long long bytes;
  } empty = {0xba55ed50u, 1, 16, 0};
  wrapper.data = &empty;
  GIVES(cudaErrorNoKernelImageForDevice, cudaLaunchKernel(&speak, one, one, NULL, 0, NULL));
  GIVES(cudaErrorNoKernelImageForDevice, cudaLaunchKernel(&speak, one, one, NULL, 0, NULL));
  WORKS(cudaDeviceSynchronize());
}

static void gone(void) {
  call(&speak, one, one, 0, NULL);
  WORKS(cudaGetLastError());
  __cudaUnregisterFatBinary(handle);
  GIVES(cudaErrorInvalidDeviceFunction, cudaLaunchKernel(&speak, one, one, NULL, 0, NULL));
}

/* Numbers of cudaDeviceProp by where programs of each version read them. */
static void layouts(void) {
  static const struct {
    const char *library, *name;
    size_t bytes, major, processors, opt_in;
  } all[] = {{"libcudart.so.13", "cudaGetDeviceProperties", 1008, 360, 384, 672},
             {"libcudart.so.12", "cudaGetDeviceProperties_v2", 1032, 360, 388, 696},
             {"libcudart.so.12", "cudaGetDeviceProperties", 728, 360, 388, 696},
             {"libcudart.so.11.0", "cudaGetDeviceProperties", 728, 360, 388, 696}};
  for (int i = 0; i < COUNT(all); i++) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", getenv("LIBRARIES"), all[i].library);
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    CHECK(library != NULL);
    CHECK(dlvsym(library, "cudaMalloc", all[i].library) != NULL);
    cudaError_t (*properties)(void *, int);
    *(void **)(&properties) = dlsym(library, all[i].name);
    unsigned char to[1100];
    memset(to, 0xaa, sizeof to);
    WORKS(properties(to, 0));
    int major, processors;
    size_t opt_in;
    memcpy(&major, to + all[i].major, sizeof major);
    memcpy(&processors, to + all[i].processors, sizeof processors);
    memcpy(&opt_in, to + all[i].opt_in, sizeof opt_in);
    CHECK(strcmp((char *)to, "ptxrun sm_90") == 0 && major == 9 && processors == 16 && opt_in == 227 << 10);
    for (size_t at = all[i].bytes; at < sizeof to; at++) CHECK(to[at] == 0xaa);
    CHECK(to[all[i].bytes - 1] == 0);
  }
}

/* Arrays and textures without a kernel: copies there and back, and what objects say of themselves. */
static void arrays(void) {
  unsigned short numbers[4][6], back[4][6];
  for (int i = 0; i < 24; i++) numbers[i / 6][i % 6] = (unsigned short)(1000 + i);
  struct cudaChannelFormatDesc channels = {16, 0, 0, 0, cudaChannelFormatKindUnsigned}, same;
  struct cudaExtent extent;
  cudaArray_t array, other;
  unsigned flags;
  WORKS(cudaMallocArray(&array, &channels, 6, 4, 0));
  WORKS(cudaMallocArray(&other, &channels, 6, 4, 2));
  WORKS(cudaArrayGetInfo(&same, &extent, &flags, other));
  CHECK(memcmp(&channels, &same, sizeof same) == 0 && extent.width == 6 && extent.height == 4 && extent.depth == 0 && flags == 2);
  WORKS(cudaMemcpyToArray(array, 0, 0, numbers, 10, cudaMemcpyHostToDevice));
  WORKS(cudaMemcpyToArray(array, 10, 0, &numbers[0][5], sizeof numbers - 10, cudaMemcpyDefault));
  WORKS(cudaMemcpyArrayToArray(other, 0, 0, array, 0, 0, sizeof numbers, cudaMemcpyDeviceToDevice));
  WORKS(cudaMemcpyFromArray(back, other, 0, 1, 36, cudaMemcpyDeviceToHost));
  CHECK(memcmp(back, numbers[1], 36) == 0);
  WORKS(cudaMemcpy2DFromArray(back, 12, other, 2, 1, 8, 3, cudaMemcpyDeviceToHost));
  for (int y = 0; y < 3; y++) CHECK(memcmp(back[y], &numbers[y + 1][1], 8) == 0);
  /* Texels, where an array takes part; the second row becomes the first. */
  struct cudaMemcpy3DParms box = {.srcArray = array, .srcPos = {1, 1, 0}, .dstPtr = {back, 12, 6, 4}, .dstPos = {2, 0, 0},
                                  .extent = {3, 2, 1}, .kind = cudaMemcpyDeviceToHost};
  WORKS(cudaMemcpy3D(&box));
  CHECK(memcmp(&back[0][1], &numbers[1][1], 6) == 0 && memcmp(&back[1][1], &numbers[2][1], 6) == 0);
  box.extent.width = 6;
  GIVES(cudaErrorInvalidPitchValue, cudaMemcpy3D(&box));
  GIVES(cudaErrorInvalidValue, cudaMemcpy2DToArray(array, 0, 1, numbers, 12, 12, 4, cudaMemcpyHostToDevice));
  struct cudaResourceDesc resource = {.resType = 0, .res.array.array = array}, given;
  struct cudaTextureDesc how = {.addressMode = {0, 1, 3}, .readMode = 1, .normalizedCoords = 1, .borderColor = {1, 2, 3, 4}}, its;
  cudaTextureObject_t texture;
  WORKS(cudaCreateTextureObject(&texture, &resource, &how, NULL));
  memset(&its, 0, sizeof its);
  WORKS(cudaGetTextureObjectTextureDesc(&its, texture));
  CHECK(memcmp(&its, &how, sizeof its) == 0);
  WORKS(cudaGetTextureObjectResourceDesc(&given, texture));
  CHECK(given.res.array.array == array);
  WORKS(cudaDestroyTextureObject(texture));
  GIVES(cudaErrorInvalidValue, cudaDestroyTextureObject(texture));
  /* As driver_types.h has it, where the driver takes it: see images.c. */
  struct cudaTextureDesc filtered = {.filterMode = 1, .readMode = 0};
  GIVES(cudaErrorInvalidFilterSetting, cudaCreateTextureObject(&texture, &resource, &filtered, NULL));
  filtered.readMode = 1;
  WORKS(cudaCreateTextureObject(&texture, &resource, &filtered, NULL));
  cudaSurfaceObject_t surface;
  GIVES(cudaErrorInvalidValue, cudaCreateSurfaceObject(&surface, &resource));
  WORKS(cudaFreeArray(array));
  GIVES(cudaErrorInvalidResourceHandle, cudaCreateTextureObject(&texture, &resource, &how, NULL));
  channels.y = 8;
  GIVES(cudaErrorInvalidChannelDescriptor, cudaMallocArray(&array, &channels, 6, 4, 0));
}

/* What the program stores to a managed variable is there for every copy and set, and what these store for the program. */
static void turns(void) {
  int there = 0, *device;
  struct cudaChannelFormatDesc channels = {32, 0, 0, 0, cudaChannelFormatKindSigned};
  cudaArray_t array;
  CHECK(__cudaInitModule(handle) == 1);
  WORKS(cudaMallocArray(&array, &channels, 1, 1, 0));
  device = numbers(&there, sizeof there);
  for (int way = 0; way < 4; way++) {
    struct cudaMemcpy3DParms out = {.srcPtr = {total, 4, 4, 1}, .dstPtr = {device, 4, 4, 1}, .extent = {4, 1, 1}, .kind = cudaMemcpyDefault};
    struct cudaMemcpy3DParms in = {.srcPtr = out.dstPtr, .dstPtr = out.srcPtr, .extent = out.extent, .kind = cudaMemcpyDefault};
    *total = 70 + way;
    if (way == 0) WORKS(cudaMemcpy(device, total, 4, cudaMemcpyDefault));
    if (way == 1) WORKS(cudaMemcpy3D(&out));
    if (way == 2) WORKS(cudaMemcpyToArray(array, 0, 0, total, 4, cudaMemcpyDefault));
    if (way == 3) WORKS(cudaMemcpy2DToArray(array, 0, 0, total, 4, 4, 1, cudaMemcpyDefault));
    if (way < 2)
      WORKS(cudaMemcpy(&there, device, 4, cudaMemcpyDeviceToHost));
    else
      WORKS(cudaMemcpyFromArray(&there, array, 0, 0, 4, cudaMemcpyDeviceToHost));
    CHECK(there == 70 + way);
    *total = 0;
    if (way == 0) WORKS(cudaMemcpy(total, device, 4, cudaMemcpyDefault));
    if (way == 1) WORKS(cudaMemcpy3D(&in));
    if (way == 2) WORKS(cudaMemcpyFromArray(total, array, 0, 0, 4, cudaMemcpyDefault));
    if (way == 3) WORKS(cudaMemcpy2DFromArray(total, 4, array, 0, 0, 4, 1, cudaMemcpyDefault));
    CHECK(*total == 70 + way);
  }
  WORKS(cudaMemset(total, 1, 2));
  CHECK(*total == 0x0101);
  *total = 0x7f000000;
  WORKS(cudaMemset(total, 2, 1));
  CHECK(*total == 0x7f000002);
}

static const struct part_of_test parts[] = {
    {"graphs", graphs},     {"forms", forms}, {"launches", launches}, {"variables", variables}, {"errors", errors}, {"fault", fault},
    {"machine_code", machine_code}, {"gone", gone}, {"layouts", layouts},   {"arrays", arrays}, {"turns", turns},
};

int main(int argc, char **argv) {
  load();
  return run_part(parts, COUNT(parts), argc, argv);
}
