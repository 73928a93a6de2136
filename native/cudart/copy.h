/* Copies, as the driver API describes them. */
#ifndef PTXRUN_CUDART_COPY_H
#define PTXRUN_CUDART_COPY_H

#include "state.h"

/* A copy of a box; of nothing, where one of its extents is 0. */
cudaError_t copy_of_box(CUDA_MEMCPY3D *copy, const struct cudaMemcpy3DParms *box);
/* The other way round. */
void box_of_copy(struct cudaMemcpy3DParms *box, const CUDA_MEMCPY3D *copy);

#endif
