/* Many copies at once. Their attributes are about where memory is, and when it may be read. */
#include "driver.h"
#include "state.h"

API CUresult cuMemcpyBatchAsync_v2(CUdeviceptr *to, CUdeviceptr *from, size_t *bytes, size_t count, void *attributes,
                                   size_t *indices, size_t number, CUstream stream) {
  return cuMemcpyBatchAsync(to, from, bytes, count, attributes, indices, number, NULL, stream);
}
ALSO(cuMemcpyBatchAsync_v2, cuMemcpyBatchAsync_v2_ptsz);

/* Of CUDA 12, which says which one has failed. */
API CUresult cuMemcpyBatchAsync(CUdeviceptr *to, CUdeviceptr *from, size_t *bytes, size_t count, void *attributes,
                                size_t *indices, size_t number, size_t *failed, CUstream stream) {
  NEEDS_CONTEXT(context);
  /* The oldest kind of stream has none. */
  if (!object_is(stream, STREAM) && stream != CU_STREAM_PER_THREAD) return CUDA_ERROR_INVALID_HANDLE;
  NEEDS(to != NULL && from != NULL && bytes != NULL && count > 0 && attributes != NULL && indices != NULL);
  NEEDS(number > 0 && number <= count && indices[0] == 0);
  for (size_t i = 0; i < count; i++) {
    NEEDS(bytes[i] > 0);
    CUresult result = cuMemcpy(to[i], from[i], bytes[i]);
    if (result != CUDA_SUCCESS && failed != NULL) *failed = i;
    TRY(result);
  }
  return CUDA_SUCCESS;
}
ALSO(cuMemcpyBatchAsync, cuMemcpyBatchAsync_ptsz);
