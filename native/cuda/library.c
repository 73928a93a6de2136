/* Modules that belong to no context. They are loaded at once, and their kernels are functions like others. */
#include <stdlib.h>
#include <string.h>

#include "calls.h"
#include "driver.h"
#include "modules.h"

struct CUlib_st {
  struct object object;
  CUmodule module;
};

#define AS_KERNEL(function) ((CUkernel)(void *)(function))
#define AS_FUNCTION(kernel) ((CUfunction)(void *)(kernel))

static CUresult library_load(CUlibrary *library, struct image image, CUjit_option *options, void **values, unsigned count) {
  CUmodule module;
  TRY(module_load(&module, NULL, image, count, options, values));
  CUlibrary made = object_new(LIBRARY, sizeof *made, NULL);
  if (made == NULL) {
    module_free(module);
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  made->module = module;
  module->library = made;
  *library = made;
  return CUDA_SUCCESS;
}

API CUresult cuLibraryLoadData(CUlibrary *library, const void *image, CUjit_option *options, void **values, unsigned count,
                               void *library_options, void **library_values, unsigned library_count) {
  NEEDS_INIT;
  (void)library_options, (void)library_values, (void)library_count;
  NEEDS(library != NULL && image != NULL && (count == 0 || (options != NULL && values != NULL)));
  struct image found;
  TRY(image_at(image, &found));
  return library_load(library, found, options, values, count);
}

API CUresult cuLibraryLoadFromFile(CUlibrary *library, const char *path, CUjit_option *options, void **values, unsigned count,
                                   void *library_options, void **library_values, unsigned library_count) {
  NEEDS_INIT;
  (void)library_options, (void)library_values, (void)library_count;
  NEEDS(library != NULL && path != NULL && (count == 0 || (options != NULL && values != NULL)));
  struct image image;
  TRY(image_in(path, &image));
  return library_load(library, image, options, values, count);
}

API CUresult cuLibraryUnload(CUlibrary library) {
  NEEDS_INIT;
  NEEDS_HANDLE(library, LIBRARY);
  module_free(library->module);
  object_free(library);
  return CUDA_SUCCESS;
}

API CUresult cuLibraryGetKernel(CUkernel *kernel, CUlibrary library, const char *name) {
  NEEDS_INIT;
  NEEDS(kernel != NULL && name != NULL);
  NEEDS_HANDLE(library, LIBRARY);
  CUfunction function;
  TRY(module_function(&function, library->module, name));
  *kernel = AS_KERNEL(function);
  return CUDA_SUCCESS;
}

API CUresult cuLibraryGetModule(CUmodule *module, CUlibrary library) {
  NEEDS_CONTEXT(context);
  NEEDS(module != NULL);
  NEEDS_HANDLE(library, LIBRARY);
  *module = library->module;
  return CUDA_SUCCESS;
}

API CUresult cuLibraryGetGlobal(CUdeviceptr *address, size_t *bytes, CUlibrary library, const char *name) {
  NEEDS_CONTEXT(context);
  NEEDS(name != NULL && (address != NULL || bytes != NULL));
  NEEDS_HANDLE(library, LIBRARY);
  return module_variable(address, bytes, library->module, name);
}
ALSO(cuLibraryGetGlobal, cuLibraryGetManaged);

/* The names of a module's kernels, with a line end behind each; NULL where they cannot be had. */
static CUresult names_of(CUmodule module, struct reply *reply) {
  *reply = (struct reply){.words = NULL};
  NEEDS_ALIVE(module);
  struct part part = {&module->handle, sizeof module->handle};
  CUresult result = call(CALL_KERNELS, &part, 1, reply);
  return result == CUDA_SUCCESS && (reply->count < 1 || reply->text == NULL) ? CUDA_ERROR_UNKNOWN : result;
}

static CUresult count_of(unsigned *count, CUmodule module) {
  struct reply reply;
  CUresult result = names_of(module, &reply);
  if (result == CUDA_SUCCESS) *count = (unsigned)reply.words[0];
  reply_free(&reply);
  return result;
}

static CUresult enumerate(CUfunction *functions, unsigned most, CUmodule module) {
  struct reply reply;
  CUresult result = names_of(module, &reply);
  char *name = reply.text;
  for (unsigned i = 0; result == CUDA_SUCCESS && i < most && name != NULL && *name != 0; i++) {
    char *end = strchr(name, '\n');
    if (end == NULL) break;
    *end = 0;
    result = module_function(&functions[i], module, name);
    name = end + 1;
  }
  reply_free(&reply);
  return result;
}

API CUresult cuLibraryGetKernelCount(unsigned *count, CUlibrary library) {
  NEEDS_INIT;
  NEEDS(count != NULL);
  NEEDS_HANDLE(library, LIBRARY);
  return count_of(count, library->module);
}

API CUresult cuLibraryEnumerateKernels(CUkernel *kernels, unsigned most, CUlibrary library) {
  NEEDS_INIT;
  NEEDS(kernels != NULL);
  NEEDS_HANDLE(library, LIBRARY);
  return enumerate((CUfunction *)(void *)kernels, most, library->module);
}

API CUresult cuModuleGetFunctionCount(unsigned *count, CUmodule module) {
  NEEDS_CONTEXT(context);
  NEEDS(count != NULL);
  NEEDS_HANDLE(module, MODULE);
  return count_of(count, module);
}

API CUresult cuModuleEnumerateFunctions(CUfunction *functions, unsigned most, CUmodule module) {
  NEEDS_CONTEXT(context);
  NEEDS(functions != NULL);
  NEEDS_HANDLE(module, MODULE);
  return enumerate(functions, most, module);
}

API CUresult cuKernelGetFunction(CUfunction *function, CUkernel kernel) {
  NEEDS_CONTEXT(context);
  NEEDS(function != NULL);
  NEEDS_FUNCTION(kernel);
  *function = AS_FUNCTION(kernel);
  return CUDA_SUCCESS;
}

API CUresult cuKernelGetLibrary(CUlibrary *library, CUkernel kernel) {
  NEEDS_INIT;
  NEEDS(library != NULL);
  NEEDS_FUNCTION(kernel);
  *library = AS_FUNCTION(kernel)->module->library;
  return *library == NULL ? CUDA_ERROR_INVALID_HANDLE : CUDA_SUCCESS;
}

API CUresult cuKernelGetAttribute(int *value, CUfunction_attribute attribute, CUkernel kernel, CUdevice device) {
  if (device != 0) return CUDA_ERROR_INVALID_DEVICE;
  return cuFuncGetAttribute(value, attribute, AS_FUNCTION(kernel));
}

API CUresult cuKernelSetAttribute(CUfunction_attribute attribute, int value, CUkernel kernel, CUdevice device) {
  if (device != 0) return CUDA_ERROR_INVALID_DEVICE;
  return cuFuncSetAttribute(AS_FUNCTION(kernel), attribute, value);
}

API CUresult cuKernelSetCacheConfig(CUkernel kernel, int config, CUdevice device) {
  if (device != 0) return CUDA_ERROR_INVALID_DEVICE;
  return cuFuncSetCacheConfig(AS_FUNCTION(kernel), config);
}

API CUresult cuKernelGetName(const char **name, CUkernel kernel) { return cuFuncGetName(name, AS_FUNCTION(kernel)); }

API CUresult cuKernelGetParamInfo(CUkernel kernel, size_t index, size_t *offset, size_t *size) {
  return cuFuncGetParamInfo(AS_FUNCTION(kernel), index, offset, size);
}
