/* Mipmapped arrays, whose levels are arrays. */
#include "array.h"
#include "calls.h"
#include "driver.h"

static size_t half(size_t size, unsigned level) {
  if (size == 0) return 0;
  return size >> level == 0 ? 1 : size >> level;
}

static CUDA_ARRAY3D_DESCRIPTOR descriptor_at(const CUDA_ARRAY3D_DESCRIPTOR *whole, unsigned level) {
  CUDA_ARRAY3D_DESCRIPTOR is = *whole;
  is.Width = half(is.Width, level);
  is.Height = half(is.Height, level);
  if ((is.Flags & (CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_CUBEMAP)) == 0) is.Depth = half(is.Depth, level);
  return is;
}

CUresult mipmapped_free(CUmipmappedArray mipmapped) {
  uint64_t handle = mipmapped->handle;
  bool lives = mipmapped->object.context->life == worker_life();
  for (unsigned i = 0; i < mipmapped->levels; i++)
    if (mipmapped->level[i] != NULL) object_free(mipmapped->level[i]);
  object_free(mipmapped);
  struct part part = {&handle, sizeof handle};
  return lives ? call_for(CALL_FREE_ARRAY, &part, 1, NULL, 0) : CUDA_SUCCESS;
}

/* Fewer levels are made than were asked for where the size has no more, as CUDA does. */
static unsigned levels_of(const CUDA_ARRAY3D_DESCRIPTOR *is, unsigned asked) {
  bool flat = (is->Flags & (CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_CUBEMAP)) != 0;
  size_t largest = is->Width > is->Height ? is->Width : is->Height;
  if (!flat && is->Depth > largest) largest = is->Depth;
  unsigned most = 1;
  while (most < MOST_LEVELS && largest >> most != 0) most++;
  return asked < most ? asked : most;
}

static CUresult fill(CUmipmappedArray made, const uint64_t *words, CUcontext context) {
  made->handle = words[0];
  for (unsigned i = 0; i < made->levels; i++) {
    CUarray level = object_new(ARRAY, sizeof *level, context);
    if (level == NULL) return CUDA_ERROR_OUT_OF_MEMORY;
    made->level[i] = level;
    level->descriptor = descriptor_at(&made->descriptor, i);
    level->parent = made;
    level->level = i;
    level->handle = words[0];
    level->start = words[1 + 3 * i], level->row = words[2 + 3 * i], level->slice = words[3 + 3 * i];
  }
  return CUDA_SUCCESS;
}

API CUresult cuMipmappedArrayCreate(CUmipmappedArray *mipmapped, const CUDA_ARRAY3D_DESCRIPTOR *descriptor, unsigned levels) {
  uint64_t words[1 + 3 * MOST_LEVELS];
  NEEDS_CONTEXT(context);
  NEEDS(mipmapped != NULL && descriptor != NULL && levels > 0);
  unsigned count = levels_of(descriptor, levels);
  TRY(array_make(descriptor, count, words));
  CUmipmappedArray made = object_new(MIPMAPPED, sizeof *made, context);
  if (made == NULL) return CUDA_ERROR_OUT_OF_MEMORY;
  made->descriptor = *descriptor;
  made->levels = count;
  CUresult result = fill(made, words, context);
  if (result == CUDA_SUCCESS)
    *mipmapped = made;
  else
    mipmapped_free(made);
  return result;
}

API CUresult cuMipmappedArrayGetLevel(CUarray *array, CUmipmappedArray mipmapped, unsigned level) {
  NEEDS_CONTEXT(context);
  NEEDS(array != NULL);
  NEEDS_HANDLE(mipmapped, MIPMAPPED);
  NEEDS(level < mipmapped->levels);
  *array = mipmapped->level[level];
  return CUDA_SUCCESS;
}

API CUresult cuMipmappedArrayDestroy(CUmipmappedArray mipmapped) {
  GIVES_BACK;
  NEEDS_HANDLE(mipmapped, MIPMAPPED);
  return mipmapped_free(mipmapped);
}
