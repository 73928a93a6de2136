/* The GPU that the device claims to be: PTXRUN_TARGET, sm_90 by default. */
#ifndef PTXRUN_CUDA_TARGET_H
#define PTXRUN_CUDA_TARGET_H

#include <stdint.h>

/* The most bytes of the device's memory: the worker's buffer has less than 2 GiB (src/interp/memory/linear.ts). */
#define MOST_MEMORY (2047ull << 20)
/* What the machine has of it, or what PTXRUN_MAX_MEM has left; the worker tells the reader what it cannot read there. */
unsigned long long device_memory(void);

/* What a compute capability has of everything, by the CUDA C++ Programming Guide, "Technical Specifications". */
struct target {
  /* 90 for sm_90. */
  int number;
  /* Of a multiprocessor: resident threads and blocks, and bytes of shared memory. */
  int threads;
  int blocks;
  int shared;
  /* Bytes of shared memory that a block may have when it asks for them; 48 KiB without. */
  int shared_block;
  /* Whether there are clusters and tensor maps. */
  int clusters;
};

const struct target *target(void);

#endif
