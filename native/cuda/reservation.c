#include "reservation.h"

#include <stdlib.h>
#include <string.h>

#include "driver.h"
#include "ranges.h"

struct reservation {
  uint64_t address;
  uint64_t bytes;
  unsigned holders;
  bool in_use;
};

/* What cuDeviceGetGraphMemAttribute gives, by number. */
static uint64_t counts[4];

static void count(CUgraphMem_attribute current, uint64_t bytes, bool more) {
  CUgraphMem_attribute high = current + 1;
  counts[current] += more ? bytes : -bytes;
  if (counts[current] > counts[high]) counts[high] = counts[current];
}

CUresult reservation_new(struct reservation **made, size_t bytes, CUcontext context) {
  CUdeviceptr address;
  struct reservation *reservation = calloc(1, sizeof *reservation);
  if (reservation == NULL) return CUDA_ERROR_OUT_OF_MEMORY;
  CUresult result = range_allocate(&address, bytes, context);
  if (result != CUDA_SUCCESS) {
    free(reservation);
    return result;
  }
  *reservation = (struct reservation){.address = address, .bytes = bytes, .holders = 1};
  range_at(address)->reservation = reservation;
  count(CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT, bytes, true);
  *made = reservation;
  return CUDA_SUCCESS;
}

struct reservation *reservation_at(CUdeviceptr address) {
  struct range *range = range_at(address);
  return range != NULL && range->address == address ? range->reservation : NULL;
}

CUdeviceptr reservation_address(const struct reservation *reservation) { return reservation->address; }

void reservation_hold(struct reservation *reservation) { reservation->holders++; }

/* The range is gone already where its context or the worker has ended. */
static CUresult end(struct reservation *reservation) {
  CUresult result = CUDA_SUCCESS;
  struct range *range = range_at(reservation->address);
  if (range != NULL && range->reservation == reservation) result = range_free(range);
  count(CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT, reservation->bytes, false);
  free(reservation);
  return result;
}

void reservation_release(struct reservation *reservation) {
  if (--reservation->holders == 0 && !reservation->in_use) end(reservation);
}

bool reservation_in_use(const struct reservation *reservation) { return reservation->in_use; }

CUresult reservation_use(struct reservation *reservation) {
  NEEDS(!reservation->in_use);
  reservation->in_use = true;
  count(CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT, reservation->bytes, true);
  return CUDA_SUCCESS;
}

CUresult reservation_free(struct reservation *reservation) {
  NEEDS(reservation->in_use);
  reservation->in_use = false;
  count(CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT, reservation->bytes, false);
  return reservation->holders == 0 ? end(reservation) : CUDA_SUCCESS;
}

CUresult device_free(CUdeviceptr address) {
  if (address == 0) return CUDA_SUCCESS;
  struct range *range = range_at(address);
  NEEDS(range != NULL && range->address == address);
  /* What another process has given is closed, not freed. */
  bool is_shared = range->kind == SHARED_RANGE && range->flags == 0;
  NEEDS(range->kind == DEVICE_RANGE || range->kind == MANAGED_RANGE || is_shared);
  return range->reservation == NULL ? range_free(range) : reservation_free(range->reservation);
}

API CUresult cuDeviceGraphMemTrim(CUdevice device) {
  NEEDS_INIT;
  return device == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

API CUresult cuDeviceGetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attribute, void *value) {
  NEEDS_INIT;
  if (device != 0) return CUDA_ERROR_INVALID_DEVICE;
  NEEDS(value != NULL && (unsigned)attribute < 4);
  memcpy(value, &counts[attribute], sizeof *counts);
  return CUDA_SUCCESS;
}

/* High marks alone can be set, to zero: they begin anew at what is there. */
API CUresult cuDeviceSetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attribute, void *value) {
  uint64_t wanted;
  NEEDS_INIT;
  if (device != 0) return CUDA_ERROR_INVALID_DEVICE;
  NEEDS(value != NULL && (attribute == CU_GRAPH_MEM_ATTR_USED_MEM_HIGH || attribute == CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH));
  memcpy(&wanted, value, sizeof wanted);
  NEEDS(wanted == 0);
  counts[attribute] = counts[attribute - 1];
  return CUDA_SUCCESS;
}
