#include <string.h>

#include "registry.h"
#include "runtime.h"

/* The kernel, or the end of the function that asks for it. */
#define KERNEL_OF(function, stub)                           \
  CUfunction function;                                      \
  BEGIN;                                                    \
  do {                                                      \
    cudaError_t found_ = find_kernel(&function, stub);      \
    if (found_ != cudaSuccess) return fails(found_);        \
  } while (0)

static int value_of(CUfunction function, CUfunction_attribute attribute) {
  int value = 0;
  cuFuncGetAttribute(&value, attribute, function);
  return value;
}

API cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, const void *stub) {
  NEEDS(attributes != NULL);
  KERNEL_OF(f, stub);
  attributes->sharedSizeBytes = (size_t)value_of(f, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
  attributes->constSizeBytes = (size_t)value_of(f, CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES);
  attributes->localSizeBytes = (size_t)value_of(f, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES);
  attributes->maxThreadsPerBlock = value_of(f, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
  attributes->numRegs = value_of(f, CU_FUNC_ATTRIBUTE_NUM_REGS);
  attributes->ptxVersion = value_of(f, CU_FUNC_ATTRIBUTE_PTX_VERSION);
  attributes->binaryVersion = value_of(f, CU_FUNC_ATTRIBUTE_BINARY_VERSION);
  attributes->cacheModeCA = value_of(f, CU_FUNC_ATTRIBUTE_CACHE_MODE_CA);
  attributes->maxDynamicSharedSizeBytes = value_of(f, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
  attributes->preferredShmemCarveout = value_of(f, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT);
#if CUDART_MAJOR >= 12
  attributes->clusterDimMustBeSet = value_of(f, CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET);
  attributes->requiredClusterWidth = value_of(f, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH);
  attributes->requiredClusterHeight = value_of(f, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT);
  attributes->requiredClusterDepth = value_of(f, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH);
  attributes->clusterSchedulingPolicyPreference = value_of(f, CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE);
  attributes->nonPortableClusterSizeAllowed = value_of(f, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED);
#endif
  return cudaSuccess;
}

/* The attributes have the numbers of the driver's. */
API cudaError_t cudaFuncSetAttribute(const void *stub, int attribute, int value) {
  KERNEL_OF(function, stub);
  return end(cuFuncSetAttribute(function, (CUfunction_attribute)attribute, value));
}

API cudaError_t cudaFuncSetCacheConfig(const void *stub, int config) {
  KERNEL_OF(function, stub);
  return end(cuFuncSetCacheConfig(function, config));
}
ALSO(cudaFuncSetCacheConfig, cudaFuncSetSharedMemConfig);

API cudaError_t cudaFuncGetName(const char **name, const void *stub) {
  NEEDS(name != NULL);
  KERNEL_OF(function, stub);
  return end(cuFuncGetName(name, function));
}

API cudaError_t cudaFuncGetParamInfo(const void *stub, size_t index, size_t *offset, size_t *bytes) {
  NEEDS(offset != NULL);
  KERNEL_OF(function, stub);
  return end(cuFuncGetParamInfo(function, index, offset, bytes));
}

API cudaError_t cudaGetFuncBySymbol(cudaFunction_t *function, const void *stub) {
  NEEDS(function != NULL);
  KERNEL_OF(found, stub);
  *function = found;
  return cudaSuccess;
}

/* The driver's handles of kernels are those of their functions. */
API cudaError_t cudaGetKernel(cudaKernel_t *kernel, const void *stub) {
  NEEDS(kernel != NULL);
  KERNEL_OF(found, stub);
  *kernel = (cudaKernel_t)(void *)found;
  return cudaSuccess;
}

API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *stub, int threads,
                                                                       size_t shared, unsigned flags) {
  NEEDS(blocks != NULL);
  KERNEL_OF(function, stub);
  return end(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, threads, shared, flags));
}

API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *stub, int threads, size_t shared) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, stub, threads, shared, 0);
}

API cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, const void *stub, int blocks, int threads) {
  NEEDS(bytes != NULL);
  KERNEL_OF(function, stub);
  return end(cuOccupancyAvailableDynamicSMemPerBlock(bytes, function, blocks, threads));
}

static CUlaunchConfig config_of(const cudaLaunchConfig_t *config) {
  return (CUlaunchConfig){config->gridDim.x,  config->gridDim.y,  config->gridDim.z,
                          config->blockDim.x, config->blockDim.y, config->blockDim.z,
                          (unsigned)config->dynamicSmemBytes, config->stream, config->attrs, config->numAttrs};
}

API cudaError_t cudaOccupancyMaxActiveClusters(int *clusters, const void *stub, const cudaLaunchConfig_t *config) {
  NEEDS(clusters != NULL && config != NULL);
  KERNEL_OF(function, stub);
  CUlaunchConfig asked = config_of(config);
  return end(cuOccupancyMaxActiveClusters(clusters, function, &asked));
}

API cudaError_t cudaOccupancyMaxPotentialClusterSize(int *size, const void *stub, const cudaLaunchConfig_t *config) {
  NEEDS(size != NULL && config != NULL);
  KERNEL_OF(function, stub);
  CUlaunchConfig asked = config_of(config);
  return end(cuOccupancyMaxPotentialClusterSize(size, function, &asked));
}
