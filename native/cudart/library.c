/* Modules that the program loads itself, and the driver's functions by name. */
#include <string.h>

#include "runtime.h"
#include "state.h"

API cudaError_t cudaLibraryLoadData(cudaLibrary_t *library, const void *code, CUjit_option *options, void **values,
                                    unsigned count, void *library_options, void **library_values, unsigned library_count) {
  BEGIN;
  return end(cuLibraryLoadData(library, code, options, values, count, library_options, library_values, library_count));
}

API cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t *library, const char *path, CUjit_option *options, void **values,
                                        unsigned count, void *library_options, void **library_values,
                                        unsigned library_count) {
  BEGIN;
  return end(cuLibraryLoadFromFile(library, path, options, values, count, library_options, library_values, library_count));
}

API cudaError_t cudaLibraryUnload(cudaLibrary_t library) {
  BEGIN;
  return end(cuLibraryUnload(library));
}

API cudaError_t cudaLibraryGetKernel(cudaKernel_t *kernel, cudaLibrary_t library, const char *name) {
  BEGIN;
  return end(cuLibraryGetKernel(kernel, library, name));
}

API cudaError_t cudaLibraryGetGlobal(void **pointer, size_t *bytes, cudaLibrary_t library, const char *name) {
  CUdeviceptr address = 0;
  BEGIN;
  CUresult result = cuLibraryGetGlobal(&address, bytes, library, name);
  if (result == CUDA_SUCCESS && pointer != NULL) *pointer = (void *)(uintptr_t)address;
  return end(result);
}

/* The program's own view of managed variables is there for those that nvcc has registered. */
ALSO(cudaLibraryGetGlobal, cudaLibraryGetManaged);

API cudaError_t cudaLibraryGetKernelCount(unsigned *count, cudaLibrary_t library) {
  BEGIN;
  return end(cuLibraryGetKernelCount(count, library));
}

API cudaError_t cudaLibraryEnumerateKernels(cudaKernel_t *kernels, unsigned most, cudaLibrary_t library) {
  BEGIN;
  return end(cuLibraryEnumerateKernels(kernels, most, library));
}

API cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t kernel, int attribute, int value, int device) {
  BEGIN;
  return end(cuKernelSetAttribute((CUfunction_attribute)attribute, value, kernel, device));
}

/* `found` is how the search went. That nothing has been found is no error of the call. */
static cudaError_t find_driver_function(const char *name, void **function, int version, unsigned long long flags, int *found) {
  NEEDS(name != NULL && function != NULL && flags <= 2);
  BEGIN;
  int status = 1;
  CUresult result = strlen(name) < 100 ? cuGetProcAddress_v2(name, function, version, flags, &status) : CUDA_ERROR_NOT_FOUND;
  if (result != CUDA_SUCCESS) *function = NULL;
  if (found != NULL) *found = status;
  return result == CUDA_ERROR_NOT_FOUND && CUDART_MAJOR >= 12 ? cudaSuccess : end(result);
}

/* In CUDA 11, nobody hands over the fourth. */
API cudaError_t cudaGetDriverEntryPoint(const char *name, void **function, unsigned long long flags, int *found) {
  return find_driver_function(name, function, CUDART_VERSION, flags, CUDART_MAJOR >= 12 ? found : NULL);
}
PER_THREAD(cudaGetDriverEntryPoint);

API cudaError_t cudaGetDriverEntryPointByVersion(const char *name, void **function, unsigned version,
                                                 unsigned long long flags, int *found) {
  return find_driver_function(name, function, (int)version, flags, found);
}
PER_THREAD(cudaGetDriverEntryPointByVersion);
