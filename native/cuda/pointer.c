#include <string.h>

#include "calls.h"
#include "driver.h"
#include "physical.h"
#include "ranges.h"
#include "virtual.h"

/* Where the byte lies: in what was allocated, registered or mapped, or in a variable of a module. */
static bool around(CUdeviceptr address, struct range *found) {
  struct range *range = range_at(address);
  if (range != NULL) {
    *found = *range;
    return true;
  }
  uint64_t start, bytes;
  if (virtual_range(address, &start, &bytes)) {
    *found = (struct range){.address = address, .kind = MAPPED_RANGE};
    return true;
  }
  uint64_t asked = address, words[2];
  struct part part = {&asked, sizeof asked};
  if (call_for(CALL_AROUND, &part, 1, words, 2) != CUDA_SUCCESS) return false;
  *found = (struct range){.address = words[0], .bytes = words[1], .kind = DEVICE_RANGE, .context = context_on_top()};
  return true;
}

API CUresult cuMemGetAddressRange_v2(CUdeviceptr *base, size_t *bytes, CUdeviceptr address) {
  NEEDS_CONTEXT(context);
  struct range range;
  if (!around(address, &range) || range.bytes == 0) return CUDA_ERROR_NOT_FOUND;
  if (base != NULL) *base = range.address;
  if (bytes != NULL) *bytes = range.bytes;
  return CUDA_SUCCESS;
}

#define GIVE(type, value)                              \
  do {                                                 \
    type given_ = (type)(value);                       \
    memcpy(data, &given_, sizeof given_);              \
    return CUDA_SUCCESS;                               \
  } while (0)

static CUresult attribute_of(void *data, CUpointer_attribute attribute, CUdeviceptr address, const struct range *range) {
  uint64_t start, bytes;
  bool is_reserved = virtual_range(address, &start, &bytes);
  switch (attribute) {
    case CU_POINTER_ATTRIBUTE_CONTEXT: GIVE(CUcontext, range->context);
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
      GIVE(unsigned, range->kind == HOST_RANGE || range->kind == REGISTERED_RANGE ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE);
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER: GIVE(CUdeviceptr, address);
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
      if (range->kind == DEVICE_RANGE || range->kind == MAPPED_RANGE || range->kind == SHARED_RANGE) return CUDA_ERROR_INVALID_VALUE;
      GIVE(void *, (uintptr_t)address);
    case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS: GIVE(unsigned, 1);
    case CU_POINTER_ATTRIBUTE_BUFFER_ID: GIVE(unsigned long long, range->id);
    case CU_POINTER_ATTRIBUTE_IS_MANAGED: GIVE(unsigned, range->kind == MANAGED_RANGE);
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL: GIVE(int, 0);
    case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE: GIVE(unsigned, range->kind == DEVICE_RANGE);
    /* Of mapped memory, all that is reserved. */
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR: GIVE(CUdeviceptr, is_reserved ? start : range->address);
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE: GIVE(size_t, is_reserved ? bytes : range->bytes);
    case CU_POINTER_ATTRIBUTE_MAPPED: GIVE(unsigned, range->bytes > 0);
    case CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES:
      GIVE(int, range->physical == NULL ? 0 : range->physical->properties.requestedHandleTypes);
    case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE: GIVE(unsigned, 0);
    case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS:
      GIVE(int, range->kind == MAPPED_RANGE ? range->flags : CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    case CU_POINTER_ATTRIBUTE_MAPPING_SIZE: GIVE(size_t, range->bytes);
    case CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR: GIVE(CUdeviceptr, range->address);
    case CU_POINTER_ATTRIBUTE_MEMORY_BLOCK_ID:
      GIVE(unsigned long long, range->physical == NULL ? range->id : range->physical->inode);
    default: return CUDA_ERROR_NOT_SUPPORTED;
  }
}

API CUresult cuPointerGetAttribute(void *data, CUpointer_attribute attribute, CUdeviceptr address) {
  NEEDS_INIT;
  NEEDS(data != NULL);
  struct range range;
  if (!around(address, &range)) return CUDA_ERROR_INVALID_VALUE;
  return attribute_of(data, attribute, address, &range);
}

static size_t size_of(CUpointer_attribute attribute) {
  switch (attribute) {
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
    case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
    case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
    case CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES:
    case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
    case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS:
    case CU_POINTER_ATTRIBUTE_MAPPED: return 4;
    default: return 8;
  }
}

/* Of a pointer that nothing is known of, all are zero. */
API CUresult cuPointerGetAttributes(unsigned count, CUpointer_attribute *attributes, void **data, CUdeviceptr address) {
  NEEDS_INIT;
  NEEDS(count > 0 && attributes != NULL && data != NULL);
  struct range range;
  bool known = around(address, &range);
  for (unsigned i = 0; i < count; i++) {
    memset(data[i], 0, size_of(attributes[i]));
    if (attributes[i] == CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL && !known) memset(data[i], 0xfe, 4);
    if (known) attribute_of(data[i], attributes[i], address, &range);
  }
  return CUDA_SUCCESS;
}

API CUresult cuPointerSetAttribute(const void *value, CUpointer_attribute attribute, CUdeviceptr address) {
  NEEDS_CONTEXT(context);
  NEEDS(value != NULL && attribute == CU_POINTER_ATTRIBUTE_SYNC_MEMOPS && range_at(address) != NULL);
  return CUDA_SUCCESS;
}
