/*
 * Addresses that memory is mapped to. They are this process's own, and kernels reach them as they do managed memory. Of mappings that
 * show the same bytes, or may only be read, the worker is told before a launch.
 */
#include "virtual.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../worker.h"
#include "calls.h"
#include "driver.h"
#include "physical.h"
#include "ranges.h"

enum access { NO_ACCESS, READ = 1, READ_WRITE = 3 };

struct mapping {
  struct mapping *next;
  uint64_t address, bytes, offset;
  struct physical *physical;
  enum access access;
  /* How many bytes from here on kernels have been told of; 0 where that is said of an earlier one. */
  uint64_t told;
};

struct reservation {
  struct reservation *next;
  uint64_t address, bytes;
  /* In order of address. */
  struct mapping *mappings;
};

static struct reservation *reservations;

/* Whether the worker has to be told, and whether it has been told of any mapping. */
static bool changed, told;

static struct reservation *reservation_of(uint64_t address, uint64_t bytes) {
  for (struct reservation *each = reservations; each != NULL; each = each->next)
    if (address >= each->address && bytes <= each->bytes && address - each->address <= each->bytes - bytes) return each;
  return NULL;
}

bool virtual_range(uint64_t address, uint64_t *start, uint64_t *bytes) {
  struct reservation *found = reservation_of(address, 1);
  if (found == NULL) return false;
  *start = found->address, *bytes = found->bytes;
  return true;
}

/* The first mapping that ends behind the address. */
static struct mapping **mapping_from(struct reservation *reservation, uint64_t address) {
  struct mapping **at = &reservation->mappings;
  while (*at != NULL && (*at)->address + (*at)->bytes <= address) at = &(*at)->next;
  return at;
}

/* Whether whole mappings, one behind the other, fill these bytes; gives the first. */
static struct mapping **mappings_in(struct reservation *reservation, uint64_t address, uint64_t bytes) {
  struct mapping **first = mapping_from(reservation, address);
  uint64_t end = address;
  for (struct mapping *each = *first; each != NULL && each->address == end && end < address + bytes; each = each->next)
    end += each->bytes;
  return bytes > 0 && end == address + bytes ? first : NULL;
}

/* Tells the worker of each run of mappings that kernels may touch: as one, so that a copy may cross from one to the next. */
static CUresult tell(struct reservation *reservation) {
  CUresult result = CUDA_SUCCESS;
  struct mapping *start = NULL;
  changed = true;
  uint64_t end = 0;
  for (struct mapping *each = reservation->mappings; each != NULL; each = each->next) {
    bool begins = each->access != NO_ACCESS && (start == NULL || each->address != end);
    if (begins) start = each;
    if (each->access == NO_ACCESS) start = NULL;
    if (!begins && each->told != 0) worker_renounce(each->address);
    if (!begins) each->told = 0;
    if (start == NULL) continue;
    end = each->address + each->bytes;
    if (each->next != NULL && each->next->access != NO_ACCESS && each->next->address == end) continue;
    if (start->told == end - start->address) continue;
    start->told = end - start->address;
    if (!worker_announce(start->address, start->told, "mapped memory")) result = CUDA_ERROR_OUT_OF_MEMORY;
  }
  return result;
}

/* Where the bytes of a mapping that may be written were mapped first, to be written as well; so much of both overlaps. */
static uint64_t first_of(const struct mapping *mapping, uint64_t within) {
  uint64_t offset = mapping->offset + within;
  for (struct reservation *reservation = reservations; reservation != NULL; reservation = reservation->next)
    for (struct mapping *each = reservation->mappings; each != NULL; each = each->next)
      if (each->access == READ_WRITE && each->physical->inode == mapping->physical->inode && offset >= each->offset &&
          offset - each->offset < each->bytes)
        return each->address + (offset - each->offset);
  return mapping->address + within;
}

/* Writes down what the worker has to know of a mapping, and gives how many words that are. */
static size_t words_of(uint64_t *words, const struct mapping *mapping) {
  size_t count = 0;
  for (uint64_t at = 0; at < mapping->bytes; at += GRANULARITY) {
    uint64_t address = mapping->address + at;
    uint64_t same = mapping->access == READ_WRITE ? first_of(mapping, at) : address;
    if (same == address && mapping->access != READ) continue;
    if (words != NULL) memcpy(words + count, (uint64_t[]){address, GRANULARITY, same, mapping->access == READ}, 32);
    count += 4;
  }
  return count;
}

static size_t all_words(uint64_t *words) {
  size_t count = 0;
  for (struct reservation *reservation = reservations; reservation != NULL; reservation = reservation->next)
    for (struct mapping *each = reservation->mappings; each != NULL; each = each->next)
      count += words_of(words == NULL ? NULL : words + count, each);
  return count;
}

CUresult virtual_tell(void) {
  if (!changed) return CUDA_SUCCESS;
  size_t count = all_words(NULL);
  if (count > 0 || told) {
    uint64_t *words = malloc((count + 1) * sizeof *words);
    if (words == NULL) return CUDA_ERROR_OUT_OF_MEMORY;
    all_words(words);
    struct part part = {words, count * sizeof *words};
    CUresult result = call_for(CALL_MAPPED, &part, 1, NULL, 0);
    free(words);
    TRY(result);
  }
  changed = false;
  told = count > 0;
  return CUDA_SUCCESS;
}

static void forget_worker(CUresult why) {
  (void)why;
  changed = true;
}

__attribute__((constructor)) static void heed(void) { when_lost(forget_worker); }

static void *pages(uint64_t address) { return (void *)(uintptr_t)address; }

API CUresult cuMemAddressReserve(CUdeviceptr *address, size_t bytes, size_t alignment, CUdeviceptr wanted,
                                 unsigned long long flags) {
  NEEDS_INIT;
  NEEDS(address != NULL && bytes > 0 && bytes % 4096 == 0 && (alignment & (alignment - 1)) == 0 && flags == 0);
  if (alignment < GRANULARITY) alignment = GRANULARITY;
  if (bytes > (size_t)1 << 46 || alignment > (size_t)1 << 46) return CUDA_ERROR_OUT_OF_MEMORY;
  size_t room = bytes + alignment;
  char *found = mmap(pages(wanted), room, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (found == MAP_FAILED) return CUDA_ERROR_OUT_OF_MEMORY;
  size_t ahead = (alignment - (uintptr_t)found % alignment) % alignment;
  if (ahead > 0) munmap(found, ahead);
  if (room - ahead > bytes) munmap(found + ahead + bytes, room - ahead - bytes);
  struct reservation *made = calloc(1, sizeof *made);
  if (made == NULL) {
    munmap(found + ahead, bytes);
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  *made = (struct reservation){.next = reservations, .address = (uintptr_t)(found + ahead), .bytes = bytes};
  reservations = made;
  *address = made->address;
  return CUDA_SUCCESS;
}

API CUresult cuMemAddressFree(CUdeviceptr address, size_t bytes) {
  NEEDS_INIT;
  for (struct reservation **at = &reservations; *at != NULL; at = &(*at)->next) {
    struct reservation *reservation = *at;
    if (reservation->address != address) continue;
    NEEDS(reservation->bytes == bytes && reservation->mappings == NULL);
    *at = reservation->next;
    munmap(pages(address), bytes);
    free(reservation);
    return CUDA_SUCCESS;
  }
  return CUDA_ERROR_INVALID_VALUE;
}

API CUresult cuMemMap(CUdeviceptr address, size_t bytes, size_t offset, CUmemGenericAllocationHandle handle,
                      unsigned long long flags) {
  NEEDS_INIT;
  struct physical *physical = (struct physical *)(uintptr_t)handle;
  NEEDS(object_is(physical, PHYSICAL) && physical->handles > 0);
  NEEDS(flags == 0 && bytes > 0 && (address | bytes | offset) % GRANULARITY == 0);
  NEEDS(bytes <= physical->bytes && offset <= physical->bytes - bytes);
  struct reservation *reservation = reservation_of(address, bytes);
  NEEDS(reservation != NULL);
  struct mapping **at = mapping_from(reservation, address);
  NEEDS(*at == NULL || (*at)->address >= address + bytes);
  struct mapping *made = calloc(1, sizeof *made);
  if (made == NULL) return CUDA_ERROR_OUT_OF_MEMORY;
  if (mmap(pages(address), bytes, PROT_NONE, MAP_SHARED | MAP_FIXED, physical->file, (off_t)offset) == MAP_FAILED) {
    free(made);
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  *made = (struct mapping){.next = *at, .address = address, .bytes = bytes, .offset = offset, .physical = physical};
  if (!range_add((struct range){.address = address, .bytes = bytes, .kind = MAPPED_RANGE, .physical = physical})) {
    free(made);
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  physical->count++;
  *at = made;
  return CUDA_SUCCESS;
}

API CUresult cuMemUnmap(CUdeviceptr address, size_t bytes) {
  NEEDS_INIT;
  struct reservation *reservation = reservation_of(address, bytes);
  struct mapping **at = reservation == NULL ? NULL : mappings_in(reservation, address, bytes);
  NEEDS(at != NULL);
  mmap(pages(address), bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
  while (*at != NULL && (*at)->address < address + bytes) {
    struct mapping *gone = *at;
    *at = gone->next;
    if (gone->told != 0) worker_renounce(gone->address);
    range_remove(range_at(gone->address));
    physical_drop(gone->physical);
    free(gone);
  }
  return tell(reservation);
}

API CUresult cuMemSetAccess(CUdeviceptr address, size_t bytes, const CUmemAccessDesc *accesses, size_t count) {
  NEEDS_INIT;
  NEEDS(accesses != NULL && count > 0);
  struct reservation *reservation = reservation_of(address, bytes);
  struct mapping **at = reservation == NULL ? NULL : mappings_in(reservation, address, bytes);
  NEEDS(at != NULL);
  for (size_t i = 0; i < count; i++) {
    NEEDS(accesses[i].flags == NO_ACCESS || accesses[i].flags == READ || accesses[i].flags == READ_WRITE);
    NEEDS(accesses[i].location.type >= 1 && accesses[i].location.type <= 4);
    if (accesses[i].location.type == 1 && accesses[i].location.id != 0) return CUDA_ERROR_INVALID_DEVICE;
  }
  for (size_t i = 0; i < count; i++) {
    /* What this process itself may do follows from what the device may. */
    if (accesses[i].location.type != 1) continue;
    enum access access = (enum access)accesses[i].flags;
    int rights = access == NO_ACCESS ? PROT_NONE : access == READ ? PROT_READ : PROT_READ | PROT_WRITE;
    if (mprotect(pages(address), bytes, rights) != 0) return CUDA_ERROR_OUT_OF_MEMORY;
    for (struct mapping *each = *at; each != NULL && each->address < address + bytes; each = each->next) {
      each->access = access;
      range_at(each->address)->flags = access;
    }
  }
  return tell(reservation);
}

static struct mapping *mapping_at(uint64_t address) {
  struct reservation *reservation = reservation_of(address, 1);
  struct mapping *found = reservation == NULL ? NULL : *mapping_from(reservation, address);
  return found != NULL && found->address <= address ? found : NULL;
}

API CUresult cuMemGetAccess(unsigned long long *flags, const CUmemLocation *location, CUdeviceptr address) {
  NEEDS_INIT;
  struct mapping *mapping = mapping_at(address);
  NEEDS(flags != NULL && location != NULL && mapping != NULL);
  if (location->type == 1 && location->id != 0) return CUDA_ERROR_INVALID_DEVICE;
  *flags = (unsigned long long)mapping->access;
  return CUDA_SUCCESS;
}

API CUresult cuMemRetainAllocationHandle(CUmemGenericAllocationHandle *handle, void *address) {
  NEEDS_INIT;
  struct mapping *mapping = mapping_at((uint64_t)(uintptr_t)address);
  NEEDS(handle != NULL && mapping != NULL);
  mapping->physical->count++;
  mapping->physical->handles++;
  *handle = (uintptr_t)mapping->physical;
  return CUDA_SUCCESS;
}
