/* Advice on where managed memory should be. Since CUDA 13, places have a type, which in CUDA 12 is so by other names. */
#include "runtime.h"
#include "state.h"

/* Of all that is allocated, managed or not. */
static cudaError_t check_range(const void *pointer, size_t bytes) {
  BEGIN;
  CUdeviceptr address = DEVICE_ADDRESS(pointer), base = 0;
  size_t there = 0;
  NEEDS(cuMemGetAddressRange_v2(&base, &there, address) == CUDA_SUCCESS && bytes <= base + there - address);
  return cudaSuccess;
}

#define NEEDS_RANGE(pointer, bytes)                        \
  do {                                                     \
    cudaError_t checked_ = check_range(pointer, bytes);    \
    if (checked_ != cudaSuccess) return checked_;          \
  } while (0)

API cudaError_t cudaMemAdvise_v2(const void *pointer, size_t bytes, int advice, struct CUmemLocation_st where) {
  NEEDS_RANGE(pointer, bytes);
  return end(cuMemAdvise_v2(DEVICE_ADDRESS(pointer), bytes, advice, where));
}

API cudaError_t cudaMemPrefetchAsync_v2(const void *pointer, size_t bytes, struct CUmemLocation_st where, unsigned flags,
                                        cudaStream_t stream) {
  NEEDS_RANGE(pointer, bytes);
  return end(cuMemPrefetchAsync_v2(DEVICE_ADDRESS(pointer), bytes, where, flags, stream));
}
PER_THREAD(cudaMemPrefetchAsync_v2);

#if CUDART_MAJOR >= 13
ALSO(cudaMemAdvise_v2, cudaMemAdvise);
ALSO(cudaMemPrefetchAsync_v2, cudaMemPrefetchAsync);
ALSO(cudaMemPrefetchAsync_v2, cudaMemPrefetchAsync_ptsz);
#else
API cudaError_t cudaMemAdvise(const void *pointer, size_t bytes, int advice, int device) {
  NEEDS_RANGE(pointer, bytes);
  return end(cuMemAdvise(DEVICE_ADDRESS(pointer), bytes, advice, device));
}

API cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t bytes, int device, cudaStream_t stream) {
  NEEDS_RANGE(pointer, bytes);
  return end(cuMemPrefetchAsync(DEVICE_ADDRESS(pointer), bytes, device, stream));
}
PER_THREAD(cudaMemPrefetchAsync);
#endif

API cudaError_t cudaMemPrefetchBatchAsync(void **pointers, size_t *bytes, size_t count, CUmemLocation *places, size_t *indices,
                                          size_t number, unsigned long long flags, cudaStream_t stream) {
  BEGIN;
  return end(cuMemPrefetchBatchAsync((CUdeviceptr *)pointers, bytes, count, places, indices, number, flags, stream));
}
PER_THREAD(cudaMemPrefetchBatchAsync);

API cudaError_t cudaMemDiscardBatchAsync(void **pointers, size_t *bytes, size_t count, unsigned long long flags,
                                         cudaStream_t stream) {
  BEGIN;
  return end(cuMemDiscardBatchAsync((CUdeviceptr *)pointers, bytes, count, flags, stream));
}
PER_THREAD(cudaMemDiscardBatchAsync);

API cudaError_t cudaMemDiscardAndPrefetchBatchAsync(void **pointers, size_t *bytes, size_t count, CUmemLocation *places,
                                                    size_t *indices, size_t number, unsigned long long flags,
                                                    cudaStream_t stream) {
  return cudaMemPrefetchBatchAsync(pointers, bytes, count, places, indices, number, flags, stream);
}
PER_THREAD(cudaMemDiscardAndPrefetchBatchAsync);

API cudaError_t cudaMemRangeGetAttribute(void *data, size_t size, int attribute, const void *pointer, size_t bytes) {
  BEGIN;
  return end(cuMemRangeGetAttribute(data, size, attribute, DEVICE_ADDRESS(pointer), bytes));
}

API cudaError_t cudaMemRangeGetAttributes(void **data, size_t *sizes, int *attributes, size_t count, const void *pointer,
                                          size_t bytes) {
  BEGIN;
  return end(cuMemRangeGetAttributes(data, sizes, attributes, count, DEVICE_ADDRESS(pointer), bytes));
}
