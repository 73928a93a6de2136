/* Advice on where managed memory should be. It is where its bytes are. */
#include "driver.h"
#include "state.h"

static CUresult advised(CUdeviceptr address, size_t bytes) {
  NEEDS_CONTEXT(context);
  NEEDS(address != 0 && bytes > 0);
  return CUDA_SUCCESS;
}

API CUresult cuMemPrefetchAsync(CUdeviceptr address, size_t bytes, CUdevice device, CUstream stream) {
  (void)device, (void)stream;
  return advised(address, bytes);
}
ALSO(cuMemPrefetchAsync, cuMemPrefetchAsync_ptsz);

API CUresult cuMemPrefetchAsync_v2(CUdeviceptr address, size_t bytes, struct CUmemLocation_st where, unsigned flags, CUstream stream) {
  (void)where, (void)flags, (void)stream;
  return advised(address, bytes);
}
ALSO(cuMemPrefetchAsync_v2, cuMemPrefetchAsync_v2_ptsz);

API CUresult cuMemAdvise(CUdeviceptr address, size_t bytes, int advice, CUdevice device) {
  (void)advice, (void)device;
  return advised(address, bytes);
}

API CUresult cuMemAdvise_v2(CUdeviceptr address, size_t bytes, int advice, struct CUmemLocation_st where) {
  (void)advice, (void)where;
  return advised(address, bytes);
}
