#include "launch.h"

#include <stdlib.h>
#include <string.h>

#include "../report.h"
#include "calls.h"
#include "driver.h"
#include "graph/capture.h"
#include "modules.h"
#include "reference.h"
#include "target.h"
#include "virtual.h"

CUresult launch_pack(unsigned char *block, CUfunction function, void **parameters, void **extra) {
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

bool launch_is_blocking(void) {
  const char *text = getenv("CUDA_LAUNCH_BLOCKING");
  return text != NULL && *text != 0 && strcmp(text, "0") != 0;
}

CUresult launch_run(CUcontext context, CUfunction function, const struct asked *asked, const unsigned char *block) {
  TRY(references_bind(function->module));
  TRY(virtual_tell());
  images_refresh();
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
  return context->dead == CUDA_SUCCESS || launch_is_blocking() ? result : CUDA_SUCCESS;
}

CUresult launch_check(CUcontext context, CUfunction function, const struct asked *asked) {
  NEEDS_FUNCTION(function);
  if (function->object.context != NULL && function->object.context != context) return CUDA_ERROR_INVALID_HANDLE;
  NEEDS_ALIVE(function->module);
  for (int i = 0; i < 3; i++) NEEDS(asked->grid[i] > 0 && asked->block[i] > 0);
  NEEDS(asked->block[0] <= 1024 && asked->block[1] <= 1024 && asked->block[2] <= 64);
  NEEDS(asked->block[0] * asked->block[1] * asked->block[2] <= 1024);
  NEEDS(asked->grid[0] <= 0x7fffffffu && asked->grid[1] <= 65535 && asked->grid[2] <= 65535);
  NEEDS(asked->shared <= (unsigned)target()->shared_block);
  NEEDS(asked->shared == 0 || (int)asked->shared <= function->dynamic_shared);
  for (int k = 0; k < 3; k++)
    if (asked->cluster[k] > 0 && asked->grid[k] % asked->cluster[k] != 0) return CUDA_ERROR_INVALID_CLUSTER_SIZE;
  return CUDA_SUCCESS;
}

CUresult launch_attribute(struct asked *asked, CUlaunchAttributeID id, const CUlaunchAttributeValue *value) {
  if (id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE) asked->cooperative = value->cooperative != 0;
  if (id != CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION) return CUDA_SUCCESS;
  const unsigned cluster[3] = {value->clusterDim.x, value->clusterDim.y, value->clusterDim.z};
  for (int k = 0; k < 3; k++) NEEDS(cluster[k] > 0);
  if (!target()->clusters) return CUDA_ERROR_NOT_SUPPORTED;
  memcpy(asked->cluster, cluster, sizeof cluster);
  return CUDA_SUCCESS;
}

/* Events that the launch is to record, while it runs or when it ends: both are the same here. */
static CUresult record(const CUlaunchConfig *config) {
  for (unsigned i = 0; i < config->numAttrs; i++) {
    const CUlaunchAttribute *each = &config->attrs[i];
    if (each->id == CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT || each->id == CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT)
      TRY(cuEventRecord(each->value.launchCompletionEvent.event, config->hStream));
  }
  return CUDA_SUCCESS;
}

/* A launch that is captured has its attributes as the node's. */
static CUresult capture(CUfunction function, const CUlaunchConfig *config, void **parameters, void **extra) {
  CUgraphNode node;
  CUgraphNodeParams params = {.type = CU_GRAPH_NODE_TYPE_KERNEL};
  params.kernel = (CUDA_KERNEL_NODE_PARAMS){function,          config->gridDimX,  config->gridDimY,  config->gridDimZ,
                                            config->blockDimX, config->blockDimY, config->blockDimZ, config->sharedMemBytes,
                                            parameters,        extra,             NULL,              NULL};
  TRY(capture_node(config->hStream, &params, &node));
  for (unsigned i = 0; i < config->numAttrs; i++)
    TRY(cuGraphKernelNodeSetAttribute(node, config->attrs[i].id, &config->attrs[i].value));
  return record(config);
}

static CUresult launch(CUfunction function, const CUlaunchConfig *config, void **parameters, void **extra) {
  NEEDS_CONTEXT(context);
  NEEDS_FUNCTION(function);
  struct asked asked = {{config->gridDimX, config->gridDimY, config->gridDimZ},
                        {config->blockDimX, config->blockDimY, config->blockDimZ},
                        {0, 0, 0},
                        config->sharedMemBytes,
                        0};
  CUstream stream = config->hStream;
  if (!is_stream(stream)) return CUDA_ERROR_INVALID_HANDLE;
  if (object_is(stream, STREAM) && stream->object.context != context) return CUDA_ERROR_INVALID_HANDLE;
  for (unsigned i = 0; i < config->numAttrs; i++)
    TRY(launch_attribute(&asked, config->attrs[i].id, &config->attrs[i].value));
  TRY(launch_check(context, function, &asked));
  IN_STREAM(stream, capture(function, config, parameters, extra));
  unsigned char few[512];
  unsigned char *block = function->parameter_bytes <= sizeof few ? few : malloc(function->parameter_bytes);
  if (block == NULL) return CUDA_ERROR_OUT_OF_MEMORY;
  memset(block, 0, function->parameter_bytes);
  CUresult result = launch_pack(block, function, parameters, extra);
  if (result == CUDA_SUCCESS) result = launch_run(context, function, &asked, block);
  if (block != few) free(block);
  return result == CUDA_SUCCESS && context->dead == CUDA_SUCCESS ? record(config) : result;
}

API CUresult cuLaunchKernel(CUfunction function, unsigned gridDimX, unsigned gridDimY, unsigned gridDimZ, unsigned blockDimX,
                            unsigned blockDimY, unsigned blockDimZ, unsigned sharedMemBytes, CUstream stream,
                            void **kernelParams, void **extra) {
  CUlaunchConfig config = {gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes, stream, NULL, 0};
  return launch(function, &config, kernelParams, extra);
}
ALSO(cuLaunchKernel, cuLaunchKernel_ptsz);

API CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned gridDimX, unsigned gridDimY, unsigned gridDimZ,
                                       unsigned blockDimX, unsigned blockDimY, unsigned blockDimZ, unsigned sharedMemBytes,
                                       CUstream stream, void **kernelParams) {
  CUlaunchAttribute cooperative = {.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE, .value = {.cooperative = 1}};
  CUlaunchConfig config = {gridDimX,  gridDimY,       gridDimZ, blockDimX,    blockDimY,
                           blockDimZ, sharedMemBytes, stream,   &cooperative, 1};
  return launch(function, &config, kernelParams, NULL);
}
ALSO(cuLaunchCooperativeKernel, cuLaunchCooperativeKernel_ptsz);

API CUresult cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction function, void **kernelParams, void **extra) {
  NEEDS(config != NULL && (config->numAttrs == 0 || config->attrs != NULL));
  return launch(function, config, kernelParams, extra);
}
ALSO(cuLaunchKernelEx, cuLaunchKernelEx_ptsz);
