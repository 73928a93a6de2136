#include "resource.h"

#include "array.h"
#include "calls.h"
#include "copy.h"
#include "ranges.h"

/* Of no level: all of them. */
#define ALL_LEVELS 0xffffffffu

/* As of CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT and ..._PITCH_ALIGNMENT. */
#define ALIGNMENT 512
#define PITCH_ALIGNMENT 32

static struct image_object *first;

CUresult resource_words(struct resource_words *words, const CUDA_RESOURCE_DESC *resource) {
  *words = (struct resource_words){.head = {resource->resType, 0, 0, ALL_LEVELS}};
  NEEDS(resource->flags == 0);
  const CUDA_ARRAY3D_DESCRIPTOR *is = NULL;
  switch (resource->resType) {
    case CU_RESOURCE_TYPE_ARRAY: {
      CUarray array = resource->res.array.hArray;
      NEEDS_HANDLE(array, ARRAY);
      is = &array->descriptor;
      words->rest[0] = array->handle;
      if (array->parent != NULL) words->head[3] = array->level;
      break;
    }
    case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY: {
      CUmipmappedArray mipmapped = resource->res.mipmap.hMipmappedArray;
      NEEDS_HANDLE(mipmapped, MIPMAPPED);
      is = &mipmapped->descriptor;
      words->rest[0] = mipmapped->handle;
      break;
    }
    case CU_RESOURCE_TYPE_LINEAR:
      TRY(check_texels(resource->res.linear.format, resource->res.linear.numChannels));
      NEEDS(resource->res.linear.devPtr != 0 && resource->res.linear.sizeInBytes > 0);
      NEEDS(resource->res.linear.devPtr % ALIGNMENT == 0);
      words->head[1] = resource->res.linear.format, words->head[2] = resource->res.linear.numChannels;
      words->rest[0] = resource->res.linear.devPtr, words->rest[1] = resource->res.linear.sizeInBytes;
      break;
    case CU_RESOURCE_TYPE_PITCH2D:
      TRY(check_texels(resource->res.pitch2D.format, resource->res.pitch2D.numChannels));
      NEEDS(resource->res.pitch2D.devPtr != 0 && resource->res.pitch2D.devPtr % ALIGNMENT == 0);
      NEEDS(resource->res.pitch2D.width > 0 && resource->res.pitch2D.height > 0);
      NEEDS(resource->res.pitch2D.pitchInBytes % PITCH_ALIGNMENT == 0);
      words->head[1] = resource->res.pitch2D.format, words->head[2] = resource->res.pitch2D.numChannels;
      words->rest[0] = resource->res.pitch2D.devPtr, words->rest[1] = resource->res.pitch2D.width;
      words->rest[2] = resource->res.pitch2D.height, words->rest[3] = resource->res.pitch2D.pitchInBytes;
      break;
    default: return CUDA_ERROR_INVALID_VALUE;
  }
  if (is != NULL) words->head[1] = is->Format, words->head[2] = is->NumChannels;
  return CUDA_SUCCESS;
}

/* Handles of a worker that is gone may be those of another one's. */
struct image_object *image_of(uint64_t handle, enum kind kind) {
  for (struct image_object *at = first; at != NULL; at = at->next)
    if (at->handle == handle && at->object.kind == kind && at->object.context->life == worker_life()) return at;
  return NULL;
}

struct image_object *image_new(enum kind kind, uint64_t handle, CUcontext context) {
  struct image_object *made = object_new(kind, sizeof *made, context);
  if (made == NULL) {
    struct part part = {&handle, sizeof handle};
    call_for(CALL_DESTROY, &part, 1, NULL, 0);
    return NULL;
  }
  made->handle = handle;
  made->next = first;
  first = made;
  return made;
}

static CUresult copy_anew(const struct image_copy *copy) {
  const struct range *range = range_at(copy->source);
  NEEDS(range != NULL && range->kind != DEVICE_RANGE);
  /* Mappings may go on in the next one. */
  NEEDS(range->kind == MAPPED_RANGE || copy->bytes <= range->bytes - (copy->source - range->address));
  return copy_bytes(device_place(copy->address), host_place((void *)(uintptr_t)copy->source), copy->bytes, 1, 1);
}

CUresult image_copy_make(struct image_copy *copy, struct resource_words *words) {
  *copy = (struct image_copy){.source = words->rest[0]};
  bool is_line = words->head[0] == CU_RESOURCE_TYPE_LINEAR;
  const struct range *range = is_line || words->head[0] == CU_RESOURCE_TYPE_PITCH2D ? range_at(copy->source) : NULL;
  if (range == NULL || range->kind == DEVICE_RANGE) return CUDA_SUCCESS;
  uint64_t row = words->rest[1] * texel_bytes((CUarray_format)words->head[1], words->head[2]);
  copy->bytes = is_line ? words->rest[1] : (words->rest[2] - 1) * words->rest[3] + row;
  struct part part = {&copy->bytes, sizeof copy->bytes};
  TRY(call_for(CALL_ALLOCATE, &part, 1, &copy->address, 1));
  words->rest[0] = copy->address;
  CUresult result = copy_anew(copy);
  if (result != CUDA_SUCCESS) image_copy_free(copy);
  return result;
}

void image_copy_free(struct image_copy *copy) {
  struct part part = {&copy->address, sizeof copy->address};
  if (copy->bytes > 0) call_for(CALL_FREE, &part, 1, NULL, 0);
  copy->bytes = 0;
}

/* A texture whose memory is gone is left without its copy as well. */
void images_refresh(void) {
  for (struct image_object *each = first; each != NULL; each = each->next)
    if (each->copy.bytes > 0 && each->object.context->life == worker_life() && copy_anew(&each->copy) != CUDA_SUCCESS)
      image_copy_free(&each->copy);
}

CUresult image_destroy(struct image_object *image) {
  uint64_t handle = image->handle;
  bool lives = image->object.context->life == worker_life();
  if (lives) image_copy_free(&image->copy);
  for (struct image_object **at = &first; *at != NULL; at = &(*at)->next)
    if (*at == image) {
      *at = image->next;
      break;
    }
  object_free(image);
  struct part part = {&handle, sizeof handle};
  return lives ? call_for(CALL_DESTROY, &part, 1, NULL, 0) : CUDA_SUCCESS;
}
