/* Memory of the device that other processes have as well: pages that each of them maps. */
#ifndef PTXRUN_CUDA_SHARED_H
#define PTXRUN_CUDA_SHARED_H

#include "physical.h"
#include "ranges.h"

/* What one process says to the other of a memory. */
#define NAME_BYTES 64

/* Memory that can be shared; it has a range, which frees it. */
CUresult shared_allocate(CUdeviceptr *address, size_t bytes, CUcontext context);
/* Writes down where so many bytes of pages are found, as long as this process has them. */
void shared_name(void *name, const struct physical *physical, uint64_t bytes);
/* Maps what another process has named. */
CUresult shared_open(CUdeviceptr *address, const void *name, CUcontext context);
/* What has been opened of this name, and is still there. */
struct range *range_of_name(const void *name);
/* Whether the name is one of this process's own. */
bool shared_is_own(const void *name);

#endif
