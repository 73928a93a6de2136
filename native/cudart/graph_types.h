/* Types and layouts of graphs, as types.h has the others. */
#ifndef PTXRUN_CUDART_GRAPH_TYPES_H
#define PTXRUN_CUDART_GRAPH_TYPES_H

typedef CUgraph cudaGraph_t;
typedef CUgraphNode cudaGraphNode_t;
typedef CUgraphExec cudaGraphExec_t;
typedef CUuserObject cudaUserObject_t;
typedef CUgraphConditionalHandle cudaGraphConditionalHandle;
typedef CUgraphEdgeData cudaGraphEdgeData;
typedef CUgraphExecUpdateResultInfo cudaGraphExecUpdateResultInfo;
typedef CUDA_GRAPH_INSTANTIATE_PARAMS cudaGraphInstantiateParams;

/* Since CUDA 12.2 the same words begin the form for all types of nodes. */
struct cudaKernelNodeParams {
  void *func;
  dim3 gridDim, blockDim;
  unsigned int sharedMemBytes;
  void **kernelParams, **extra;
};

struct cudaMemsetParams {
  void *dst;
  size_t pitch;
  unsigned int value, elementSize;
  size_t width, height;
};

struct cudaHostNodeParams {
  cudaHostFn_t fn;
  void *userData;
};

struct cudaMemcpyNodeParams {
  int flags, reserved[3];
  struct cudaMemcpy3DParms copyParams;
};

struct cudaMemAllocNodeParams {
  CUmemPoolProps poolProps;
  const CUmemAccessDesc *accessDescs;
  size_t accessDescCount, bytesize;
  void *dptr;
};

struct cudaConditionalNodeParams {
  cudaGraphConditionalHandle handle;
  int type;
  unsigned int size;
  cudaGraph_t *phGraph_out;
};

/* What is not here is as in the driver API. */
struct cudaGraphNodeParams {
  CUgraphNodeType type;
  int reserved0[3];
  union {
    long long reserved1[29];
    struct cudaKernelNodeParams kernel;
    struct cudaMemcpyNodeParams memcpy;
    struct cudaMemAllocNodeParams alloc;
    struct cudaConditionalNodeParams conditional;
  };
  long long reserved2;
};

#endif
