#include "copy.h"

#include "calls.h"
#include "driver.h"
#include "graph/capture.h"
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

/* One end of a copy, as what is called names it; it is of one kind or the other. */
struct end {
  CUmemorytype kind;
  const void *host;
  CUdeviceptr device;
};
#define HOST_END(pointer) ((struct end){CU_MEMORYTYPE_HOST, pointer, 0})
#define DEVICE_END(address) ((struct end){CU_MEMORYTYPE_DEVICE, NULL, address})
#define ANY_END(address) ((struct end){CU_MEMORYTYPE_UNIFIED, NULL, address})

static struct place place_at(struct end end) {
  if (end.kind == CU_MEMORYTYPE_HOST) return host_place(end.host);
  return end.kind == CU_MEMORYTYPE_DEVICE ? device_place(end.device) : any_place(end.device);
}

static bool is_somewhere(struct end end) { return end.kind != CU_MEMORYTYPE_HOST || end.host != NULL; }

static CUresult copy(struct end to, struct end from, size_t bytes) {
  NEEDS(bytes == 0 || (is_somewhere(to) && is_somewhere(from)));
  return copy_bytes(place_at(to), place_at(from), bytes, 1, 1);
}

static CUresult copy_now(struct end to, struct end from, size_t bytes) {
  NEEDS_CONTEXT(context);
  TRY(capture_blocking());
  return copy(to, from, bytes);
}

static CUresult capture(struct end to, struct end from, size_t bytes, CUstream stream) {
  CUgraphNodeParams params = {.type = CU_GRAPH_NODE_TYPE_MEMCPY};
  if (bytes == 0) return CUDA_SUCCESS;
  params.memcpy.copyParams = (CUDA_MEMCPY3D){.srcMemoryType = from.kind,
                                             .srcHost = from.host,
                                             .srcDevice = from.device,
                                             .srcPitch = bytes,
                                             .srcHeight = 1,
                                             .dstMemoryType = to.kind,
                                             .dstHost = (void *)(uintptr_t)to.host,
                                             .dstDevice = to.device,
                                             .dstPitch = bytes,
                                             .dstHeight = 1,
                                             .WidthInBytes = bytes,
                                             .Height = 1,
                                             .Depth = 1};
  return capture_node(stream, &params, NULL);
}

/* What happens in a stream happens at once. */
static CUresult copy_in(struct end to, struct end from, size_t bytes, CUstream stream) {
  NEEDS_CONTEXT(context);
  IN_STREAM(stream, capture(to, from, bytes, stream));
  return copy(to, from, bytes);
}

API CUresult cuMemcpyHtoD_v2(CUdeviceptr to, const void *from, size_t bytes) {
  return copy_now(DEVICE_END(to), HOST_END(from), bytes);
}
ALSO(cuMemcpyHtoD_v2, cuMemcpyHtoD_v2_ptds);

API CUresult cuMemcpyDtoH_v2(void *to, CUdeviceptr from, size_t bytes) {
  return copy_now(HOST_END(to), DEVICE_END(from), bytes);
}
ALSO(cuMemcpyDtoH_v2, cuMemcpyDtoH_v2_ptds);

API CUresult cuMemcpyDtoD_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  return copy_now(DEVICE_END(to), DEVICE_END(from), bytes);
}
ALSO(cuMemcpyDtoD_v2, cuMemcpyDtoD_v2_ptds);

API CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t bytes) { return copy_now(ANY_END(to), ANY_END(from), bytes); }
ALSO(cuMemcpy, cuMemcpy_ptds);

static bool are_contexts(CUcontext owner, CUcontext other) { return object_is(owner, CONTEXT) && object_is(other, CONTEXT); }

API CUresult cuMemcpyPeer(CUdeviceptr to, CUcontext owner, CUdeviceptr from, CUcontext other, size_t bytes) {
  NEEDS_CONTEXT(context);
  return are_contexts(owner, other) ? cuMemcpy(to, from, bytes) : CUDA_ERROR_INVALID_CONTEXT;
}
ALSO(cuMemcpyPeer, cuMemcpyPeer_ptds);

API CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, size_t bytes, CUstream stream) {
  return copy_in(DEVICE_END(to), HOST_END(from), bytes, stream);
}
ALSO(cuMemcpyHtoDAsync_v2, cuMemcpyHtoDAsync_v2_ptsz);

API CUresult cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, size_t bytes, CUstream stream) {
  return copy_in(HOST_END(to), DEVICE_END(from), bytes, stream);
}
ALSO(cuMemcpyDtoHAsync_v2, cuMemcpyDtoHAsync_v2_ptsz);

API CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
  return copy_in(DEVICE_END(to), DEVICE_END(from), bytes, stream);
}
ALSO(cuMemcpyDtoDAsync_v2, cuMemcpyDtoDAsync_v2_ptsz);

API CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
  return copy_in(ANY_END(to), ANY_END(from), bytes, stream);
}
ALSO(cuMemcpyAsync, cuMemcpyAsync_ptsz);

API CUresult cuMemcpyPeerAsync(CUdeviceptr to, CUcontext owner, CUdeviceptr from, CUcontext other, size_t bytes,
                               CUstream stream) {
  NEEDS_CONTEXT(context);
  return are_contexts(owner, other) ? cuMemcpyAsync(to, from, bytes, stream) : CUDA_ERROR_INVALID_CONTEXT;
}
ALSO(cuMemcpyPeerAsync, cuMemcpyPeerAsync_ptsz);
