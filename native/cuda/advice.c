/* Advice on where managed memory should be. It is where its bytes are; the advice is kept for who asks for it. */
#include <string.h>

#include "driver.h"
#include "graph/capture.h"
#include "ranges.h"

enum { SET_READ_MOSTLY = 1, UNSET_READ_MOSTLY, SET_PREFERRED, UNSET_PREFERRED, SET_ACCESSED_BY, UNSET_ACCESSED_BY };
enum { READ_MOSTLY = 1, PREFERRED, ACCESSED_BY, LAST, PREFERRED_TYPE, PREFERRED_ID, LAST_TYPE, LAST_ID };

enum { PROCESSOR = -1, NOWHERE = -2 };

static CUresult check_place(int where) { return where == 0 || where == PROCESSOR ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE; }

static int place_of(struct CUmemLocation_st where) { return where.type == 1 ? where.id : PROCESSOR; }

static CUresult advise(CUdeviceptr address, size_t bytes, int advice, int where) {
  NEEDS_CONTEXT(context);
  NEEDS(address != 0 && bytes > 0 && advice >= SET_READ_MOSTLY && advice <= UNSET_ACCESSED_BY);
  if (advice == SET_PREFERRED || advice == SET_ACCESSED_BY) TRY(check_place(where));
  struct range *range = range_at(address);
  if (range == NULL) return CUDA_SUCCESS;
  switch (advice) {
    case SET_READ_MOSTLY: case UNSET_READ_MOSTLY: range->advice.mostly_read = advice == SET_READ_MOSTLY; break;
    case SET_PREFERRED: range->advice.preferred = where - NOWHERE; break;
    case UNSET_PREFERRED: range->advice.preferred = 0; break;
    default: range->advice.accessed_by[where == PROCESSOR] = advice == SET_ACCESSED_BY;
  }
  return CUDA_SUCCESS;
}

static CUresult fetch(CUdeviceptr address, size_t bytes, int where, CUstream stream) {
  NEEDS_CONTEXT(context);
  NEEDS(address != 0 && bytes > 0);
  IN_STREAM(stream, capture_cannot(stream));
  TRY(check_place(where));
  struct range *range = range_at(address);
  if (range != NULL) range->advice.last = where - NOWHERE;
  return CUDA_SUCCESS;
}

API CUresult cuMemPrefetchAsync(CUdeviceptr address, size_t bytes, CUdevice device, CUstream stream) {
  return fetch(address, bytes, device, stream);
}
ALSO(cuMemPrefetchAsync, cuMemPrefetchAsync_ptsz);

API CUresult cuMemPrefetchAsync_v2(CUdeviceptr address, size_t bytes, struct CUmemLocation_st where, unsigned flags,
                                   CUstream stream) {
  NEEDS(flags == 0);
  return fetch(address, bytes, place_of(where), stream);
}
ALSO(cuMemPrefetchAsync_v2, cuMemPrefetchAsync_v2_ptsz);

API CUresult cuMemAdvise(CUdeviceptr address, size_t bytes, int advice, CUdevice device) {
  return advise(address, bytes, advice, device);
}

API CUresult cuMemAdvise_v2(CUdeviceptr address, size_t bytes, int advice, struct CUmemLocation_st where) {
  return advise(address, bytes, advice, place_of(where));
}

API CUresult cuMemPrefetchBatchAsync(CUdeviceptr *addresses, size_t *bytes, size_t count, CUmemLocation *places,
                                     size_t *indices, size_t number, unsigned long long flags, CUstream stream) {
  NEEDS(addresses != NULL && bytes != NULL && count > 0 && places != NULL && indices != NULL && flags == 0);
  NEEDS(number > 0 && number <= count && indices[0] == 0);
  for (size_t i = 0, at = 0; i < count; i++) {
    while (at + 1 < number && indices[at + 1] <= i) at++;
    TRY(fetch(addresses[i], bytes[i], place_of(places[at]), stream));
  }
  return CUDA_SUCCESS;
}
ALSO(cuMemPrefetchBatchAsync, cuMemPrefetchBatchAsync_ptsz);

/* What is discarded may have any contents, its own among them. */
API CUresult cuMemDiscardBatchAsync(CUdeviceptr *addresses, size_t *bytes, size_t count, unsigned long long flags,
                                    CUstream stream) {
  NEEDS_CONTEXT(context);
  NEEDS(addresses != NULL && bytes != NULL && count > 0 && flags == 0);
  return is_stream(stream) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}
ALSO(cuMemDiscardBatchAsync, cuMemDiscardBatchAsync_ptsz);

API CUresult cuMemDiscardAndPrefetchBatchAsync(CUdeviceptr *addresses, size_t *bytes, size_t count, CUmemLocation *places,
                                               size_t *indices, size_t number, unsigned long long flags, CUstream stream) {
  return cuMemPrefetchBatchAsync(addresses, bytes, count, places, indices, number, flags, stream);
}
ALSO(cuMemDiscardAndPrefetchBatchAsync, cuMemDiscardAndPrefetchBatchAsync_ptsz);

/* The type of a location: 1 of the device, 2 of the host, 0 of nowhere. */
static int type_of(int place) { return place == NOWHERE ? 0 : place == PROCESSOR ? 2 : 1; }

API CUresult cuMemRangeGetAttribute(void *data, size_t size, int attribute, CUdeviceptr address, size_t bytes) {
  NEEDS_CONTEXT(context);
  struct range *range = range_at(address);
  NEEDS(data != NULL && size >= sizeof(int) && size % sizeof(int) == 0 && range != NULL && range->kind == MANAGED_RANGE);
  NEEDS(bytes > 0 && bytes <= range->bytes - (address - range->address));
  NEEDS(attribute >= READ_MOSTLY && attribute <= LAST_ID && (attribute == ACCESSED_BY || size == sizeof(int)));
  int preferred = range->advice.preferred + NOWHERE, last = range->advice.last + NOWHERE, *given = data;
  switch (attribute) {
    case READ_MOSTLY: *given = range->advice.mostly_read; break;
    case PREFERRED: *given = preferred; break;
    case LAST: *given = last; break;
    case PREFERRED_TYPE: *given = type_of(preferred); break;
    case LAST_TYPE: *given = type_of(last); break;
    case PREFERRED_ID: case LAST_ID: *given = 0; break;
    default:
      /* A list, with nobody at its end. */
      for (size_t i = 0; i < size / sizeof(int); i++) given[i] = NOWHERE;
      size_t at = 0;
      if (range->advice.accessed_by[0]) given[at++] = 0;
      if (range->advice.accessed_by[1] && at < size / sizeof(int)) given[at] = PROCESSOR;
  }
  return CUDA_SUCCESS;
}

API CUresult cuMemRangeGetAttributes(void **data, size_t *sizes, int *attributes, size_t count, CUdeviceptr address,
                                     size_t bytes) {
  NEEDS(data != NULL && sizes != NULL && attributes != NULL && count > 0);
  for (size_t i = 0; i < count; i++) TRY(cuMemRangeGetAttribute(data[i], sizes[i], attributes[i], address, bytes));
  return CUDA_SUCCESS;
}
