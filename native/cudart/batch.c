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
