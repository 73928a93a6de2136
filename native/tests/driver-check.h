/* What the programs share that call the driver API. */
#ifndef DRIVER_CHECK_H
#define DRIVER_CHECK_H

#include "check.h"
#include "driver.h"

/* Fails with the name of what came instead. */
#define GIVES(result, call)                                                                    \
  do {                                                                                         \
    CUresult got_ = (call);                                                                    \
    if (got_ != (result)) {                                                                    \
      const char *name_ = "?";                                                                 \
      cuGetErrorName(got_, &name_);                                                            \
      fprintf(stderr, "%s:%d: %s gives %s, not " #result "\n", __FILE__, __LINE__, #call, name_); \
      exit(99);                                                                                \
    }                                                                                          \
  } while (0)
#define WORKS(call) GIVES(CUDA_SUCCESS, call)

static inline CUcontext begin(void) {
  CUdevice device;
  CUcontext context;
  WORKS(cuInit(0));
  WORKS(cuDeviceGet(&device, 0));
  WORKS(cuCtxCreate_v2(&context, 0, device));
  return context;
}

static inline CUfunction kernel_of(const char *text, const char *name) {
  CUmodule module;
  CUfunction function;
  WORKS(cuModuleLoadData(&module, text));
  WORKS(cuModuleGetFunction(&function, module, name));
  return function;
}

static inline CUdeviceptr device_copy(const void *bytes, size_t count) {
  CUdeviceptr made;
  WORKS(cuMemAlloc_v2(&made, count));
  WORKS(cuMemcpyHtoD_v2(made, bytes, count));
  return made;
}

static inline CUresult launch_one(CUfunction function, unsigned threads, void **parameters) {
  return cuLaunchKernel(function, 1, 1, 1, threads, 1, 1, 0, NULL, parameters, NULL);
}

#endif
