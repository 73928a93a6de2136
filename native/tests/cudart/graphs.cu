// A reduction as a graph of explicit nodes and as one of captured streams, its clone, and changes of what has been made of it.
#include <cuda_runtime.h>

#include <vector>

#include "check.cuh"

__global__ void add_up(const float *from, double *to, size_t n) {
  __shared__ double part[128];
  double sum = 0;
  for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += from[i];
  part[threadIdx.x] = sum;
  __syncthreads();
  for (int half = 64; half > 0; half /= 2) {
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) to[blockIdx.x] = part[0];
}
__global__ void finish(const double *from, double *to, size_t n) {
  for (size_t i = 0; i < n; i++) *to += from[i];
}

struct call {
  double *result, seen;
  int times;
};
static void CUDART_CB note(void *data) {
  call *its = static_cast<call *>(data);
  its->seen = *its->result;
  its->times++;
}

constexpr size_t n = 20000, blocks = 8;
static float *numbers, *device;
static double *parts, *sum, expected;

static void explicit_nodes(cudaStream_t stream) {
  cudaGraph_t graph, clone;
  cudaGraphExec_t run, second;
  cudaGraphNode_t copy, set, reduce, last, back, host;
  double result = 0;
  WORKS(cudaGraphCreate(&graph, 0));
  cudaMemcpy3DParms in = {};
  in.srcPtr = make_cudaPitchedPtr(numbers, n * sizeof(float), n, 1);
  in.dstPtr = make_cudaPitchedPtr(device, n * sizeof(float), n, 1);
  in.extent = make_cudaExtent(n * sizeof(float), 1, 1);
  in.kind = cudaMemcpyHostToDevice;
  WORKS(cudaGraphAddMemcpyNode(&copy, graph, nullptr, 0, &in));
  cudaMemsetParams zero = {};
  zero.dst = sum;
  zero.elementSize = 4;
  zero.width = 2;
  zero.height = 1;
  WORKS(cudaGraphAddMemsetNode(&set, graph, nullptr, 0, &zero));
  size_t count = n, of = blocks;
  void *first[] = {&device, &parts, &count}, *then[] = {&parts, &sum, &of};
  cudaKernelNodeParams kernel = {};
  kernel.func = reinterpret_cast<void *>(add_up);
  kernel.gridDim = dim3(blocks);
  kernel.blockDim = dim3(128);
  kernel.kernelParams = first;
  WORKS(cudaGraphAddKernelNode(&reduce, graph, &copy, 1, &kernel));
  kernel.func = reinterpret_cast<void *>(finish);
  kernel.gridDim = kernel.blockDim = dim3(1);
  kernel.kernelParams = then;
  std::vector<cudaGraphNode_t> before = {reduce, set};
  WORKS(cudaGraphAddKernelNode(&last, graph, before.data(), before.size(), &kernel));
  WORKS(cudaGraphAddMemcpyNode1D(&back, graph, &last, 1, &result, sum, sizeof result, cudaMemcpyDeviceToHost));
  call its = {&result, 0, 0};
  cudaHostNodeParams calls = {note, &its};
  WORKS(cudaGraphAddHostNode(&host, graph, &back, 1, &calls));
  size_t nodes, edges;
  WORKS(cudaGraphGetNodes(graph, nullptr, &nodes));
  WORKS(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges));
  CHECK(nodes == 6 && edges == 5);
  WORKS(cudaGraphInstantiate(&run, graph, 0));
  WORKS(cudaGraphClone(&clone, graph));
  WORKS(cudaGraphInstantiate(&second, clone, 0));
  for (int i = 0; i < 3; i++) WORKS(cudaGraphLaunch(run, stream));
  for (int i = 0; i < 3; i++) WORKS(cudaGraphLaunch(second, stream));
  WORKS(cudaStreamSynchronize(stream));
  CHECK(its.times == 6 && its.seen == expected);
  // Half of the numbers, from now on.
  count = n / 2;
  kernel.func = reinterpret_cast<void *>(add_up);
  kernel.gridDim = dim3(blocks);
  kernel.blockDim = dim3(128);
  kernel.kernelParams = first;
  WORKS(cudaGraphExecKernelNodeSetParams(run, reduce, &kernel));
  WORKS(cudaGraphLaunch(run, stream));
  double half = 0;
  for (size_t i = 0; i < n / 2; i++) half += numbers[i];
  CHECK(its.seen == half);
  WORKS(cudaGraphNodeFindInClone(&host, reduce, clone));
  WORKS(cudaGraphKernelNodeGetParams(host, &kernel));
  CHECK(kernel.func == reinterpret_cast<void *>(add_up) && *static_cast<size_t *>(kernel.kernelParams[2]) == n);
  WORKS(cudaGraphExecDestroy(run));
  WORKS(cudaGraphExecDestroy(second));
  WORKS(cudaGraphDestroy(graph));
  WORKS(cudaGraphDestroy(clone));
}

static void captured_streams(cudaStream_t stream) {
  cudaStream_t one, two;
  cudaEvent_t fork, join;
  cudaGraph_t graph;
  cudaGraphExec_t run = nullptr;
  double result = 0;
  WORKS(cudaStreamCreate(&one));
  WORKS(cudaStreamCreate(&two));
  WORKS(cudaEventCreate(&fork));
  WORKS(cudaEventCreate(&join));
  call its = {&result, 0, 0};
  for (size_t size = n; size > n - 3; size--) {
    WORKS(cudaStreamBeginCapture(one, cudaStreamCaptureModeGlobal));
    WORKS(cudaEventRecord(fork, one));
    WORKS(cudaStreamWaitEvent(two, fork, 0));
    WORKS(cudaMemcpyAsync(device, numbers, n * sizeof(float), cudaMemcpyDefault, one));
    WORKS(cudaMemsetAsync(sum, 0, sizeof *sum, two));
    WORKS(cudaEventRecord(join, two));
    add_up<<<blocks, 128, 0, one>>>(device, parts, size);
    WORKS(cudaStreamWaitEvent(one, join, 0));
    finish<<<1, 1, 0, one>>>(parts, sum, blocks);
    WORKS(cudaMemcpyAsync(&result, sum, sizeof result, cudaMemcpyDefault, one));
    WORKS(cudaLaunchHostFunc(one, note, &its));
    WORKS(cudaStreamEndCapture(one, &graph));
    cudaGraphExecUpdateResultInfo info;
    if (run == nullptr)
      WORKS(cudaGraphInstantiate(&run, graph, 0));
    else
      WORKS(cudaGraphExecUpdate(run, graph, &info));
    WORKS(cudaGraphDestroy(graph));
    WORKS(cudaGraphLaunch(run, stream));
    WORKS(cudaStreamSynchronize(stream));
    double wanted = expected;
    for (size_t i = size; i < n; i++) wanted -= numbers[i];
    CHECK(its.seen == wanted);
  }
  CHECK(its.times == 3);
}

int main() {
  cudaStream_t stream;
  WORKS(cudaStreamCreate(&stream));
  WORKS(cudaMallocHost(&numbers, n * sizeof(float)));
  for (size_t i = 0; i < n; i++) expected += numbers[i] = float(i % 7);
  WORKS(cudaMalloc(&device, n * sizeof(float)));
  WORKS(cudaMalloc(&parts, blocks * sizeof(double)));
  WORKS(cudaMalloc(&sum, sizeof(double)));
  explicit_nodes(stream);
  captured_streams(stream);
  printf("graphs\n");
}
