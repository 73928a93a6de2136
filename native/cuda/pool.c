/* Memory in the order of a stream: there as soon as it is asked for, and gone as soon as it is freed. */
#include <string.h>

#include "driver.h"
#include "graph/capture.h"
#include "ranges.h"
#include "reservation.h"

struct CUmemPoolHandle_st {
  struct object object;
  /* By number of CU_MEMPOOL_ATTR_. */
  uint64_t attributes[9];
};

static CUmemoryPool first_pool;

static CUresult default_pool(CUmemoryPool *pool) {
  if (first_pool == NULL) first_pool = object_new(POOL, sizeof *first_pool, NULL);
  *pool = first_pool;
  return first_pool == NULL ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_SUCCESS;
}

API CUresult cuDeviceGetDefaultMemPool(CUmemoryPool *pool, CUdevice device) {
  NEEDS_INIT;
  NEEDS(pool != NULL);
  if (device != 0) return CUDA_ERROR_INVALID_DEVICE;
  return default_pool(pool);
}
ALSO(cuDeviceGetDefaultMemPool, cuDeviceGetMemPool);

API CUresult cuDeviceSetMemPool(CUdevice device, CUmemoryPool pool) {
  NEEDS_INIT;
  if (device != 0) return CUDA_ERROR_INVALID_DEVICE;
  NEEDS(object_is(pool, POOL));
  return CUDA_SUCCESS;
}

API CUresult cuMemPoolCreate(CUmemoryPool *pool, const void *properties) {
  NEEDS_INIT;
  NEEDS(pool != NULL && properties != NULL);
  *pool = object_new(POOL, sizeof **pool, NULL);
  return *pool == NULL ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_SUCCESS;
}

API CUresult cuMemPoolDestroy(CUmemoryPool pool) {
  NEEDS_INIT;
  NEEDS(object_is(pool, POOL) && pool != first_pool);
  object_free(pool);
  return CUDA_SUCCESS;
}

API CUresult cuMemPoolTrimTo(CUmemoryPool pool, size_t kept) {
  NEEDS_INIT;
  (void)kept;
  NEEDS(object_is(pool, POOL));
  return CUDA_SUCCESS;
}

/* The first three are flags of 32 bits; what counts memory stays 0, as nothing is kept. */
static size_t attribute_bytes(int which) { return which <= 3 ? sizeof(int) : sizeof(uint64_t); }

API CUresult cuMemPoolGetAttribute(CUmemoryPool pool, int which, void *value) {
  NEEDS_INIT;
  NEEDS(object_is(pool, POOL) && value != NULL && which >= 1 && which <= 8);
  memcpy(value, &pool->attributes[which], attribute_bytes(which));
  return CUDA_SUCCESS;
}

API CUresult cuMemPoolSetAttribute(CUmemoryPool pool, int which, void *value) {
  NEEDS_INIT;
  NEEDS(object_is(pool, POOL) && value != NULL && which >= 1 && which <= 8);
  memcpy(&pool->attributes[which], value, attribute_bytes(which));
  return CUDA_SUCCESS;
}

API CUresult cuMemPoolSetAccess(CUmemoryPool pool, const void *accesses, size_t count) {
  NEEDS_INIT;
  (void)accesses, (void)count;
  NEEDS(object_is(pool, POOL));
  return CUDA_SUCCESS;
}

static CUresult capture_allocation(CUdeviceptr *address, size_t bytes, CUstream stream) {
  /* Pinned memory of the first device. */
  CUgraphNodeParams params = {.type = CU_GRAPH_NODE_TYPE_MEM_ALLOC,
                              .alloc = {.poolProps = {.allocType = 1, .location = {1, 0}}, .bytesize = bytes}};
  TRY(capture_node(stream, &params, NULL));
  *address = params.alloc.dptr;
  return CUDA_SUCCESS;
}

API CUresult cuMemAllocAsync(CUdeviceptr *address, size_t bytes, CUstream stream) {
  NEEDS_CONTEXT(context);
  NEEDS(address != NULL && bytes > 0);
  IN_STREAM(stream, capture_allocation(address, bytes, stream));
  return range_allocate(address, bytes, context);
}
ALSO(cuMemAllocAsync, cuMemAllocAsync_ptsz);

API CUresult cuMemAllocFromPoolAsync(CUdeviceptr *address, size_t bytes, CUmemoryPool pool, CUstream stream) {
  LOCKED;
  NEEDS(object_is(pool, POOL));
  return cuMemAllocAsync(address, bytes, stream);
}
ALSO(cuMemAllocFromPoolAsync, cuMemAllocFromPoolAsync_ptsz);

static CUresult capture_free(CUdeviceptr address, CUstream stream) {
  CUgraphNodeParams params = {.type = CU_GRAPH_NODE_TYPE_MEM_FREE, .free = {address}};
  return capture_node(stream, &params, NULL);
}

API CUresult cuMemFreeAsync(CUdeviceptr address, CUstream stream) {
  NEEDS_CONTEXT(context);
  IN_STREAM(stream, capture_free(address, stream));
  return device_free(address);
}
ALSO(cuMemFreeAsync, cuMemFreeAsync_ptsz);

/* Managed memory needs no advice: it is where its bytes are. */
static CUresult advised(CUdeviceptr address, size_t bytes) {
  NEEDS_CONTEXT(context);
  NEEDS(address != 0 && bytes > 0);
  return CUDA_SUCCESS;
}

API CUresult cuMemPrefetchAsync(CUdeviceptr address, size_t bytes, CUdevice device, CUstream stream) {
  LOCKED;
  (void)device;
  IN_STREAM(stream, capture_cannot(stream));
  return advised(address, bytes);
}
ALSO(cuMemPrefetchAsync, cuMemPrefetchAsync_ptsz);

API CUresult cuMemPrefetchAsync_v2(CUdeviceptr address, size_t bytes, struct location where, unsigned flags, CUstream stream) {
  LOCKED;
  (void)where, (void)flags;
  IN_STREAM(stream, capture_cannot(stream));
  return advised(address, bytes);
}
ALSO(cuMemPrefetchAsync_v2, cuMemPrefetchAsync_v2_ptsz);

API CUresult cuMemAdvise(CUdeviceptr address, size_t bytes, int advice, CUdevice device) {
  (void)advice, (void)device;
  return advised(address, bytes);
}

API CUresult cuMemAdvise_v2(CUdeviceptr address, size_t bytes, int advice, struct location where) {
  (void)advice, (void)where;
  return advised(address, bytes);
}
