/* Everything that has been allocated or registered, in order of address. */
#ifndef PTXRUN_CUDA_RANGES_H
#define PTXRUN_CUDA_RANGES_H

#include "state.h"

/* Mapped memory has the rights of CUmemAccess_flags in its flags. */
enum range_kind { DEVICE_RANGE = 1, HOST_RANGE, MANAGED_RANGE, REGISTERED_RANGE, MAPPED_RANGE, SHARED_RANGE };

struct range {
  uint64_t address;
  uint64_t bytes;
  enum range_kind kind;
  CUcontext context;
  unsigned flags;
  unsigned long long id;
  /* Of memory that nodes of graphs allocate. */
  struct reservation *reservation;
  /* Where its bytes are counted as used, by the pool that it is of; NULL for most. */
  uint64_t *used;
  /* What has been advised: places are counted from nowhere, the processor and the device on. */
  struct {
    bool mostly_read, accessed_by[2];
    int preferred, last;
  } advice;
  /* The pages of shared memory. */
  struct physical *physical;
};

/* Memory of the device. */
CUresult range_allocate(CUdeviceptr *address, size_t bytes, CUcontext context);
/* False where no memory is left. */
bool range_add(struct range range);
/* The one that holds the byte; NULL where none does. Stays until the next change. */
struct range *range_at(uint64_t address);
/* The first that overlaps these bytes. */
struct range *range_within(uint64_t address, uint64_t bytes);
/* Whether ranges of this process that may be written, one behind the other, hold all bytes up to `end`. */
bool ranges_take(uint64_t address, uint64_t end);
void range_remove(struct range *range);
struct range *range_of(CUcontext context);
/* The one behind it in order of address, the first behind NULL; NULL behind the last. */
struct range *range_next(const struct range *range);
/* Gives back what a range stands for: memory of the device, or of this process. */
CUresult range_free(struct range *range);

#endif
