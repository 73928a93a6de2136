#include "copy.h"

#include "calls.h"
#include "driver.h"
#include "ranges.h"

struct place device_place(CUdeviceptr address) {
  struct range *range = range_at(address);
  bool ours = range != NULL && range->kind != DEVICE_RANGE;
  return (struct place){.kind = ours ? HOST_PLACE : DEVICE_PLACE, .address = address};
}

struct place host_place(const void *pointer) {
  return (struct place){.kind = HOST_PLACE, .address = (uint64_t)(uintptr_t)pointer};
}

struct place any_place(CUdeviceptr address) {
  struct place place = device_place(address);
  if (range_at(address) == NULL) place.kind = ANY_PLACE;
  return place;
}

CUresult copy_bytes(struct place to, struct place from, uint64_t bytes, uint64_t rows, uint64_t slices) {
  uint32_t kinds[2] = {to.kind, from.kind};
  uint64_t words[] = {to.address, to.pitch, to.slice, from.address, from.pitch, from.slice, bytes, rows, slices};
  struct part parts[] = {{kinds, sizeof kinds}, {words, sizeof words}};
  return bytes == 0 ? CUDA_SUCCESS : call_for(CALL_COPY, parts, 2, NULL, 0);
}

API CUresult cuMemcpyHtoD_v2(CUdeviceptr to, const void *from, size_t bytes) {
  NEEDS_CONTEXT(context);
  NEEDS(bytes == 0 || from != NULL);
  return copy_bytes(device_place(to), host_place(from), bytes, 1, 1);
}
ALSO(cuMemcpyHtoD_v2, cuMemcpyHtoD_v2_ptds);

API CUresult cuMemcpyDtoH_v2(void *to, CUdeviceptr from, size_t bytes) {
  NEEDS_CONTEXT(context);
  NEEDS(bytes == 0 || to != NULL);
  return copy_bytes(host_place(to), device_place(from), bytes, 1, 1);
}
ALSO(cuMemcpyDtoH_v2, cuMemcpyDtoH_v2_ptds);

API CUresult cuMemcpyDtoD_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  NEEDS_CONTEXT(context);
  return copy_bytes(device_place(to), device_place(from), bytes, 1, 1);
}
ALSO(cuMemcpyDtoD_v2, cuMemcpyDtoD_v2_ptds);

API CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  NEEDS_CONTEXT(context);
  return copy_bytes(any_place(to), any_place(from), bytes, 1, 1);
}
ALSO(cuMemcpy, cuMemcpy_ptds);

API CUresult cuMemcpyPeer(CUdeviceptr to, CUcontext owner, CUdeviceptr from, CUcontext other, size_t bytes) {
  NEEDS_CONTEXT(context);
  if (!object_is(owner, CONTEXT) || !object_is(other, CONTEXT)) return CUDA_ERROR_INVALID_CONTEXT;
  return copy_bytes(any_place(to), any_place(from), bytes, 1, 1);
}
ALSO(cuMemcpyPeer, cuMemcpyPeer_ptds);

/* What happens in a stream happens at once. */
#define IN_STREAM(stream, copy)                                     \
  LOCKED;                                                           \
  if (!is_stream(stream)) return CUDA_ERROR_INVALID_HANDLE;         \
  return copy

API CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, size_t bytes, CUstream stream) {
  IN_STREAM(stream, cuMemcpyHtoD_v2(to, from, bytes));
}
ALSO(cuMemcpyHtoDAsync_v2, cuMemcpyHtoDAsync_v2_ptsz);

API CUresult cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, size_t bytes, CUstream stream) {
  IN_STREAM(stream, cuMemcpyDtoH_v2(to, from, bytes));
}
ALSO(cuMemcpyDtoHAsync_v2, cuMemcpyDtoHAsync_v2_ptsz);

API CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
  IN_STREAM(stream, cuMemcpyDtoD_v2(to, from, bytes));
}
ALSO(cuMemcpyDtoDAsync_v2, cuMemcpyDtoDAsync_v2_ptsz);

API CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
  IN_STREAM(stream, cuMemcpy(to, from, bytes));
}
ALSO(cuMemcpyAsync, cuMemcpyAsync_ptsz);

API CUresult cuMemcpyPeerAsync(CUdeviceptr to, CUcontext owner, CUdeviceptr from, CUcontext other, size_t bytes,
                               CUstream stream) {
  IN_STREAM(stream, cuMemcpyPeer(to, owner, from, other, bytes));
}
ALSO(cuMemcpyPeerAsync, cuMemcpyPeerAsync_ptsz);
