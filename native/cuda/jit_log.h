/* The logs that loading a module writes where its options say. */
#ifndef PTXRUN_CUDA_JIT_LOG_H
#define PTXRUN_CUDA_JIT_LOG_H

#include "state.h"

/* Writes text into the log for errors; false where the options have none. The other log becomes empty. */
bool jit_log(const char *text, unsigned count, const CUjit_option *options, void **values);

#endif
