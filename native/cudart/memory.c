#include "runtime.h"
#include "state.h"

/* Gives the address where there is one. Of nothing that is asked for, there is a null pointer. */
static cudaError_t give(void **pointer, CUdeviceptr address, CUresult result) {
  if (result == CUDA_SUCCESS) *pointer = (void *)(uintptr_t)address;
  return end(result);
}

API cudaError_t cudaMalloc(void **pointer, size_t bytes) {
  CUdeviceptr address = 0;
  BEGIN;
  NEEDS(pointer != NULL);
  CUresult result = bytes == 0 ? CUDA_SUCCESS : cuMemAlloc_v2(&address, bytes);
  return give(pointer, address, result);
}

API cudaError_t cudaFree(void *pointer) {
  BEGIN;
  return end(cuMemFree_v2(DEVICE_ADDRESS(pointer)));
}

API cudaError_t cudaMallocManaged(void **pointer, size_t bytes, unsigned flags) {
  CUdeviceptr address = 0;
  BEGIN;
  NEEDS(pointer != NULL);
  CUresult result = cuMemAllocManaged(&address, bytes, flags);
  return give(pointer, address, result);
}

API cudaError_t cudaMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height) {
  CUdeviceptr address = 0;
  BEGIN;
  NEEDS(pointer != NULL && pitch != NULL);
  bool empty = width == 0 || height == 0;
  if (empty) *pitch = 0;
  CUresult result = empty ? CUDA_SUCCESS : cuMemAllocPitch_v2(&address, pitch, width, height, 4);
  return give(pointer, address, result);
}

API cudaError_t cudaMalloc3D(struct cudaPitchedPtr *pitched, struct cudaExtent extent) {
  NEEDS(pitched != NULL);
  NEEDS(extent.depth == 0 || extent.height <= (size_t)-1 / extent.depth);
  void *pointer;
  size_t pitch;
  cudaError_t error = cudaMallocPitch(&pointer, &pitch, extent.width, extent.height * extent.depth);
  if (error == cudaSuccess) *pitched = (struct cudaPitchedPtr){pointer, pitch, extent.width, extent.height};
  return error;
}

API cudaError_t cudaMemGetInfo(size_t *available, size_t *total) {
  BEGIN;
  return end(cuMemGetInfo_v2(available, total));
}

API cudaError_t cudaHostAlloc(void **pointer, size_t bytes, unsigned flags) {
  BEGIN;
  NEEDS(pointer != NULL);
  if (bytes == 0) return give(pointer, 0, CUDA_SUCCESS);
  return end(cuMemHostAlloc(pointer, bytes, flags));
}

API cudaError_t cudaMallocHost(void **pointer, size_t bytes) { return cudaHostAlloc(pointer, bytes, 0); }

API cudaError_t cudaFreeHost(void *pointer) {
  BEGIN;
  return end(pointer == NULL ? CUDA_SUCCESS : cuMemFreeHost(pointer));
}

API cudaError_t cudaHostRegister(void *pointer, size_t bytes, unsigned flags) {
  BEGIN;
  return end(cuMemHostRegister_v2(pointer, bytes, flags));
}

API cudaError_t cudaHostUnregister(void *pointer) {
  BEGIN;
  return end(cuMemHostUnregister(pointer));
}

API cudaError_t cudaHostGetDevicePointer(void **device_pointer, void *pointer, unsigned flags) {
  CUdeviceptr address = 0;
  BEGIN;
  NEEDS(device_pointer != NULL);
  CUresult result = cuMemHostGetDevicePointer_v2(&address, pointer, flags);
  return give(device_pointer, address, result);
}

API cudaError_t cudaHostGetFlags(unsigned *flags, void *pointer) {
  BEGIN;
  return end(cuMemHostGetFlags(flags, pointer));
}

API cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *pointer) {
  BEGIN;
  NEEDS(attributes != NULL);
  CUdeviceptr address = DEVICE_ADDRESS(pointer);
  unsigned kind = 0, managed = 0;
  /* -2: no device. */
  *attributes = (struct cudaPointerAttributes){cudaMemoryTypeUnregistered, -2, NULL, (void *)(uintptr_t)pointer};
  if (cuPointerGetAttribute(&kind, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, address) != CUDA_SUCCESS) return cudaSuccess;
  cuPointerGetAttribute(&managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, address);
  attributes->device = 0;
  attributes->devicePointer = (void *)(uintptr_t)pointer;
  attributes->type = managed != 0 ? cudaMemoryTypeManaged : kind == CU_MEMORYTYPE_HOST ? cudaMemoryTypeHost : cudaMemoryTypeDevice;
  if (attributes->type == cudaMemoryTypeDevice) attributes->hostPointer = NULL;
  return cudaSuccess;
}
