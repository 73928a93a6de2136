#include <stdlib.h>
#include <string.h>

#include "../report.h"
#include "calls.h"
#include "driver.h"
#include "modules.h"
#include "reference.h"

/* A log that loading a module writes where its options say. */
struct log {
  char *at;
  size_t room;
  void **size;
};

static struct log log_of(CUjit_option buffer, CUjit_option size, unsigned count, const CUjit_option *options, void **values) {
  struct log log = {NULL, 0, NULL};
  for (unsigned i = 0; i < count; i++) {
    if (options[i] == buffer) log.at = values[i];
    if (options[i] == size) {
      /* A number of 32 bits where a pointer would be. */
      log.room = (uint32_t)(uintptr_t)values[i];
      log.size = &values[i];
    }
  }
  return log;
}

static bool write_log(struct log log, const char *text) {
  size_t length = 0;
  bool there = log.at != NULL && log.room > 0;
  if (there) {
    length = strlen(text);
    if (length > log.room - 1) length = log.room - 1;
    memcpy(log.at, text, length);
    log.at[length] = 0;
  }
  if (log.size != NULL) *log.size = (void *)(uintptr_t)(length == 0 ? 0 : length + 1);
  return there;
}

/* Writes text into the log for errors; false where the options have none. The other log becomes empty. */
static bool jit_log(const char *text, unsigned count, const CUjit_option *options, void **values) {
  if (options == NULL || values == NULL) return false;
  write_log(log_of(CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, count, options, values), "");
  return write_log(log_of(CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, count, options, values), text);
}

void jit_say(const char *text, unsigned count, const CUjit_option *options, void **values) {
  if (!jit_log(text, count, options, values) && *text != 0) say("ptxrun: a module cannot be loaded\n%s", text);
}

CUresult module_load(CUmodule *module, CUcontext context, struct image image, unsigned count, const CUjit_option *options,
                     void **values) {
  struct part part = {image.bytes, image.count};
  struct reply reply;
  CUresult result = call(CALL_LOAD, &part, 1, &reply);
  free(image.bytes);
  jit_say(reply.text == NULL ? "" : reply.text, count, options, values);
  uint64_t handle = reply.count > 0 ? reply.words[0] : 0;
  reply_free(&reply);
  if (result != CUDA_SUCCESS) return result;
  *module = object_new(MODULE, sizeof **module, context);
  if (*module == NULL) return CUDA_ERROR_OUT_OF_MEMORY;
  (*module)->handle = handle;
  (*module)->life = worker_life();
  return CUDA_SUCCESS;
}

API CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned count, CUjit_option *options, void **values) {
  NEEDS_CONTEXT(context);
  NEEDS(module != NULL && image != NULL && (count == 0 || (options != NULL && values != NULL)));
  struct image found;
  TRY(image_at(image, &found));
  return module_load(module, context, found, count, options, values);
}

API CUresult cuModuleLoadData(CUmodule *module, const void *image) {
  return cuModuleLoadDataEx(module, image, 0, NULL, NULL);
}

API CUresult cuModuleLoadFatBinary(CUmodule *module, const void *image) {
  return cuModuleLoadDataEx(module, image, 0, NULL, NULL);
}

API CUresult cuModuleLoad(CUmodule *module, const char *path) {
  NEEDS_CONTEXT(context);
  NEEDS(module != NULL && path != NULL);
  struct image image;
  TRY(image_in(path, &image));
  return module_load(module, context, image, 0, NULL, NULL);
}

void module_free(CUmodule module) {
  function_free_all(module);
  references_free(module);
  if (module->life == worker_life()) {
    struct part part = {&module->handle, sizeof module->handle};
    call_for(CALL_UNLOAD, &part, 1, NULL, 0);
  }
  object_free(module);
}

API CUresult cuModuleUnload(CUmodule module) {
  NEEDS_CONTEXT(context);
  NEEDS_HANDLE(module, MODULE);
  if (module->library != NULL) return CUDA_ERROR_NOT_PERMITTED;
  module_free(module);
  return CUDA_SUCCESS;
}

CUresult module_variable(CUdeviceptr *address, size_t *bytes, CUmodule module, const char *name) {
  NEEDS_ALIVE(module);
  struct part parts[] = {{&module->handle, sizeof module->handle}, {name, strlen(name)}};
  uint64_t words[2];
  TRY(call_for(CALL_VARIABLE, parts, 2, words, 2));
  if (address != NULL) *address = words[0];
  if (bytes != NULL) *bytes = words[1];
  return CUDA_SUCCESS;
}

API CUresult cuModuleGetGlobal_v2(CUdeviceptr *address, size_t *bytes, CUmodule module, const char *name) {
  NEEDS_CONTEXT(context);
  NEEDS(name != NULL && (address != NULL || bytes != NULL));
  NEEDS_HANDLE(module, MODULE);
  return module_variable(address, bytes, module, name);
}

API CUresult cuModuleGetLoadingMode(int *mode) {
  NEEDS_INIT;
  NEEDS(mode != NULL);
  /* Eager: everything is checked when a module is loaded. */
  *mode = 1;
  return CUDA_SUCCESS;
}
