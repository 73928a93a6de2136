// Graphs that run as long as a kernel says so, or what it chooses.
#include <cuda_runtime.h>

#include "check.cuh"

__global__ void countdown(cudaGraphConditionalHandle handle, int *left, int *done) {
  ++*done;
  cudaGraphSetConditional(handle, --*left > 0);
}
__global__ void choose(cudaGraphConditionalHandle handle, const int *done) { cudaGraphSetConditional(handle, *done % 3); }
__global__ void add(int *to, int what) { *to += what; }

static cudaGraphNode_t launch(cudaGraph_t graph, const cudaGraphNode_t *before, void *kernel, void **parameters) {
  cudaGraphNode_t node;
  cudaGraphNodeParams params = {};
  params.type = cudaGraphNodeTypeKernel;
  params.kernel.func = kernel;
  params.kernel.gridDim = params.kernel.blockDim = dim3(1);
  params.kernel.kernelParams = parameters;
  WORKS(cudaGraphAddNode(&node, graph, before, nullptr, before == nullptr ? 0 : 1, &params));
  return node;
}

int main() {
  int host[2] = {5, 0}, *left, *done;
  WORKS(cudaMalloc(&left, sizeof host));
  WORKS(cudaMemcpy(left, host, sizeof host, cudaMemcpyHostToDevice));
  done = left + 1;
  cudaGraph_t graph;
  cudaGraphConditionalHandle again, which;
  WORKS(cudaGraphCreate(&graph, 0));
  WORKS(cudaGraphConditionalHandleCreate(&again, graph, 1, cudaGraphCondAssignDefault));
  WORKS(cudaGraphConditionalHandleCreate(&which, graph));
  cudaGraphNode_t loop, chosen;
  cudaGraphNodeParams params = {};
  params.type = cudaGraphNodeTypeConditional;
  params.conditional.handle = again;
  params.conditional.type = cudaGraphCondTypeWhile;
  params.conditional.size = 1;
  WORKS(cudaGraphAddNode(&loop, graph, nullptr, nullptr, 0, &params));
  void *counts[] = {&again, &left, &done};
  launch(params.conditional.phGraph_out[0], nullptr, reinterpret_cast<void *>(countdown), counts);
  // By capture into what it runs: of three branches the one that the number of turns chooses.
  void *chooses[] = {&which, &done};
  cudaGraphNode_t before = launch(graph, &loop, reinterpret_cast<void *>(choose), chooses);
  params.conditional = {};
  params.conditional.handle = which;
  params.conditional.type = cudaGraphCondTypeSwitch;
  params.conditional.size = 3;
  WORKS(cudaGraphAddNode(&chosen, graph, &before, nullptr, 1, &params));
  cudaStream_t stream;
  WORKS(cudaStreamCreate(&stream));
  for (int i = 0; i < 3; i++) {
    cudaGraph_t body = params.conditional.phGraph_out[i], same;
    WORKS(cudaStreamBeginCaptureToGraph(stream, body, nullptr, nullptr, 0, cudaStreamCaptureModeGlobal));
    add<<<1, 1, 0, stream>>>(done, 100 * i);
    WORKS(cudaStreamEndCapture(stream, &same));
    CHECK(same == body);
  }
  cudaGraphExec_t run;
  WORKS(cudaGraphInstantiate(&run, graph, 0));
  WORKS(cudaGraphLaunch(run, stream));
  WORKS(cudaMemcpy(host, left, sizeof host, cudaMemcpyDeviceToHost));
  CHECK(host[0] == 0 && host[1] == 5 + 200);
  printf("conditions\n");
}
