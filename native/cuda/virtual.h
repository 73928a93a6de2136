#ifndef PTXRUN_CUDA_VIRTUAL_H
#define PTXRUN_CUDA_VIRTUAL_H

#include <stdbool.h>
#include <stdint.h>

#include "results.h"

/* Tells the worker, before a launch, which mapped addresses show the same bytes, and which may only be read. */
CUresult virtual_tell(void);

/* The reservation that the byte lies in; false for none. */
bool virtual_range(uint64_t address, uint64_t *start, uint64_t *bytes);

#endif
