/* Functions that are the driver's under another name. */
#ifndef PTXRUN_CUDART_GRAPH_PASS_H
#define PTXRUN_CUDART_GRAPH_PASS_H

#include "../state.h"

#define PASSES(name, parameters, call) \
  API cudaError_t name parameters {    \
    BEGIN;                             \
    return end(call);                  \
  }

/* The thread's, which the driver wants to be named. */
static inline CUcontext own_context(void) {
  CUcontext context = NULL;
  cuCtxGetCurrent(&context);
  return context;
}

#endif
