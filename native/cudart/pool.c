#include "runtime.h"
#include "state.h"

API cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device) {
  BEGIN;
  return end(cuDeviceGetDefaultMemPool(pool, device));
}

API cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device) {
  BEGIN;
  return end(cuDeviceGetMemPool(pool, device));
}

API cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
  BEGIN;
  return end(cuDeviceSetMemPool(device, pool));
}

API cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool, const CUmemPoolProps *properties) {
  BEGIN;
  return end(cuMemPoolCreate(pool, properties));
}

API cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
  BEGIN;
  return end(cuMemPoolDestroy(pool));
}

API cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t kept) {
  BEGIN;
  return end(cuMemPoolTrimTo(pool, kept));
}

API cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, int attribute, void *value) {
  BEGIN;
  return end(cuMemPoolGetAttribute(pool, attribute, value));
}

API cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, int attribute, void *value) {
  BEGIN;
  return end(cuMemPoolSetAttribute(pool, attribute, value));
}

API cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const CUmemAccessDesc *accesses, size_t count) {
  BEGIN;
  return end(cuMemPoolSetAccess(pool, accesses, count));
}

API cudaError_t cudaMemPoolGetAccess(int *flags, cudaMemPool_t pool, CUmemLocation *location) {
  BEGIN;
  return end(cuMemPoolGetAccess(flags, pool, location));
}

API cudaError_t cudaMemGetDefaultMemPool(cudaMemPool_t *pool, CUmemLocation *location, int type) {
  BEGIN;
  return end(cuMemGetDefaultMemPool(pool, location, type));
}

API cudaError_t cudaMemGetMemPool(cudaMemPool_t *pool, CUmemLocation *location, int type) {
  BEGIN;
  return end(cuMemGetMemPool(pool, location, type));
}

API cudaError_t cudaMemSetMemPool(CUmemLocation *location, int type, cudaMemPool_t pool) {
  BEGIN;
  return end(cuMemSetMemPool(location, type, pool));
}

API cudaError_t cudaMemPoolExportToShareableHandle(void *handle, cudaMemPool_t pool, int type, unsigned flags) {
  BEGIN;
  return end(cuMemPoolExportToShareableHandle(handle, pool, type, flags));
}

API cudaError_t cudaMemPoolImportFromShareableHandle(cudaMemPool_t *pool, void *handle, int type, unsigned flags) {
  BEGIN;
  return end(cuMemPoolImportFromShareableHandle(pool, handle, type, flags));
}

API cudaError_t cudaMemPoolExportPointer(CUmemPoolPtrExportData *data, void *pointer) {
  BEGIN;
  return end(cuMemPoolExportPointer(data, DEVICE_ADDRESS(pointer)));
}

API cudaError_t cudaMemPoolImportPointer(void **pointer, cudaMemPool_t pool, CUmemPoolPtrExportData *data) {
  CUdeviceptr address;
  BEGIN;
  NEEDS(pointer != NULL);
  CUresult result = cuMemPoolImportPointer(&address, pool, data);
  if (result == CUDA_SUCCESS) *pointer = (void *)(uintptr_t)address;
  return end(result);
}

API cudaError_t cudaMallocAsync(void **pointer, size_t bytes, cudaStream_t stream) {
  CUdeviceptr address = 0;
  IN_STREAM(stream);
  NEEDS(pointer != NULL);
  CUresult result = bytes == 0 ? CUDA_SUCCESS : cuMemAllocAsync(&address, bytes, stream);
  if (result == CUDA_SUCCESS) *pointer = (void *)(uintptr_t)address;
  return end(result);
}
PER_THREAD(cudaMallocAsync);

API cudaError_t cudaMallocFromPoolAsync(void **pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
  CUdeviceptr address = 0;
  IN_STREAM(stream);
  NEEDS(pointer != NULL);
  CUresult result = bytes == 0 ? CUDA_SUCCESS : cuMemAllocFromPoolAsync(&address, bytes, pool, stream);
  if (result == CUDA_SUCCESS) *pointer = (void *)(uintptr_t)address;
  return end(result);
}
PER_THREAD(cudaMallocFromPoolAsync);

API cudaError_t cudaFreeAsync(void *pointer, cudaStream_t stream) {
  IN_STREAM(stream);
  return end(pointer == NULL ? CUDA_SUCCESS : cuMemFreeAsync(DEVICE_ADDRESS(pointer), stream));
}
PER_THREAD(cudaFreeAsync);
