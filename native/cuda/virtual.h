#ifndef PTXRUN_CUDA_VIRTUAL_H
#define PTXRUN_CUDA_VIRTUAL_H

#include "results.h"

/* Tells the worker, before a launch, which mapped addresses show the same bytes, and which may only be read. */
CUresult virtual_tell(void);

#endif
