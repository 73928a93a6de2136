/* Launches of kernels: what is asked for, and that it can be had. */
#ifndef PTXRUN_CUDA_LAUNCH_H
#define PTXRUN_CUDA_LAUNCH_H

#include "state.h"

/* As the worker reads it. */
struct asked {
  unsigned grid[3], block[3], cluster[3], shared, cooperative;
};

/* What an attribute of a launch asks for; most are about speed, or about an order that holds anyway. */
CUresult launch_attribute(struct asked *asked, CUlaunchAttributeID id, const CUlaunchAttributeValue *value);
/* Whether the function can be launched like this in that context. */
CUresult launch_check(CUcontext context, CUfunction function, const struct asked *asked);
/* The parameters as the kernel lays them out, into a block that is all zeros. */
CUresult launch_pack(unsigned char *block, CUfunction function, void **parameters, void **extra);
CUresult launch_run(CUcontext context, CUfunction function, const struct asked *asked, const unsigned char *block);
/* A failed launch is told by the calls that follow, as on a GPU; with CUDA_LAUNCH_BLOCKING=1 by itself. */
bool launch_is_blocking(void);

#endif
