/* Everything that has been allocated or registered, in order of address. */
#ifndef PTXRUN_CUDA_RANGES_H
#define PTXRUN_CUDA_RANGES_H

#include "state.h"

enum range_kind { DEVICE_RANGE = 1, HOST_RANGE, MANAGED_RANGE, REGISTERED_RANGE };

struct range {
  uint64_t address;
  uint64_t bytes;
  enum range_kind kind;
  CUcontext context;
  unsigned flags;
  unsigned long long id;
  /* Of memory that nodes of graphs allocate. */
  struct reservation *reservation;
};

/* Memory of the device. */
CUresult range_allocate(CUdeviceptr *address, size_t bytes, CUcontext context);
/* False where no memory is left. */
bool range_add(struct range range);
/* The one that holds the byte; NULL where none does. Stays until the next change. */
struct range *range_at(uint64_t address);
/* The first that overlaps these bytes. */
struct range *range_within(uint64_t address, uint64_t bytes);
void range_remove(struct range *range);
struct range *range_of(CUcontext context);
/* Gives back what a range stands for: memory of the device, or of this process. */
CUresult range_free(struct range *range);

#endif
