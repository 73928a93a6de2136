#include "array.h"
#include "calls.h"
#include "driver.h"
#include "resource.h"

API CUresult cuSurfObjectCreate(CUsurfObject *surface, const CUDA_RESOURCE_DESC *resource) {
  struct resource_words words;
  uint64_t handle;
  NEEDS_CONTEXT(context);
  NEEDS(surface != NULL && resource != NULL && resource->resType == CU_RESOURCE_TYPE_ARRAY);
  TRY(resource_words(&words, resource));
  NEEDS((resource->res.array.hArray->descriptor.Flags & CUDA_ARRAY3D_SURFACE_LDST) != 0);
  struct part parts[] = {{words.head, sizeof words.head}, {words.rest, sizeof words.rest}};
  TRY(call_for(CALL_SURFACE, parts, 2, &handle, 1));
  struct image_object *made = image_new(SURFACE, handle, context);
  if (made == NULL) return CUDA_ERROR_OUT_OF_MEMORY;
  made->resource = *resource;
  *surface = handle;
  return CUDA_SUCCESS;
}

API CUresult cuSurfObjectDestroy(CUsurfObject surface) {
  NEEDS_CONTEXT(context);
  struct image_object *image = image_of(surface, SURFACE);
  NEEDS(image != NULL);
  return image_destroy(image);
}

API CUresult cuSurfObjectGetResourceDesc(CUDA_RESOURCE_DESC *resource, CUsurfObject surface) {
  NEEDS_CONTEXT(context);
  struct image_object *image = image_of(surface, SURFACE);
  NEEDS(resource != NULL && image != NULL);
  *resource = image->resource;
  return CUDA_SUCCESS;
}
