/* Memory and events between processes. */
#include "runtime.h"
#include "state.h"

API cudaError_t cudaIpcGetMemHandle(CUipcMemHandle *handle, void *pointer) {
  BEGIN;
  return end(cuIpcGetMemHandle(handle, DEVICE_ADDRESS(pointer)));
}

API cudaError_t cudaIpcOpenMemHandle(void **pointer, CUipcMemHandle handle, unsigned flags) {
  CUdeviceptr address;
  BEGIN;
  NEEDS(pointer != NULL);
  CUresult result = cuIpcOpenMemHandle_v2(&address, handle, flags);
  if (result == CUDA_SUCCESS) *pointer = (void *)(uintptr_t)address;
  return end(result);
}

API cudaError_t cudaIpcCloseMemHandle(void *pointer) {
  BEGIN;
  return end(cuIpcCloseMemHandle(DEVICE_ADDRESS(pointer)));
}

API cudaError_t cudaIpcGetEventHandle(CUipcEventHandle *handle, cudaEvent_t event) {
  BEGIN;
  return end(cuIpcGetEventHandle(handle, event));
}

API cudaError_t cudaIpcOpenEventHandle(cudaEvent_t *event, CUipcEventHandle handle) {
  BEGIN;
  return end(cuIpcOpenEventHandle(event, handle));
}
