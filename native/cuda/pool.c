/* Memory in the order of a stream: there as soon as it is asked for, and gone as soon as it is freed. */
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "driver.h"
#include "graph/capture.h"
#include "ranges.h"
#include "reservation.h"
#include "shared.h"

/* By number of CU_MEMPOOL_ATTR_. */
enum { REUSE_LAST = 3, THRESHOLD, RESERVED, RESERVED_HIGH, USED, USED_HIGH };

struct CUmemPoolHandle_st {
  struct object object;
  CUmemPoolProps properties;
  /* Of those that count memory, what is reserved is what is used: nothing is kept of what has been freed. */
  uint64_t attributes[USED_HIGH + 1];
  /* Another process allocates from it. */
  bool is_imported;
  /* Destroyed; what is still there of its memory is counted nevertheless. */
  bool is_gone;
};

static CUmemoryPool first_pool, current_pool;

static bool is_pool(CUmemoryPool pool) { return object_is(pool, POOL) && !pool->is_gone; }

static CUmemoryPool make(const CUmemPoolProps *properties) {
  CUmemoryPool pool = object_new(POOL, sizeof *pool, NULL);
  if (pool == NULL) return NULL;
  pool->properties = *properties;
  for (int i = 1; i <= REUSE_LAST; i++) pool->attributes[i] = 1;
  return pool;
}

static CUresult default_pool(CUmemoryPool *pool) {
  static const CUmemPoolProps properties = {.allocType = 1, .location = {1, 0}};
  if (first_pool == NULL) first_pool = make(&properties);
  *pool = first_pool;
  return first_pool == NULL ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_SUCCESS;
}

static CUresult pool_of_device(CUmemoryPool *pool) {
  *pool = current_pool;
  return current_pool == NULL ? default_pool(pool) : CUDA_SUCCESS;
}

API CUresult cuDeviceGetDefaultMemPool(CUmemoryPool *pool, CUdevice device) {
  NEEDS_INIT;
  NEEDS(pool != NULL);
  if (device != 0) return CUDA_ERROR_INVALID_DEVICE;
  return default_pool(pool);
}

API CUresult cuDeviceGetMemPool(CUmemoryPool *pool, CUdevice device) {
  NEEDS_INIT;
  NEEDS(pool != NULL);
  if (device != 0) return CUDA_ERROR_INVALID_DEVICE;
  return pool_of_device(pool);
}

API CUresult cuDeviceSetMemPool(CUdevice device, CUmemoryPool pool) {
  NEEDS_INIT;
  if (device != 0) return CUDA_ERROR_INVALID_DEVICE;
  NEEDS(is_pool(pool) && !pool->is_imported);
  current_pool = pool;
  return CUDA_SUCCESS;
}

/* Those of CUDA 13, by location: pools are the device's. */
static CUresult check_location(const CUmemLocation *location, int type) {
  NEEDS(location != NULL);
  if (type != 1 || location->type != 1) return CUDA_ERROR_NOT_SUPPORTED;
  return CUDA_SUCCESS;
}

API CUresult cuMemGetDefaultMemPool(CUmemoryPool *pool, CUmemLocation *location, int type) {
  TRY(check_location(location, type));
  return cuDeviceGetDefaultMemPool(pool, location->id);
}

API CUresult cuMemGetMemPool(CUmemoryPool *pool, CUmemLocation *location, int type) {
  TRY(check_location(location, type));
  return cuDeviceGetMemPool(pool, location->id);
}

API CUresult cuMemSetMemPool(CUmemLocation *location, int type, CUmemoryPool pool) {
  TRY(check_location(location, type));
  return cuDeviceSetMemPool(location->id, pool);
}

API CUresult cuMemPoolCreate(CUmemoryPool *pool, const CUmemPoolProps *properties) {
  NEEDS_INIT;
  NEEDS(pool != NULL && properties != NULL && properties->allocType == 1);
  if (properties->location.type != 1 || (properties->handleTypes & ~CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR) != 0)
    return CUDA_ERROR_NOT_SUPPORTED;
  if (properties->location.id != 0) return CUDA_ERROR_INVALID_DEVICE;
  *pool = make(properties);
  return *pool == NULL ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_SUCCESS;
}

API CUresult cuMemPoolDestroy(CUmemoryPool pool) {
  NEEDS_INIT;
  NEEDS(is_pool(pool) && pool != first_pool);
  if (pool == current_pool) current_pool = NULL;
  pool->is_gone = true;
  if (pool->attributes[USED] == 0) object_free(pool);
  return CUDA_SUCCESS;
}

API CUresult cuMemPoolTrimTo(CUmemoryPool pool, size_t kept) {
  NEEDS_INIT;
  (void)kept;
  NEEDS(is_pool(pool));
  return CUDA_SUCCESS;
}

/* The first three are flags of 32 bits. */
static size_t attribute_bytes(int which) { return which <= REUSE_LAST ? sizeof(int) : sizeof(uint64_t); }

API CUresult cuMemPoolGetAttribute(CUmemoryPool pool, int which, void *value) {
  NEEDS_INIT;
  NEEDS(is_pool(pool) && value != NULL && which >= 1 && which <= USED_HIGH);
  int kept = which == RESERVED ? USED : which == RESERVED_HIGH ? USED_HIGH : which;
  memcpy(value, &pool->attributes[kept], attribute_bytes(which));
  return CUDA_SUCCESS;
}

/* The most that there has been begins anew at what there is; the other numbers cannot be set. */
API CUresult cuMemPoolSetAttribute(CUmemoryPool pool, int which, void *value) {
  uint64_t wanted = 0;
  NEEDS_INIT;
  NEEDS(is_pool(pool) && value != NULL && which >= 1 && which <= USED_HIGH);
  memcpy(&wanted, value, attribute_bytes(which));
  if (which <= THRESHOLD) {
    pool->attributes[which] = wanted;
    return CUDA_SUCCESS;
  }
  NEEDS((which == RESERVED_HIGH || which == USED_HIGH) && wanted == 0);
  pool->attributes[USED_HIGH] = pool->attributes[USED];
  return CUDA_SUCCESS;
}

/* The device that a pool is of has all rights, and keeps them. */
API CUresult cuMemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc *accesses, size_t count) {
  NEEDS_INIT;
  NEEDS(is_pool(pool) && (count == 0 || accesses != NULL));
  for (size_t i = 0; i < count; i++) {
    if (accesses[i].location.type == 1 && accesses[i].location.id != 0) return CUDA_ERROR_INVALID_DEVICE;
    NEEDS(accesses[i].location.type == 1 && accesses[i].flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
  }
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

API CUresult cuMemPoolGetAccess(int *flags, CUmemoryPool pool, CUmemLocation *location) {
  NEEDS_INIT;
  NEEDS(flags != NULL && is_pool(pool) && location != NULL);
  if (location->type == 1 && location->id != 0) return CUDA_ERROR_INVALID_DEVICE;
  *flags = location->type == 1 ? CU_MEM_ACCESS_FLAGS_PROT_READWRITE : 0;
  return CUDA_SUCCESS;
}

/* Of a pool that other processes may import, memory that they can map. */
static CUresult allocate(CUdeviceptr *address, size_t bytes, CUmemoryPool pool) {
  NEEDS_CONTEXT(context);
  NEEDS(address != NULL && bytes > 0 && !pool->is_imported);
  uint64_t *numbers = pool->attributes, most = pool->properties.maxSize;
  if (most > 0 && (bytes > most || numbers[USED] > most - bytes)) return CUDA_ERROR_OUT_OF_MEMORY;
  if (pool->properties.handleTypes == 0)
    TRY(range_allocate(address, bytes, context));
  else
    TRY(shared_allocate(address, bytes, context));
  range_at(*address)->used = &numbers[USED];
  numbers[USED] += bytes;
  if (numbers[USED] > numbers[USED_HIGH]) numbers[USED_HIGH] = numbers[USED];
  return CUDA_SUCCESS;
}

API CUresult cuMemAllocFromPoolAsync(CUdeviceptr *address, size_t bytes, CUmemoryPool pool, CUstream stream) {
  LOCKED;
  NEEDS(is_pool(pool));
  if (!is_stream(stream)) return CUDA_ERROR_INVALID_HANDLE;
  return allocate(address, bytes, pool);
}
ALSO(cuMemAllocFromPoolAsync, cuMemAllocFromPoolAsync_ptsz);

static CUresult capture_free(CUdeviceptr address, CUstream stream) {
  CUgraphNodeParams params = {.type = CU_GRAPH_NODE_TYPE_MEM_FREE, .free = {address}};
  return capture_node(stream, &params, NULL);
}

API CUresult cuMemAllocAsync(CUdeviceptr *address, size_t bytes, CUstream stream) {
  CUmemoryPool pool;
  NEEDS_CONTEXT(context);
  NEEDS(address != NULL && bytes > 0);
  IN_STREAM(stream, capture_allocation(address, bytes, stream));
  TRY(pool_of_device(&pool));
  return allocate(address, bytes, pool);
}
ALSO(cuMemAllocAsync, cuMemAllocAsync_ptsz);

API CUresult cuMemFreeAsync(CUdeviceptr address, CUstream stream) {
  NEEDS_CONTEXT(context);
  IN_STREAM(stream, capture_free(address, stream));
  return device_free(address);
}
ALSO(cuMemFreeAsync, cuMemFreeAsync_ptsz);

/* The descriptor says that there is a pool; its memory is found by what is said of each pointer. */
API CUresult cuMemPoolExportToShareableHandle(void *handle, CUmemoryPool pool, int type, unsigned long long flags) {
  NEEDS_INIT;
  NEEDS(handle != NULL && is_pool(pool) && flags == 0);
  if (type != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR) return CUDA_ERROR_NOT_SUPPORTED;
  NEEDS(pool->properties.handleTypes == type && !pool->is_imported);
  int file = memfd_create("ptxrun pool", MFD_CLOEXEC);
  if (file < 0) return CUDA_ERROR_OPERATING_SYSTEM;
  *(int *)handle = file;
  return CUDA_SUCCESS;
}

API CUresult cuMemPoolImportFromShareableHandle(CUmemoryPool *pool, void *handle, int type, unsigned long long flags) {
  static const CUmemPoolProps properties = {.allocType = 1, .handleTypes = 1, .location = {1, 0}};
  struct stat is;
  NEEDS_INIT;
  NEEDS(pool != NULL && flags == 0);
  if (type != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR) return CUDA_ERROR_NOT_SUPPORTED;
  NEEDS(fstat((int)(intptr_t)handle, &is) == 0 && S_ISREG(is.st_mode));
  *pool = make(&properties);
  if (*pool == NULL) return CUDA_ERROR_OUT_OF_MEMORY;
  (*pool)->is_imported = true;
  return CUDA_SUCCESS;
}

API CUresult cuMemPoolExportPointer(CUmemPoolPtrExportData *data, CUdeviceptr address) {
  NEEDS_CONTEXT(context);
  struct range *range = range_at(address);
  NEEDS(data != NULL && range != NULL && range->address == address && range->used != NULL && range->physical != NULL);
  shared_name(data->reserved, range->physical, range->bytes);
  return CUDA_SUCCESS;
}

API CUresult cuMemPoolImportPointer(CUdeviceptr *address, CUmemoryPool pool, CUmemPoolPtrExportData *data) {
  NEEDS_CONTEXT(context);
  NEEDS(address != NULL && is_pool(pool) && pool->is_imported && data != NULL);
  TRY(shared_open(address, data->reserved, context));
  range_at(*address)->used = &pool->attributes[USED];
  pool->attributes[USED] += range_at(*address)->bytes;
  return CUDA_SUCCESS;
}
