#include <stdlib.h>
#include <string.h>

#include "calls.h"
#include "driver.h"
#include "modules.h"
#include "target.h"

/* Words of the reply before those of each parameter: see `describe` in src/clients/driver/driver.ts. */
enum { HANDLE, SHARED, LOCAL, MOST_THREADS, CLUSTER_X, CLUSTER_Y, CLUSTER_Z, TARGET, PARAMETER_BYTES, PARAMETERS, FIRST };

static CUfunction make(CUmodule module, const char *name, const uint64_t *words, uint32_t count) {
  uint64_t parameters = words[PARAMETERS];
  if (count < FIRST + 2 * parameters) return NULL;
  CUfunction function = object_new(FUNCTION, sizeof *function, module->object.context);
  if (function == NULL) return NULL;
  function->name = malloc(strlen(name) + 1);
  function->parameter = calloc(parameters + 1, sizeof *function->parameter);
  if (function->name == NULL || function->parameter == NULL) {
    free(function->name);
    free(function->parameter);
    object_free(function);
    return NULL;
  }
  strcpy(function->name, name);
  function->module = module;
  function->handle = words[HANDLE];
  function->shared = (int)words[SHARED];
  function->local = (int)words[LOCAL];
  function->most_threads = (int)words[MOST_THREADS];
  for (int i = 0; i < 3; i++) function->cluster[i] = (unsigned)words[CLUSTER_X + i];
  function->target = (int)words[TARGET];
  function->parameter_bytes = words[PARAMETER_BYTES];
  function->parameters = (uint32_t)parameters;
  for (uint64_t i = 0; i < parameters; i++)
    function->parameter[i] = (struct parameter){words[FIRST + 2 * i], words[FIRST + 2 * i + 1]};
  function->dynamic_shared = 49152 - function->shared;
  function->carveout = -1;
  function->next = module->functions;
  module->functions = function;
  return function;
}

CUresult module_function(CUfunction *function, CUmodule module, const char *name) {
  NEEDS_ALIVE(module);
  for (CUfunction each = module->functions; each != NULL; each = each->next)
    if (strcmp(each->name, name) == 0) {
      *function = each;
      return CUDA_SUCCESS;
    }
  struct part parts[] = {{&module->handle, sizeof module->handle}, {name, strlen(name)}};
  struct reply reply;
  CUresult result = call(CALL_FUNCTION, parts, 2, &reply);
  if (result == CUDA_SUCCESS) {
    *function = reply.count < FIRST ? NULL : make(module, name, reply.words, reply.count);
    if (*function == NULL) result = CUDA_ERROR_OUT_OF_MEMORY;
  }
  reply_free(&reply);
  return result;
}

void function_free_all(CUmodule module) {
  while (module->functions != NULL) {
    CUfunction function = module->functions;
    module->functions = function->next;
    free(function->name);
    free(function->parameter);
    free(function->next_launch);
    object_free(function);
  }
}

API CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name) {
  NEEDS_CONTEXT(context);
  NEEDS(function != NULL && name != NULL && *name != 0);
  NEEDS_HANDLE(module, MODULE);
  return module_function(function, module, name);
}

API CUresult cuFuncGetModule(CUmodule *module, CUfunction function) {
  NEEDS_INIT;
  NEEDS(module != NULL);
  NEEDS_FUNCTION(function);
  *module = function->module;
  return CUDA_SUCCESS;
}

API CUresult cuFuncGetName(const char **name, CUfunction function) {
  NEEDS_INIT;
  NEEDS(name != NULL);
  NEEDS_FUNCTION(function);
  *name = function->name;
  return CUDA_SUCCESS;
}

API CUresult cuFuncGetParamInfo(CUfunction function, size_t index, size_t *offset, size_t *size) {
  NEEDS_INIT;
  NEEDS(offset != NULL);
  NEEDS_FUNCTION(function);
  NEEDS(index < function->parameters);
  *offset = function->parameter[index].offset;
  if (size != NULL) *size = function->parameter[index].bytes;
  return CUDA_SUCCESS;
}

API CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction function) {
  NEEDS_INIT;
  NEEDS(value != NULL && attribute >= 0 && attribute < CU_FUNC_ATTRIBUTE_MAX);
  NEEDS_FUNCTION(function);
  const int values[CU_FUNC_ATTRIBUTE_MAX] = {
      [CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK] = function->most_threads,
      [CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES] = function->shared,
      [CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES] = function->local,
      /* Nothing is known of what ptxas would need; clients divide by it. */
      [CU_FUNC_ATTRIBUTE_NUM_REGS] = 32,
      [CU_FUNC_ATTRIBUTE_PTX_VERSION] = function->target,
      [CU_FUNC_ATTRIBUTE_BINARY_VERSION] = target()->number,
      [CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES] = function->dynamic_shared,
      [CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT] = function->carveout,
      [CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH] = (int)function->cluster[0],
      [CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT] = (int)function->cluster[1],
      [CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH] = (int)function->cluster[2],
      [CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED] = function->non_portable,
  };
  *value = values[attribute];
  return CUDA_SUCCESS;
}

API CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value) {
  NEEDS_CONTEXT(context);
  NEEDS_FUNCTION(function);
  switch (attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
      NEEDS(value >= 0 && value <= target()->shared_block - function->shared);
      function->dynamic_shared = value;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
      NEEDS(value >= -1 && value <= 100);
      function->carveout = value;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED:
      function->non_portable = value != 0;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
      return CUDA_SUCCESS;
    default:
      return CUDA_ERROR_INVALID_VALUE;
  }
}

API CUresult cuFuncSetCacheConfig(CUfunction function, int config) {
  NEEDS_CONTEXT(context);
  NEEDS_FUNCTION(function);
  (void)config;
  return CUDA_SUCCESS;
}
ALSO(cuFuncSetCacheConfig, cuFuncSetSharedMemConfig);

API CUresult cuFuncLoad(CUfunction function) { return cuFuncSetCacheConfig(function, 0); }

API CUresult cuFuncIsLoaded(int *state, CUfunction function) {
  NEEDS_CONTEXT(context);
  NEEDS(state != NULL);
  NEEDS_FUNCTION(function);
  *state = 1;
  return CUDA_SUCCESS;
}
