/* Memory without an address: files in memory, which this process and others map. */
#ifndef PTXRUN_CUDA_PHYSICAL_H
#define PTXRUN_CUDA_PHYSICAL_H

#include "state.h"

/* What memory is allocated, mapped and exported in multiples of. */
#define GRANULARITY ((size_t)2 << 20)

struct physical {
  struct object object;
  CUmemAllocationProp properties;
  size_t bytes;
  int file;
  /* Of the file, which other descriptors may lead to as well. */
  uint64_t inode;
  /* Handles and mappings of it. */
  int count;
  /* Those among them that cuMemRelease may still be called for. */
  int handles;
  /* Made here, and counted. */
  bool is_own;
};

/* NULL where there is no memory. The handle counts. */
struct physical *physical_new(size_t bytes, const CUmemAllocationProp *properties);
/* Of a descriptor that somebody has exported; NULL where it is none. The caller keeps the descriptor. */
struct physical *physical_of_file(int file);
/* A handle or a mapping less. */
void physical_drop(struct physical *physical);
/* Of device memory that this only mirrors: it does not count a second time. */
void physical_uncount(struct physical *physical);
/* Bytes of all that this process has made. */
size_t physical_bytes(void);

#endif
