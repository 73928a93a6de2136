#include <string.h>

#include "calls.h"
#include "driver.h"

#define MOST_DIMENSIONS 5

enum mode { TILED, IM2COL, WIDE };

/* What all maps have. */
struct told {
  uint32_t rank, type, interleave, swizzle, promotion, fill, mode;
};

/* Needs no context, but the worker, which knows what fits together. `part` is what one copy moves, in words of 32 bits. */
static CUresult encode(CUtensorMap *map, struct told told, void *address, const uint64_t *dimensions, const uint64_t *strides,
                       const void *part, size_t words_of_part, const uint32_t *steps) {
  NEEDS_INIT;
  NEEDS(map != NULL && (uintptr_t)map % 64 == 0);
  NEEDS(dimensions != NULL && (told.rank == 1 || strides != NULL) && part != NULL && steps != NULL);
  uint64_t start = (uint64_t)(uintptr_t)address, words[16];
  struct part parts[] = {{&told, sizeof told},
                         {&start, sizeof start},
                         {dimensions, told.rank * sizeof *dimensions},
                         {strides, (told.rank - 1) * sizeof *strides},
                         {part, words_of_part * sizeof(uint32_t)},
                         {steps, told.rank * sizeof *steps}};
  TRY(call_for(CALL_TENSOR_MAP, parts, 6, words, 16));
  memcpy(map, words, sizeof words);
  return CUDA_SUCCESS;
}

static struct told told_of(enum mode mode, int type, uint32_t rank, int interleave, int swizzle, int promotion, int fill) {
  return (struct told){rank, (uint32_t)type, (uint32_t)interleave, (uint32_t)swizzle, (uint32_t)promotion, (uint32_t)fill, mode};
}

API CUresult cuTensorMapEncodeTiled(CUtensorMap *map, int type, uint32_t rank, void *address, const uint64_t *dimensions,
                                    const uint64_t *strides, const uint32_t *box, const uint32_t *steps, int interleave,
                                    int swizzle, int promotion, int fill) {
  NEEDS(rank >= 1 && rank <= MOST_DIMENSIONS);
  struct told told = told_of(TILED, type, rank, interleave, swizzle, promotion, fill);
  return encode(map, told, address, dimensions, strides, box, rank, steps);
}

/* Of the corners as many as there are dimensions between the channels and the images. */
static CUresult encode_columns(CUtensorMap *map, struct told told, void *address, const uint64_t *dimensions,
                               const uint64_t *strides, const int *lower, const int *upper, size_t corners, uint32_t channels,
                               uint32_t pixels, const uint32_t *steps) {
  int part[2 * (MOST_DIMENSIONS - 2) + 2] = {0};
  size_t inner = told.rank - 2;
  memcpy(part, lower, corners * sizeof *lower);
  memcpy(part + inner, upper, corners * sizeof *upper);
  memcpy(part + 2 * inner, &channels, sizeof channels);
  memcpy(part + 2 * inner + 1, &pixels, sizeof pixels);
  return encode(map, told, address, dimensions, strides, part, 2 * inner + 2, steps);
}

API CUresult cuTensorMapEncodeIm2col(CUtensorMap *map, int type, uint32_t rank, void *address, const uint64_t *dimensions,
                                     const uint64_t *strides, const int *lower, const int *upper, uint32_t channels,
                                     uint32_t pixels, const uint32_t *steps, int interleave, int swizzle, int promotion,
                                     int fill) {
  NEEDS(rank >= 3 && rank <= MOST_DIMENSIONS && lower != NULL && upper != NULL);
  struct told told = told_of(IM2COL, type, rank, interleave, swizzle, promotion, fill);
  return encode_columns(map, told, address, dimensions, strides, lower, upper, rank - 2, channels, pixels, steps);
}

/* Of 128 pixels the instruction says so itself, and the map's number means nothing. */
API CUresult cuTensorMapEncodeIm2colWide(CUtensorMap *map, int type, uint32_t rank, void *address, const uint64_t *dimensions,
                                         const uint64_t *strides, int lower, int upper, uint32_t channels, uint32_t pixels,
                                         const uint32_t *steps, int interleave, int mode, int swizzle, int promotion,
                                         int fill) {
  NEEDS(rank >= 3 && rank <= MOST_DIMENSIONS && (mode == 0 || mode == 1));
  struct told told = told_of(WIDE, type, rank, interleave, swizzle, promotion, fill);
  return encode_columns(map, told, address, dimensions, strides, &lower, &upper, 1, channels, mode == 1 ? 128 : pixels, steps);
}

API CUresult cuTensorMapReplaceAddress(CUtensorMap *map, void *address) {
  NEEDS_INIT;
  NEEDS(map != NULL && (uintptr_t)map % 64 == 0);
  uint64_t start = (uint64_t)(uintptr_t)address, words[16];
  struct part parts[] = {{map, sizeof words}, {&start, sizeof start}};
  TRY(call_for(CALL_MOVE_MAP, parts, 2, words, 16));
  memcpy(map, words, sizeof words);
  return CUDA_SUCCESS;
}
