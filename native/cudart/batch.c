/* Many copies at once; in CUDA 12, with where to say which one has failed. */
#include "runtime.h"
#include "state.h"

static cudaError_t copy_all(void *const *to, const void *const *from, const size_t *bytes, size_t count, size_t *failed,
                            cudaStream_t stream) {
  NEEDS(to != NULL && from != NULL && bytes != NULL && count > 0);
  for (size_t i = 0; i < count; i++) {
    cudaError_t error = cudaMemcpyAsync(to[i], from[i], bytes[i], cudaMemcpyDefault, stream);
    if (error == cudaSuccess) continue;
    if (failed != NULL) *failed = i;
    return error;
  }
  return cudaSuccess;
}

#if CUDART_MAJOR >= 13
API cudaError_t cudaMemcpyBatchAsync(void *const *to, const void *const *from, const size_t *bytes, size_t count,
                                     void *attributes, size_t *indices, size_t number, cudaStream_t stream) {
  NEEDS(attributes != NULL && indices != NULL && number > 0 && number <= count && indices[0] == 0);
  return copy_all(to, from, bytes, count, NULL, stream);
}
#else
API cudaError_t cudaMemcpyBatchAsync(void **to, void **from, size_t *bytes, size_t count, void *attributes, size_t *indices,
                                     size_t number, size_t *failed, cudaStream_t stream) {
  NEEDS(attributes != NULL && indices != NULL && number > 0 && number <= count && indices[0] == 0);
  return copy_all(to, (const void *const *)from, bytes, count, failed, stream);
}
#endif
PER_THREAD(cudaMemcpyBatchAsync);

#if CUDART_MAJOR >= 13
API cudaError_t cudaMemcpy3DBatchAsync(size_t count, CUDA_MEMCPY3D_BATCH_OP *copies, unsigned long long flags,
                                       cudaStream_t stream) {
  BEGIN;
  return end(cuMemcpy3DBatchAsync(count, copies, NULL, flags, stream));
}
#else
API cudaError_t cudaMemcpy3DBatchAsync(size_t count, CUDA_MEMCPY3D_BATCH_OP *copies, size_t *failed, unsigned long long flags,
                                       cudaStream_t stream) {
  BEGIN;
  return end(cuMemcpy3DBatchAsync(count, copies, failed, flags, stream));
}
#endif
PER_THREAD(cudaMemcpy3DBatchAsync);
