/* The worker's life: what is made in one is gone with it. */
#ifndef PTXRUN_CUDA_LIFE_H
#define PTXRUN_CUDA_LIFE_H

#include <stdint.h>

#include "results.h"

/* Which life of the worker it is; the memory, modules and contexts of earlier ones are gone. */
uint64_t worker_life(void);

/* `mourn` is called with the reason whenever the worker is lost. Who keeps something of the worker says so before `main` begins. */
void when_lost(void (*mourn)(CUresult why));

/* The worker is lost: another life begins, and everybody is told. */
void worker_lost(CUresult why);

#endif
