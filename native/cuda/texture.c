#include <string.h>

#include "array.h"
#include "calls.h"
#include "driver.h"
#include "resource.h"

#define KNOWN_FLAGS \
  (CU_TRSF_READ_AS_INTEGER | CU_TRSF_NORMALIZED_COORDINATES | CU_TRSF_SRGB | CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION | \
   CU_TRSF_SEAMLESS_CUBEMAP)

/* What the worker is told of how a texture is looked up, as src/clients/driver/image-words.ts reads it. */
struct texture_words {
  uint32_t address[3], filter, flags, anisotropy, level_filter;
  float bias, least, most, border[4];
  uint32_t viewed, view[4];
};

static bool is_cube(const CUDA_RESOURCE_DESC *resource) {
  if (resource->resType == CU_RESOURCE_TYPE_ARRAY)
    return (resource->res.array.hArray->descriptor.Flags & CUDA_ARRAY3D_CUBEMAP) != 0;
  return resource->resType == CU_RESOURCE_TYPE_MIPMAPPED_ARRAY &&
         (resource->res.mipmap.hMipmappedArray->descriptor.Flags & CUDA_ARRAY3D_CUBEMAP) != 0;
}

static CUresult check_texture(const CUDA_TEXTURE_DESC *is, const CUDA_RESOURCE_DESC *resource) {
  for (int i = 0; i < 3; i++) NEEDS((unsigned)is->addressMode[i] <= CU_TR_ADDRESS_MODE_BORDER);
  NEEDS((unsigned)is->filterMode <= CU_TR_FILTER_MODE_LINEAR && (unsigned)is->mipmapFilterMode <= CU_TR_FILTER_MODE_LINEAR);
  NEEDS((is->flags & ~KNOWN_FLAGS) == 0);
  NEEDS((is->flags & CU_TRSF_SEAMLESS_CUBEMAP) == 0 || is_cube(resource));
  NEEDS(resource->resType != CU_RESOURCE_TYPE_MIPMAPPED_ARRAY || (is->flags & CU_TRSF_NORMALIZED_COORDINATES) != 0);
  return CUDA_SUCCESS;
}

/* The number of the format of these texels among those of views. */
static unsigned view_format(CUarray_format format, unsigned channels) {
  static const unsigned order[] = {CU_AD_FORMAT_UNSIGNED_INT8,  CU_AD_FORMAT_SIGNED_INT8,    CU_AD_FORMAT_UNSIGNED_INT16,
                                   CU_AD_FORMAT_SIGNED_INT16,   CU_AD_FORMAT_UNSIGNED_INT32, CU_AD_FORMAT_SIGNED_INT32,
                                   CU_AD_FORMAT_HALF,           CU_AD_FORMAT_FLOAT};
  for (unsigned i = 0; i < 8; i++)
    if (order[i] == (unsigned)format) return 1 + 3 * i + channels / 2;
  return 0;
}

/* A view that reads texels as others is not there; its sizes are those of the resource. */
static CUresult check_view(const CUDA_RESOURCE_VIEW_DESC *view, const CUDA_RESOURCE_DESC *resource) {
  NEEDS(resource->resType == CU_RESOURCE_TYPE_ARRAY || resource->resType == CU_RESOURCE_TYPE_MIPMAPPED_ARRAY);
  const CUDA_ARRAY3D_DESCRIPTOR *is = resource->resType == CU_RESOURCE_TYPE_ARRAY
                                          ? &resource->res.array.hArray->descriptor
                                          : &resource->res.mipmap.hMipmappedArray->descriptor;
  NEEDS(view->format <= 0x22);
  if (view->format != 0 && view->format != view_format(is->Format, is->NumChannels)) return CUDA_ERROR_NOT_SUPPORTED;
  NEEDS(view->width == is->Width && view->height == is->Height && view->depth == is->Depth);
  NEEDS(view->firstMipmapLevel <= view->lastMipmapLevel && view->firstLayer <= view->lastLayer);
  return CUDA_SUCCESS;
}

API CUresult cuTexObjectCreate(CUtexObject *texture, const CUDA_RESOURCE_DESC *resource, const CUDA_TEXTURE_DESC *how,
                               const CUDA_RESOURCE_VIEW_DESC *view) {
  struct resource_words words;
  uint64_t handle;
  NEEDS_CONTEXT(context);
  NEEDS(texture != NULL && resource != NULL && how != NULL);
  TRY(resource_words(&words, resource));
  TRY(check_texture(how, resource));
  if (view != NULL) TRY(check_view(view, resource));
  struct texture_words told = {.filter = how->filterMode,
                               .flags = how->flags,
                               .anisotropy = how->maxAnisotropy,
                               .level_filter = how->mipmapFilterMode,
                               .bias = how->mipmapLevelBias,
                               .least = how->minMipmapLevelClamp,
                               .most = how->maxMipmapLevelClamp,
                               .viewed = view != NULL};
  for (int i = 0; i < 3; i++) told.address[i] = how->addressMode[i];
  memcpy(told.border, how->borderColor, sizeof told.border);
  if (view != NULL) {
    told.view[0] = view->firstMipmapLevel, told.view[1] = view->lastMipmapLevel;
    told.view[2] = view->firstLayer, told.view[3] = view->lastLayer;
  }
  struct part parts[] = {{words.head, sizeof words.head}, {words.rest, sizeof words.rest}, {&told, sizeof told}};
  struct image_copy copy;
  TRY(image_copy_make(&copy, &words));
  CUresult result = call_for(CALL_TEXTURE, parts, 3, &handle, 1);
  struct image_object *made = result == CUDA_SUCCESS ? image_new(TEXTURE, handle, context) : NULL;
  if (made == NULL) {
    image_copy_free(&copy);
    return result == CUDA_SUCCESS ? CUDA_ERROR_OUT_OF_MEMORY : result;
  }
  made->copy = copy;
  made->resource = *resource;
  made->texture = *how;
  made->viewed = view != NULL;
  if (view != NULL) made->view = *view;
  *texture = handle;
  return CUDA_SUCCESS;
}

#define NEEDS_TEXTURE(image, texture)                     \
  NEEDS_CONTEXT(context);                                 \
  struct image_object *image = image_of(texture, TEXTURE); \
  NEEDS(image != NULL)

API CUresult cuTexObjectDestroy(CUtexObject texture) {
  NEEDS_TEXTURE(image, texture);
  return image_destroy(image);
}

API CUresult cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC *resource, CUtexObject texture) {
  NEEDS_TEXTURE(image, texture);
  NEEDS(resource != NULL);
  *resource = image->resource;
  return CUDA_SUCCESS;
}

API CUresult cuTexObjectGetTextureDesc(CUDA_TEXTURE_DESC *how, CUtexObject texture) {
  NEEDS_TEXTURE(image, texture);
  NEEDS(how != NULL);
  *how = image->texture;
  return CUDA_SUCCESS;
}

/* A texture without a view has none to give. */
API CUresult cuTexObjectGetResourceViewDesc(CUDA_RESOURCE_VIEW_DESC *view, CUtexObject texture) {
  NEEDS_TEXTURE(image, texture);
  NEEDS(view != NULL && image->viewed);
  *view = image->view;
  return CUDA_SUCCESS;
}
