/* Arrays, and how copies reach into them. */
#ifndef PTXRUN_CUDA_ARRAY_H
#define PTXRUN_CUDA_ARRAY_H

#include "copy.h"

/* By numbers of sizes: 131072 has 18. */
#define MOST_LEVELS 18

struct CUarray_st {
  struct object object;
  /* Of this level, where it is one of a mipmapped array. */
  CUDA_ARRAY3D_DESCRIPTOR descriptor;
  CUmipmappedArray parent;
  unsigned level;
  /* By which the worker knows the array. */
  uint64_t handle;
  /* Where its texels begin, and bytes from row to row and from slice, or layer, to the next. */
  uint64_t start, row, slice;
};

struct CUmipmappedArray_st {
  struct object object;
  CUDA_ARRAY3D_DESCRIPTOR descriptor;
  uint64_t handle;
  unsigned levels;
  CUarray level[MOST_LEVELS];
};

/* Bytes of a channel; 0 for what is no format of ours. */
unsigned format_bytes(CUarray_format format);
unsigned texel_bytes(CUarray_format format, unsigned channels);
/* Why these are no texels, where they are none. */
CUresult check_texels(CUarray_format format, unsigned channels);

/* Asks the worker for an array; `words` takes its handle and the place of each level. */
CUresult array_make(const CUDA_ARRAY3D_DESCRIPTOR *descriptor, unsigned levels, uint64_t *words);
CUresult array_free(CUarray array);
CUresult mipmapped_free(CUmipmappedArray mipmapped);

/* Where a box begins in an array: `at` and `box` in bytes, rows, and slices or layers. */
CUresult array_place(struct place *place, CUarray array, const size_t at[3], const size_t box[3]);

#endif
