#include <string.h>

#include "calls.h"
#include "driver.h"

#define MOST_DIMENSIONS 5

/* Needs no context, but the worker, which knows what fits together. */
API CUresult cuTensorMapEncodeTiled(CUtensorMap *map, int type, uint32_t rank, void *address, const uint64_t *dimensions,
                                    const uint64_t *strides, const uint32_t *box, const uint32_t *steps, int interleave,
                                    int swizzle, int promotion, int fill) {
  NEEDS_INIT;
  NEEDS(map != NULL && (uintptr_t)map % 64 == 0 && rank >= 1 && rank <= MOST_DIMENSIONS);
  NEEDS(dimensions != NULL && (rank == 1 || strides != NULL) && box != NULL && steps != NULL);
  uint32_t head[6] = {rank, (uint32_t)type, (uint32_t)interleave, (uint32_t)swizzle, (uint32_t)promotion, (uint32_t)fill};
  uint64_t start = (uint64_t)(uintptr_t)address, words[16];
  struct part parts[] = {{head, sizeof head},
                         {&start, sizeof start},
                         {dimensions, rank * sizeof *dimensions},
                         {strides, (rank - 1) * sizeof *strides},
                         {box, rank * sizeof *box},
                         {steps, rank * sizeof *steps}};
  TRY(call_for(CALL_TENSOR_MAP, parts, 6, words, 16));
  memcpy(map, words, sizeof words);
  return CUDA_SUCCESS;
}
