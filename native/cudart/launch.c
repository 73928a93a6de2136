#include "registry.h"
#include "runtime.h"

/* What `kernel<<<...>>>` leaves for the function that the compiler makes of the kernel. */
struct configuration {
  dim3 grid, block;
  size_t shared;
  cudaStream_t stream;
};
#define DEEPEST 16
static _Thread_local struct configuration pushed[DEEPEST];
static _Thread_local int depth;

API unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, cudaStream_t stream) {
  if (depth == DEEPEST) return 1;
  pushed[depth++] = (struct configuration){grid, block, shared, stream};
  return 0;
}

API cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream) {
  if (depth == 0) return fails(cudaErrorMissingConfiguration);
  struct configuration top = pushed[--depth];
  *grid = top.grid;
  *block = top.block;
  *shared = top.shared;
  *(cudaStream_t *)stream = top.stream;
  return cudaSuccess;
}

static bool can_be(dim3 grid, dim3 block) {
  if (grid.x == 0 || grid.y == 0 || grid.z == 0 || block.x == 0 || block.y == 0 || block.z == 0) return false;
  if (grid.x > 0x7fffffffu || grid.y > 65535 || grid.z > 65535 || block.x > 1024 || block.y > 1024 || block.z > 64) return false;
  return block.x * block.y * block.z <= 1024;
}

static cudaError_t launch(const void *kernel, const cudaLaunchConfig_t *config, void **parameters) {
  CUfunction function;
  BEGIN;
  cudaError_t found = find_kernel(&function, kernel);
  if (found != cudaSuccess) return fails(found);
  if (!can_be(config->gridDim, config->blockDim)) return fails(cudaErrorInvalidConfiguration);
  NEEDS(config->dynamicSmemBytes <= 0x7fffffff);
  CUlaunchConfig asked = {config->gridDim.x,
                          config->gridDim.y,
                          config->gridDim.z,
                          config->blockDim.x,
                          config->blockDim.y,
                          config->blockDim.z,
                          (unsigned)config->dynamicSmemBytes,
                          config->stream,
                          config->attrs,
                          config->numAttrs};
  managed_to_device();
  CUresult result = cuLaunchKernelEx(&asked, function, parameters, NULL);
  managed_to_program();
  return end(result);
}

API cudaError_t cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **parameters, size_t shared,
                                 cudaStream_t stream) {
  cudaLaunchConfig_t config = {grid, block, shared, stream, NULL, 0};
  return launch(kernel, &config, parameters);
}
PER_THREAD(cudaLaunchKernel);

API cudaError_t cudaLaunchCooperativeKernel(const void *kernel, dim3 grid, dim3 block, void **parameters, size_t shared,
                                            cudaStream_t stream) {
  cudaLaunchAttribute cooperative = {.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE, .value = {.cooperative = 1}};
  cudaLaunchConfig_t config = {grid, block, shared, stream, &cooperative, 1};
  return launch(kernel, &config, parameters);
}
PER_THREAD(cudaLaunchCooperativeKernel);

API cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *kernel, void **parameters) {
  NEEDS(config != NULL && (config->numAttrs == 0 || config->attrs != NULL));
  return launch(kernel, config, parameters);
}
PER_THREAD(cudaLaunchKernelExC);

/*
 * What the compiler keeps of a kernel for all its launches. It is the address by which the kernel is registered: the driver's
 * handle ends when the device is reset.
 */
API cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *stub) {
  *kernel = (cudaKernel_t)(uintptr_t)stub;
  return cudaSuccess;
}

API cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **parameters, size_t shared,
                                   cudaStream_t stream) {
  return cudaLaunchKernel((const void *)kernel, grid, block, parameters, shared, stream);
}
PER_THREAD(__cudaLaunchKernel);
