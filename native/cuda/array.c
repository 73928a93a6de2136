#include "array.h"

#include <string.h>

#include "calls.h"
#include "driver.h"

#define KNOWN_FLAGS 0x1ffu

unsigned format_bytes(CUarray_format format) {
  switch (format) {
    case CU_AD_FORMAT_UNSIGNED_INT8:
    case CU_AD_FORMAT_SIGNED_INT8: return 1;
    case CU_AD_FORMAT_UNSIGNED_INT16:
    case CU_AD_FORMAT_SIGNED_INT16:
    case CU_AD_FORMAT_HALF: return 2;
    case CU_AD_FORMAT_UNSIGNED_INT32:
    case CU_AD_FORMAT_SIGNED_INT32:
    case CU_AD_FORMAT_FLOAT: return 4;
    default: return 0;
  }
}

unsigned texel_bytes(CUarray_format format, unsigned channels) { return format_bytes(format) * channels; }

/* Formats that are compressed, planar, or fractions by themselves have numbers from 0x50 to 0xcb. */
CUresult check_texels(CUarray_format format, unsigned channels) {
  if ((unsigned)format >= 0x50 && (unsigned)format <= 0xcb) return CUDA_ERROR_NOT_SUPPORTED;
  NEEDS(format_bytes(format) > 0);
  NEEDS(channels == 1 || channels == 2 || channels == 4);
  return CUDA_SUCCESS;
}

/* What cuArray3DCreate's table of sizes allows of shapes; the worker checks the sizes themselves. */
static CUresult check_shape(const CUDA_ARRAY3D_DESCRIPTOR *is) {
  bool layered = (is->Flags & CUDA_ARRAY3D_LAYERED) != 0, cube = (is->Flags & CUDA_ARRAY3D_CUBEMAP) != 0;
  const unsigned absent = CUDA_ARRAY3D_DEPTH_TEXTURE | CUDA_ARRAY3D_SPARSE | CUDA_ARRAY3D_DEFERRED_MAPPING |
                          CUDA_ARRAY3D_VIDEO_ENCODE_DECODE;
  TRY(check_texels(is->Format, is->NumChannels));
  NEEDS((is->Flags & ~KNOWN_FLAGS) == 0 && is->Width > 0);
  if ((is->Flags & absent) != 0) return CUDA_ERROR_NOT_SUPPORTED;
  NEEDS(!cube || (is->Width == is->Height && (layered ? is->Depth > 0 && is->Depth % 6 == 0 : is->Depth == 6)));
  NEEDS(!layered || is->Depth > 0);
  NEEDS(layered || cube || is->Depth == 0 || is->Height > 0);
  NEEDS((is->Flags & CUDA_ARRAY3D_TEXTURE_GATHER) == 0 || (is->Height > 0 && (layered || is->Depth == 0)));
  return CUDA_SUCCESS;
}

CUresult array_make(const CUDA_ARRAY3D_DESCRIPTOR *descriptor, unsigned levels, uint64_t *words) {
  TRY(check_shape(descriptor));
  uint64_t sizes[3] = {descriptor->Width, descriptor->Height, descriptor->Depth};
  uint32_t rest[4] = {descriptor->Format, descriptor->NumChannels, descriptor->Flags, levels};
  struct part parts[] = {{sizes, sizeof sizes}, {rest, sizeof rest}};
  return call_for(CALL_ARRAY, parts, 2, words, 1 + 3 * (levels == 0 ? 1 : levels));
}

API CUresult cuArray3DCreate_v2(CUarray *array, const CUDA_ARRAY3D_DESCRIPTOR *descriptor) {
  uint64_t words[4];
  NEEDS_CONTEXT(context);
  NEEDS(array != NULL && descriptor != NULL);
  TRY(array_make(descriptor, 0, words));
  CUarray made = object_new(ARRAY, sizeof *made, context);
  if (made == NULL) {
    struct part part = {words, sizeof *words};
    call_for(CALL_FREE_ARRAY, &part, 1, NULL, 0);
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  made->descriptor = *descriptor;
  made->handle = words[0];
  made->start = words[1], made->row = words[2], made->slice = words[3];
  *array = made;
  return CUDA_SUCCESS;
}

API CUresult cuArrayCreate_v2(CUarray *array, const CUDA_ARRAY_DESCRIPTOR *descriptor) {
  NEEDS_CONTEXT(context);
  NEEDS(array != NULL && descriptor != NULL);
  CUDA_ARRAY3D_DESCRIPTOR same = {.Width = descriptor->Width,
                                  .Height = descriptor->Height,
                                  .Format = descriptor->Format,
                                  .NumChannels = descriptor->NumChannels};
  return cuArray3DCreate_v2(array, &same);
}

CUresult array_free(CUarray array) {
  uint64_t handle = array->handle;
  bool lives = array->object.context->life == worker_life();
  object_free(array);
  struct part part = {&handle, sizeof handle};
  return lives ? call_for(CALL_FREE_ARRAY, &part, 1, NULL, 0) : CUDA_SUCCESS;
}

API CUresult cuArrayDestroy(CUarray array) {
  GIVES_BACK;
  NEEDS_HANDLE(array, ARRAY);
  /* A level goes with the whole. */
  if (array->parent != NULL) return CUDA_ERROR_INVALID_HANDLE;
  return array_free(array);
}

API CUresult cuArray3DGetDescriptor_v2(CUDA_ARRAY3D_DESCRIPTOR *descriptor, CUarray array) {
  NEEDS_CONTEXT(context);
  NEEDS(descriptor != NULL);
  NEEDS_HANDLE(array, ARRAY);
  *descriptor = array->descriptor;
  return CUDA_SUCCESS;
}

API CUresult cuArrayGetDescriptor_v2(CUDA_ARRAY_DESCRIPTOR *descriptor, CUarray array) {
  NEEDS_CONTEXT(context);
  NEEDS(descriptor != NULL);
  NEEDS_HANDLE(array, ARRAY);
  const CUDA_ARRAY3D_DESCRIPTOR *is = &array->descriptor;
  *descriptor = (CUDA_ARRAY_DESCRIPTOR){is->Width, is->Height, is->Format, is->NumChannels};
  return CUDA_SUCCESS;
}

/* Whether `count` fit behind `at`, of which there are `all`; of a size that is 0, there is one. */
static bool fits(size_t at, size_t count, size_t all) {
  if (all == 0) all = 1;
  return at <= all && count <= all - at;
}

CUresult array_place(struct place *place, CUarray array, const size_t at[3], const size_t box[3]) {
  NEEDS_HANDLE(array, ARRAY);
  const CUDA_ARRAY3D_DESCRIPTOR *is = &array->descriptor;
  size_t texel = texel_bytes(is->Format, is->NumChannels);
  NEEDS(at[0] % texel == 0 && fits(at[0], box[0], is->Width * texel));
  NEEDS(fits(at[1], box[1], is->Height) && fits(at[2], box[2], is->Depth));
  *place = (struct place){.kind = DEVICE_PLACE,
                          .address = array->start + at[2] * array->slice + at[1] * array->row + at[0],
                          .pitch = array->row,
                          .slice = array->slice};
  return CUDA_SUCCESS;
}
