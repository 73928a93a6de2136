#include <stdlib.h>
#include <string.h>

#include "../report.h"
#include "calls.h"
#include "driver.h"
#include "modules.h"
#include "reference.h"
#include "target.h"
#include "virtual.h"

/* The parameters as the kernel lays them out. */
static CUresult pack(unsigned char *block, CUfunction function, void **parameters, void **extra) {
  if (extra != NULL && parameters != NULL) return CUDA_ERROR_INVALID_VALUE;
  if (extra != NULL) {
    const void *bytes = NULL;
    size_t count = 0;
    for (; *extra != CU_LAUNCH_PARAM_END; extra += 2) {
      if (*extra == CU_LAUNCH_PARAM_BUFFER_POINTER)
        bytes = extra[1];
      else if (*extra == CU_LAUNCH_PARAM_BUFFER_SIZE)
        memcpy(&count, extra[1], sizeof count);
      else
        return CUDA_ERROR_INVALID_VALUE;
    }
    /* The end may be padded to what the type is aligned to. */
    if (bytes == NULL || count < function->parameter_bytes) return CUDA_ERROR_INVALID_VALUE;
    memcpy(block, bytes, function->parameter_bytes);
    return CUDA_SUCCESS;
  }
  if (function->parameters > 0 && parameters == NULL) return CUDA_ERROR_INVALID_VALUE;
  for (uint32_t i = 0; i < function->parameters; i++) {
    struct parameter parameter = function->parameter[i];
    if (parameters[i] == NULL) return CUDA_ERROR_INVALID_VALUE;
    memcpy(block + parameter.offset, parameters[i], parameter.bytes);
  }
  return CUDA_SUCCESS;
}

/* A failed launch is told by the calls that follow, as on a GPU; with CUDA_LAUNCH_BLOCKING=1 by itself. */
static bool is_blocking(void) {
  const char *text = getenv("CUDA_LAUNCH_BLOCKING");
  return text != NULL && *text != 0 && strcmp(text, "0") != 0;
}

struct asked {
  unsigned grid[3], block[3], cluster[3], shared, cooperative;
};

static CUresult run(CUcontext context, CUfunction function, const struct asked *asked, const unsigned char *block) {
  uint64_t limits[2] = {context->limits[CU_LIMIT_STACK_SIZE], context->limits[CU_LIMIT_MALLOC_HEAP_SIZE]};
  /* A GPU's frames are smaller, and its compiler enlarges the stack where it knows how deep calls go. */
  if (limits[0] < 16384) limits[0] = 16384;
  struct part parts[] = {{&function->handle, sizeof function->handle},
                         {asked, sizeof *asked},
                         {limits, sizeof limits},
                         {block, function->parameter_bytes}};
  struct reply reply;
  CUresult result = call(CALL_LAUNCH, parts, 4, &reply);
  if (reply.text != NULL && *reply.text != 0) say("%s", reply.text);
  bool fatal = result == CUDA_ERROR_ILLEGAL_ADDRESS || (reply.count > 0 && reply.words[0] != 0);
  reply_free(&reply);
  if (fatal) context_dies(context, result);
  /* A worker that has died has ended the context already. */
  return context->dead == CUDA_SUCCESS || is_blocking() ? result : CUDA_SUCCESS;
}

static CUresult launch(CUfunction function, const struct asked *asked, CUstream stream, void **parameters, void **extra) {
  NEEDS_CONTEXT(context);
  NEEDS_FUNCTION(function);
  if (!is_stream(stream)) return CUDA_ERROR_INVALID_HANDLE;
  if (object_is(stream, STREAM) && stream->object.context != context) return CUDA_ERROR_INVALID_HANDLE;
  if (function->object.context != NULL && function->object.context != context) return CUDA_ERROR_INVALID_HANDLE;
  NEEDS_ALIVE(function->module);
  for (int i = 0; i < 3; i++) NEEDS(asked->grid[i] > 0 && asked->block[i] > 0);
  NEEDS(asked->block[0] <= 1024 && asked->block[1] <= 1024 && asked->block[2] <= 64);
  NEEDS(asked->block[0] * asked->block[1] * asked->block[2] <= 1024);
  NEEDS(asked->grid[0] <= 0x7fffffffu && asked->grid[1] <= 65535 && asked->grid[2] <= 65535);
  NEEDS(asked->shared <= (unsigned)target()->shared_block);
  if (asked->shared > 0 && (int)asked->shared > function->dynamic_shared) return CUDA_ERROR_INVALID_VALUE;
  TRY(references_bind(function->module));
  TRY(virtual_tell());
  images_refresh();
  unsigned char few[512];
  unsigned char *block = function->parameter_bytes <= sizeof few ? few : malloc(function->parameter_bytes);
  if (block == NULL) return CUDA_ERROR_OUT_OF_MEMORY;
  memset(block, 0, function->parameter_bytes);
  CUresult result = pack(block, function, parameters, extra);
  if (result == CUDA_SUCCESS) result = run(context, function, asked, block);
  if (block != few) free(block);
  return result;
}

API CUresult cuLaunchKernel(CUfunction function, unsigned gridDimX, unsigned gridDimY, unsigned gridDimZ, unsigned blockDimX,
                            unsigned blockDimY, unsigned blockDimZ, unsigned sharedMemBytes, CUstream stream,
                            void **kernelParams, void **extra) {
  struct asked asked = {{gridDimX, gridDimY, gridDimZ}, {blockDimX, blockDimY, blockDimZ}, {0, 0, 0}, sharedMemBytes, 0};
  return launch(function, &asked, stream, kernelParams, extra);
}
ALSO(cuLaunchKernel, cuLaunchKernel_ptsz);

API CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned gridDimX, unsigned gridDimY, unsigned gridDimZ,
                                       unsigned blockDimX, unsigned blockDimY, unsigned blockDimZ, unsigned sharedMemBytes,
                                       CUstream stream, void **kernelParams) {
  struct asked asked = {{gridDimX, gridDimY, gridDimZ}, {blockDimX, blockDimY, blockDimZ}, {0, 0, 0}, sharedMemBytes, 1};
  return launch(function, &asked, stream, kernelParams, NULL);
}
ALSO(cuLaunchCooperativeKernel, cuLaunchCooperativeKernel_ptsz);

API CUresult cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction function, void **kernelParams, void **extra) {
  NEEDS(config != NULL && (config->numAttrs == 0 || config->attrs != NULL));
  struct asked asked = {{config->gridDimX, config->gridDimY, config->gridDimZ},
                        {config->blockDimX, config->blockDimY, config->blockDimZ},
                        {0, 0, 0},
                        config->sharedMemBytes,
                        0};
  for (unsigned i = 0; i < config->numAttrs; i++) {
    const CUlaunchAttribute *attribute = &config->attrs[i];
    /* All others are about speed, or about an order that holds anyway. */
    if (attribute->id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE) asked.cooperative = attribute->value.cooperative != 0;
    if (attribute->id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION) {
      asked.cluster[0] = attribute->value.clusterDim.x;
      asked.cluster[1] = attribute->value.clusterDim.y;
      asked.cluster[2] = attribute->value.clusterDim.z;
      for (int k = 0; k < 3; k++) NEEDS(asked.cluster[k] > 0);
      if (!target()->clusters) return CUDA_ERROR_NOT_SUPPORTED;
      for (int k = 0; k < 3; k++)
        if (asked.grid[k] % asked.cluster[k] != 0) return CUDA_ERROR_INVALID_CLUSTER_SIZE;
    }
  }
  return launch(function, &asked, config->hStream, kernelParams, extra);
}
ALSO(cuLaunchKernelEx, cuLaunchKernelEx_ptsz);
