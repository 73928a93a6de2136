/*
 * Memory and events between processes. Who opens a memory maps its pages. Who has allocated it keeps it in the device, and a mirror
 * of it in pages: what others have written is taken over before whatever uses the device's memory, and what has changed there is
 * written to the pages behind it. So each sees what the other has done before, and nothing while a kernel runs.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "calls.h"
#include "copy.h"
#include "driver.h"
#include "event.h"
#include "shared.h"

/* Bytes that are compared and copied at once. */
#define STEP ((uint64_t)4096)

struct mirror {
  struct mirror *next;
  uint64_t address, bytes;
  unsigned long long id;
  struct physical *physical;
  /* The pages, and what they and the device held when both were the same. */
  unsigned char *pages, *same;
};

static struct mirror *mirrors;

static void end(struct mirror *mirror) {
  if (mirror->pages != NULL) munmap(mirror->pages, mirror->physical->bytes);
  physical_drop(mirror->physical);
  free(mirror->same);
  free(mirror);
}

/* Of memory that is gone: its pages are, too, but for who has opened them. */
static void sweep(void) {
  for (struct mirror **at = &mirrors; *at != NULL;) {
    struct mirror *mirror = *at;
    struct range *range = range_at(mirror->address);
    if (range != NULL && range->id == mirror->id) {
      at = &mirror->next;
      continue;
    }
    *at = mirror->next;
    end(mirror);
  }
}

static uint64_t step_at(const struct mirror *mirror, uint64_t at) {
  return mirror->bytes - at < STEP ? mirror->bytes - at : STEP;
}

/* What others have written goes to the device. */
static void take(struct mirror *mirror) {
  for (uint64_t at = 0; at < mirror->bytes; at += STEP) {
    uint64_t bytes = step_at(mirror, at);
    if (memcmp(mirror->pages + at, mirror->same + at, bytes) == 0) continue;
    memcpy(mirror->same + at, mirror->pages + at, bytes);
    copy_bytes(device_place(mirror->address + at), host_place(mirror->same + at), bytes, 1, 1);
  }
}

/* What has changed in the device goes to the pages: only that, as others may have written beside it. */
static void give(struct mirror *mirror) {
  unsigned char *now = malloc(mirror->bytes);
  if (now == NULL || copy_bytes(host_place(now), device_place(mirror->address), mirror->bytes, 1, 1) != CUDA_SUCCESS) {
    free(now);
    return;
  }
  for (uint64_t at = 0; at < mirror->bytes; at += STEP) {
    uint64_t bytes = step_at(mirror, at);
    if (memcmp(now + at, mirror->same + at, bytes) == 0) continue;
    for (uint64_t i = at; i < at + bytes; i++)
      if (now[i] != mirror->same[i]) mirror->pages[i] = mirror->same[i] = now[i];
  }
  free(now);
}

static void take_all(void) {
  sweep();
  for (struct mirror *each = mirrors; each != NULL; each = each->next) take(each);
}

static void give_all(void) {
  sweep();
  for (struct mirror *each = mirrors; each != NULL; each = each->next) give(each);
}

static CUresult mirror_of(struct mirror **found, const struct range *range) {
  const CUmemAllocationProp properties = {.type = 1, .location = {1, 0}};
  sweep();
  for (*found = mirrors; *found != NULL; *found = (*found)->next)
    if ((*found)->id == range->id) return CUDA_SUCCESS;
  struct mirror *made = calloc(1, sizeof *made);
  if (made == NULL) return CUDA_ERROR_OUT_OF_MEMORY;
  *made = (struct mirror){.next = mirrors, .address = range->address, .bytes = range->bytes, .id = range->id};
  made->physical = physical_new((range->bytes + GRANULARITY - 1) / GRANULARITY * GRANULARITY, &properties);
  if (made->physical == NULL) {
    free(made);
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  physical_uncount(made->physical);
  void *pages = mmap(NULL, made->physical->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, made->physical->file, 0);
  made->pages = pages == MAP_FAILED ? NULL : pages;
  made->same = calloc(1, range->bytes);
  if (made->pages == NULL || made->same == NULL) {
    end(made);
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  give(made);
  mirrors = *found = made;
  around_memory(take_all, give_all);
  return CUDA_SUCCESS;
}

API CUresult cuIpcGetMemHandle(CUipcMemHandle *handle, CUdeviceptr address) {
  NEEDS_CONTEXT(context);
  struct range *range = range_at(address);
  NEEDS(handle != NULL && range != NULL && range->kind == DEVICE_RANGE);
  struct mirror *mirror;
  TRY(mirror_of(&mirror, range));
  shared_name(handle->reserved, mirror->physical, mirror->bytes);
  return CUDA_SUCCESS;
}

/* What is opened again is where it was, and closed as often. */
API CUresult cuIpcOpenMemHandle_v2(CUdeviceptr *address, struct CUipcMemHandle_st handle, unsigned flags) {
  NEEDS_CONTEXT(context);
  NEEDS(address != NULL && flags <= 1);
  if (shared_is_own(handle.reserved)) return CUDA_ERROR_INVALID_CONTEXT;
  struct range *range = range_of_name(handle.reserved);
  if (range == NULL) {
    TRY(shared_open(address, handle.reserved, context));
    range = range_at(*address);
  }
  range->flags++;
  *address = range->address;
  return CUDA_SUCCESS;
}
ALSO(cuIpcOpenMemHandle_v2, cuIpcOpenMemHandle);

API CUresult cuIpcCloseMemHandle(CUdeviceptr address) {
  NEEDS_CONTEXT(context);
  struct range *range = range_at(address);
  NEEDS(range != NULL && range->address == address && range->kind == SHARED_RANGE && range->flags > 0);
  return --range->flags > 0 ? CUDA_SUCCESS : range_free(range);
}

/* Whatever has been recorded has happened: an event that is opened has nothing to wait for. */
API CUresult cuIpcGetEventHandle(CUipcEventHandle *handle, CUevent event) {
  NEEDS_CONTEXT(context);
  NEEDS_HANDLE(event, EVENT);
  NEEDS(handle != NULL && (event_flags(event) & EVENT_INTERPROCESS) != 0);
  memset(handle, 0, sizeof *handle);
  memcpy(handle->reserved, "ptxrun event", 12);
  return CUDA_SUCCESS;
}

API CUresult cuIpcOpenEventHandle(CUevent *event, struct CUipcEventHandle_st handle) {
  NEEDS(event != NULL);
  if (memcmp(handle.reserved, "ptxrun event", 12) != 0) return CUDA_ERROR_INVALID_HANDLE;
  return cuEventCreate(event, EVENT_INTERPROCESS | EVENT_DISABLE_TIMING);
}
