#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../report.h"
#include "../worker.h"
#include "calls.h"
#include "driver.h"
#include "graph/capture.h"
#include "physical.h"
#include "ranges.h"
#include "reservation.h"
#include "target.h"

API CUresult cuMemAlloc_v2(CUdeviceptr *address, size_t bytes) {
  NEEDS_CONTEXT(context);
  NEEDS(address != NULL && bytes > 0);
  TRY(capture_outside());
  return range_allocate(address, bytes, context);
}

API CUresult cuMemAllocPitch_v2(CUdeviceptr *address, size_t *pitch, size_t width, size_t height, unsigned element) {
  NEEDS_CONTEXT(context);
  NEEDS(address != NULL && pitch != NULL && width > 0 && height > 0);
  NEEDS(element == 4 || element == 8 || element == 16);
  if (width > device_memory() || height > device_memory()) return CUDA_ERROR_OUT_OF_MEMORY;
  size_t row = (width + 511) / 512 * 512;
  TRY(capture_outside());
  TRY(range_allocate(address, row * height, context));
  *pitch = row;
  return CUDA_SUCCESS;
}

API CUresult cuMemFree_v2(CUdeviceptr address) {
  GIVES_BACK;
  if (address == 0) return CUDA_SUCCESS;
  TRY(capture_outside());
  return device_free(address);
}

API CUresult cuMemGetInfo_v2(size_t *available, size_t *total) {
  NEEDS_CONTEXT(context);
  NEEDS(available != NULL && total != NULL);
  uint64_t words[2];
  TRY(call_for(CALL_ROOM, NULL, 0, words, 2));
  *available = words[0] > physical_bytes() ? words[0] - physical_bytes() : 0;
  *total = words[1];
  return CUDA_SUCCESS;
}

/* The whole range, which kernels may touch from now on. */
static CUresult announced(struct range range, const char *name) {
  if (!range_add(range)) return CUDA_ERROR_OUT_OF_MEMORY;
  if (worker_announce(range.address, range.bytes, name)) return CUDA_SUCCESS;
  range_remove(range_at(range.address));
  return CUDA_ERROR_OUT_OF_MEMORY;
}

/* Memory of this process that kernels reach at its own address. */
static CUresult share(void **pointer, size_t bytes, enum range_kind kind, unsigned flags, CUcontext context) {
  TRY(capture_outside());
  void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return CUDA_ERROR_OUT_OF_MEMORY;
  struct range range = {.address = (uint64_t)(uintptr_t)memory, .bytes = bytes, .kind = kind, .context = context, .flags = flags};
  CUresult result = announced(range, kind == MANAGED_RANGE ? "managed memory" : "host memory");
  if (result != CUDA_SUCCESS) munmap(memory, bytes);
  if (result == CUDA_SUCCESS) *pointer = memory;
  return result;
}

API CUresult cuMemAllocManaged(CUdeviceptr *address, size_t bytes, unsigned flags) {
  NEEDS_CONTEXT(context);
  NEEDS(address != NULL && bytes > 0 && (flags == 1 || flags == 2));
  void *memory;
  TRY(share(&memory, bytes, MANAGED_RANGE, flags, context));
  *address = (CUdeviceptr)(uintptr_t)memory;
  return CUDA_SUCCESS;
}

API CUresult cuMemHostAlloc(void **pointer, size_t bytes, unsigned flags) {
  NEEDS_CONTEXT(context);
  NEEDS(pointer != NULL && bytes > 0 && (flags & ~7u) == 0);
  return share(pointer, bytes, HOST_RANGE, flags, context);
}

API CUresult cuMemAllocHost_v2(void **pointer, size_t bytes) { return cuMemHostAlloc(pointer, bytes, 0); }
ALSO(cuMemAllocHost_v2, cuMemAllocHost);

API CUresult cuMemFreeHost(void *pointer) {
  GIVES_BACK;
  struct range *range = range_at((uint64_t)(uintptr_t)pointer);
  NEEDS(range != NULL && range->address == (uint64_t)(uintptr_t)pointer && range->kind == HOST_RANGE);
  TRY(capture_outside());
  return range_free(range);
}

API CUresult cuMemHostRegister_v2(void *pointer, size_t bytes, unsigned flags) {
  NEEDS_CONTEXT(context);
  NEEDS(pointer != NULL && bytes > 0 && (flags & ~15u) == 0);
  TRY(capture_outside());
  uint64_t address = (uint64_t)(uintptr_t)pointer;
  if (range_within(address, bytes) != NULL) return CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
  struct range range = {.address = address, .bytes = bytes, .kind = REGISTERED_RANGE, .context = context, .flags = flags};
  return announced(range, "registered host memory");
}
ALSO(cuMemHostRegister_v2, cuMemHostRegister);

API CUresult cuMemHostUnregister(void *pointer) {
  GIVES_BACK;
  struct range *range = range_at((uint64_t)(uintptr_t)pointer);
  if (range == NULL || range->kind != REGISTERED_RANGE) return CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED;
  NEEDS(range->address == (uint64_t)(uintptr_t)pointer);
  TRY(capture_outside());
  return range_free(range);
}

API CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr *address, void *pointer, unsigned flags) {
  NEEDS_CONTEXT(context);
  NEEDS(address != NULL && flags == 0);
  struct range *range = range_at((uint64_t)(uintptr_t)pointer);
  NEEDS(range != NULL && range->kind != DEVICE_RANGE);
  *address = (CUdeviceptr)(uintptr_t)pointer;
  return CUDA_SUCCESS;
}

API CUresult cuMemHostGetFlags(unsigned *flags, void *pointer) {
  NEEDS_CONTEXT(context);
  struct range *range = range_at((uint64_t)(uintptr_t)pointer);
  NEEDS(flags != NULL && range != NULL && range->kind == HOST_RANGE);
  *flags = range->flags;
  return CUDA_SUCCESS;
}
