#include "ranges.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "../worker.h"
#include "../report.h"
#include "calls.h"
#include "physical.h"
#include "target.h"

static struct range *ranges;
static size_t count, room;
static unsigned long long made;

/* How many begin at the address or before it. */
static size_t up_to(uint64_t address) {
  size_t low = 0, high = count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (ranges[middle].address <= address)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

bool range_add(struct range range) {
  if (count == room) {
    size_t more = room == 0 ? 64 : 2 * room;
    struct range *larger = realloc(ranges, more * sizeof *ranges);
    if (larger == NULL) return false;
    ranges = larger;
    room = more;
  }
  size_t at = up_to(range.address);
  memmove(&ranges[at + 1], &ranges[at], (count - at) * sizeof *ranges);
  range.id = ++made;
  ranges[at] = range;
  count++;
  return true;
}

struct range *range_at(uint64_t address) {
  size_t at = up_to(address);
  if (at == 0) return NULL;
  struct range *found = &ranges[at - 1];
  return address - found->address < found->bytes ? found : NULL;
}

struct range *range_within(uint64_t address, uint64_t bytes) {
  struct range *before = range_at(address);
  if (before != NULL) return before;
  size_t at = up_to(address);
  return at < count && ranges[at].address - address < bytes ? &ranges[at] : NULL;
}

bool ranges_take(uint64_t address, uint64_t end) {
  while (address < end) {
    struct range *range = range_at(address);
    if (range == NULL || range->kind == DEVICE_RANGE) return false;
    if (range->kind == MAPPED_RANGE && range->flags != CU_MEM_ACCESS_FLAGS_PROT_READWRITE) return false;
    address = range->address + range->bytes;
  }
  return true;
}

void range_remove(struct range *range) {
  size_t at = (size_t)(range - ranges);
  memmove(range, range + 1, (count - at - 1) * sizeof *ranges);
  count--;
}

struct range *range_of(CUcontext context) {
  for (size_t i = 0; i < count; i++)
    if (ranges[i].context == context) return &ranges[i];
  return NULL;
}

/* Says once how much there is: programs that ask until they get no more are told by the result. A size that no GPU has is meant to fail. */
static CUresult no_room(uint64_t bytes) {
  static bool told;
  if (told || bytes >> 40 > 0) return CUDA_ERROR_OUT_OF_MEMORY;
  say("ptxrun: no room for %llu bytes: the device has %llu MiB (half of the machine's memory, 2047 MiB at most, and PTXRUN_MAX_MEM makes it less)\n",
      (unsigned long long)bytes, (unsigned long long)(device_memory() >> 20));
  told = true;
  return CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult range_allocate(CUdeviceptr *address, size_t bytes, CUcontext context) {
  uint64_t size = bytes, word;
  struct part part = {&size, sizeof size};
  if (bytes > device_memory()) return no_room(bytes);
  CUresult result = call_for(CALL_ALLOCATE, &part, 1, &word, 1);
  if (result == CUDA_ERROR_OUT_OF_MEMORY) return no_room(bytes);
  TRY(result);
  if (!range_add((struct range){.address = word, .bytes = bytes, .kind = DEVICE_RANGE, .context = context}))
    return CUDA_ERROR_OUT_OF_MEMORY;
  *address = word;
  return CUDA_SUCCESS;
}

struct range *range_next(const struct range *range) {
  size_t next = range == NULL ? 0 : (size_t)(range - ranges) + 1;
  return next < count ? &ranges[next] : NULL;
}

/* The device's memory is lost: nothing of it has an address any more. */
static void lose_device(CUresult why) {
  (void)why;
  size_t kept = 0;
  for (size_t i = 0; i < count; i++)
    if (ranges[i].kind != DEVICE_RANGE)
      ranges[kept++] = ranges[i];
    else if (ranges[i].used != NULL)
      *ranges[i].used -= ranges[i].bytes;
  count = kept;
}

CUresult range_free(struct range *range) {
  struct range what = *range;
  range_remove(range);
  if (what.used != NULL) *what.used -= what.bytes;
  if (what.kind == DEVICE_RANGE) {
    if (what.context->life != worker_life()) return CUDA_SUCCESS;
    struct part part = {&what.address, sizeof what.address};
    return call_for(CALL_FREE, &part, 1, NULL, 0);
  }
  worker_renounce(what.address);
  uint64_t bytes = what.physical == NULL ? what.bytes : what.physical->bytes;
  if (what.kind != REGISTERED_RANGE) munmap((void *)(uintptr_t)what.address, bytes);
  if (what.physical != NULL) physical_drop(what.physical);
  return CUDA_SUCCESS;
}

__attribute__((constructor)) static void heed(void) { when_lost(lose_device); }
