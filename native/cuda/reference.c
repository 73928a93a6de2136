/*
 * Texture and surface references: variables of a module that the host binds to memory. A launch finds what was set before it.
 */
#include "reference.h"

#include <string.h>

#include "array.h"
#include "calls.h"
#include "driver.h"

/* CU_TRSA_OVERRIDE_FORMAT: the only flag there is, and how it is anyway. */
#define OVERRIDE_FORMAT 1u
/* Where linear memory of a texture begins, as CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT says. */
#define ALIGNMENT 512

#define NEEDS_REFERENCE(reference, kind) \
  NEEDS_CONTEXT(context);                \
  NEEDS_HANDLE(reference, kind)
#define NEEDS_TEXREF(texture) NEEDS_REFERENCE(texture, TEXTURE_REFERENCE)

/* The one of this name, made when it is first asked for. */
static CUresult reference_of(struct CUtexref_st **reference, CUmodule module, const char *name, enum kind kind) {
  for (struct CUtexref_st *each = module->references; each != NULL; each = each->next)
    if (strcmp(each->name, name) == 0 && each->object.kind == kind) {
      *reference = each;
      return CUDA_SUCCESS;
    }
  NEEDS_ALIVE(module);
  struct part parts[] = {{&module->handle, sizeof module->handle}, {name, strlen(name)}};
  uint64_t words[6];
  TRY(call_for(CALL_REFERENCE, parts, 2, words, 6));
  if (words[0] != (kind == TEXTURE_REFERENCE ? 1 : 2)) return CUDA_ERROR_NOT_FOUND;
  struct CUtexref_st *made = object_new(kind, sizeof *made + strlen(name) + 1, module->object.context);
  if (made == NULL) return CUDA_ERROR_OUT_OF_MEMORY;
  made->module = module;
  strcpy(made->name, name);
  for (int i = 0; i < 3; i++) made->how.addressMode[i] = (CUaddress_mode)words[1 + i];
  made->how.filterMode = (CUfilter_mode)words[4];
  if (words[5] != 0) made->how.flags = CU_TRSF_NORMALIZED_COORDINATES;
  made->how.maxMipmapLevelClamp = 100;
  made->next = module->references;
  module->references = made;
  *reference = made;
  return CUDA_SUCCESS;
}

static void let_go(struct CUtexref_st *reference) {
  struct image_object *bound = image_of(reference->bound, reference->object.kind == TEXTURE_REFERENCE ? TEXTURE : SURFACE);
  if (reference->bound != 0 && bound != NULL) image_destroy(bound);
  reference->bound = 0;
}

void references_free(CUmodule module) {
  while (module->references != NULL) {
    struct CUtexref_st *reference = module->references;
    module->references = reference->next;
    let_go(reference);
    object_free(reference);
  }
}

static CUresult bind(struct CUtexref_st *reference, CUmodule module) {
  CUDA_RESOURCE_DESC resource = reference->resource;
  let_go(reference);
  reference->changed = false;
  if (!reference->is_set) return CUDA_SUCCESS;
  /* The format may have been set last. */
  if (resource.resType == CU_RESOURCE_TYPE_LINEAR)
    resource.res.linear.format = reference->format, resource.res.linear.numChannels = reference->channels;
  if (reference->object.kind == SURFACE_REFERENCE)
    TRY(cuSurfObjectCreate(&reference->bound, &resource));
  else
    TRY(cuTexObjectCreate(&reference->bound, &resource, &reference->how, NULL));
  struct part parts[] = {{&module->handle, sizeof module->handle},
                         {&reference->bound, sizeof reference->bound},
                         {reference->name, strlen(reference->name)}};
  return call_for(CALL_BIND, parts, 3, NULL, 0);
}

CUresult references_bind(CUmodule module) {
  for (struct CUtexref_st *each = module->references; each != NULL; each = each->next)
    if (each->changed) TRY(bind(each, module));
  return CUDA_SUCCESS;
}

static CUresult set(struct CUtexref_st *reference, CUDA_RESOURCE_DESC resource) {
  reference->resource = resource;
  reference->is_set = reference->changed = true;
  return CUDA_SUCCESS;
}

API CUresult cuModuleGetTexRef(CUtexref *texture, CUmodule module, const char *name) {
  NEEDS_CONTEXT(context);
  NEEDS(texture != NULL && name != NULL);
  NEEDS_HANDLE(module, MODULE);
  return reference_of(texture, module, name, TEXTURE_REFERENCE);
}

API CUresult cuModuleGetSurfRef(CUsurfref *surface, CUmodule module, const char *name) {
  NEEDS_CONTEXT(context);
  NEEDS(surface != NULL && name != NULL);
  NEEDS_HANDLE(module, MODULE);
  return reference_of((struct CUtexref_st **)surface, module, name, SURFACE_REFERENCE);
}

/* Of no module, so no kernel reads it. */
API CUresult cuTexRefCreate(CUtexref *texture) {
  NEEDS_CONTEXT(context);
  NEEDS(texture != NULL);
  *texture = object_new(TEXTURE_REFERENCE, sizeof **texture + 1, context);
  return *texture == NULL ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_SUCCESS;
}

API CUresult cuTexRefDestroy(CUtexref texture) {
  NEEDS_TEXREF(texture);
  NEEDS(texture->module == NULL);
  object_free(texture);
  return CUDA_SUCCESS;
}

API CUresult cuTexRefSetArray(CUtexref texture, CUarray array, unsigned flags) {
  NEEDS_TEXREF(texture);
  NEEDS(flags == OVERRIDE_FORMAT);
  NEEDS_HANDLE(array, ARRAY);
  texture->format = array->descriptor.Format, texture->channels = array->descriptor.NumChannels;
  return set(texture, (CUDA_RESOURCE_DESC){.resType = CU_RESOURCE_TYPE_ARRAY, .res.array.hArray = array});
}

API CUresult cuTexRefSetMipmappedArray(CUtexref texture, CUmipmappedArray mipmapped, unsigned flags) {
  NEEDS_TEXREF(texture);
  NEEDS(flags == OVERRIDE_FORMAT);
  NEEDS_HANDLE(mipmapped, MIPMAPPED);
  texture->format = mipmapped->descriptor.Format, texture->channels = mipmapped->descriptor.NumChannels;
  return set(texture,
             (CUDA_RESOURCE_DESC){.resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY, .res.mipmap.hMipmappedArray = mipmapped});
}

/* Memory that begins anywhere: kernels have to add the offset. */
API CUresult cuTexRefSetAddress_v2(size_t *offset, CUtexref texture, CUdeviceptr address, size_t bytes) {
  NEEDS_TEXREF(texture);
  size_t ahead = address % ALIGNMENT;
  NEEDS(ahead == 0 || offset != NULL);
  if (offset != NULL) *offset = ahead;
  texture->is_set = false;
  texture->changed = true;
  if (bytes == 0) return CUDA_SUCCESS;
  CUDA_RESOURCE_DESC resource = {.resType = CU_RESOURCE_TYPE_LINEAR};
  resource.res.linear.devPtr = address - ahead, resource.res.linear.sizeInBytes = bytes + ahead;
  return set(texture, resource);
}

API CUresult cuTexRefSetAddress2D_v3(CUtexref texture, const CUDA_ARRAY_DESCRIPTOR *descriptor, CUdeviceptr address,
                                     size_t pitch) {
  NEEDS_TEXREF(texture);
  NEEDS(descriptor != NULL && address % ALIGNMENT == 0);
  CUDA_RESOURCE_DESC resource = {.resType = CU_RESOURCE_TYPE_PITCH2D};
  texture->format = descriptor->Format, texture->channels = descriptor->NumChannels;
  resource.res.pitch2D.devPtr = address, resource.res.pitch2D.pitchInBytes = pitch;
  resource.res.pitch2D.format = descriptor->Format, resource.res.pitch2D.numChannels = descriptor->NumChannels;
  resource.res.pitch2D.width = descriptor->Width, resource.res.pitch2D.height = descriptor->Height;
  return set(texture, resource);
}
ALSO(cuTexRefSetAddress2D_v3, cuTexRefSetAddress2D_v2);

/* That of linear memory, whichever is set first. */
API CUresult cuTexRefSetFormat(CUtexref texture, CUarray_format format, int channels) {
  NEEDS_TEXREF(texture);
  TRY(check_texels(format, (unsigned)channels));
  texture->format = format, texture->channels = (unsigned)channels;
  texture->changed = true;
  return CUDA_SUCCESS;
}

API CUresult cuTexRefSetAddressMode(CUtexref texture, int dimension, CUaddress_mode mode) {
  NEEDS_TEXREF(texture);
  NEEDS(dimension >= 0 && dimension < 3 && (unsigned)mode <= CU_TR_ADDRESS_MODE_BORDER);
  texture->how.addressMode[dimension] = mode;
  texture->changed = true;
  return CUDA_SUCCESS;
}

API CUresult cuTexRefSetMipmapLevelClamp(CUtexref texture, float least, float most) {
  NEEDS_TEXREF(texture);
  texture->how.minMipmapLevelClamp = least, texture->how.maxMipmapLevelClamp = most;
  texture->changed = true;
  return CUDA_SUCCESS;
}

API CUresult cuTexRefSetBorderColor(CUtexref texture, float *colour) {
  NEEDS_TEXREF(texture);
  NEEDS(colour != NULL);
  memcpy(texture->how.borderColor, colour, sizeof texture->how.borderColor);
  texture->changed = true;
  return CUDA_SUCCESS;
}

/* A field of how a texture is looked up, set and asked for. */
#define FIELD(name, type, field, condition)                      \
  API CUresult cuTexRefSet##name(CUtexref texture, type value) { \
    NEEDS_TEXREF(texture);                                       \
    NEEDS(condition);                                            \
    texture->how.field = value;                                  \
    texture->changed = true;                                     \
    return CUDA_SUCCESS;                                         \
  }

FIELD(FilterMode, CUfilter_mode, filterMode, (unsigned)value <= CU_TR_FILTER_MODE_LINEAR)
FIELD(MipmapFilterMode, CUfilter_mode, mipmapFilterMode, (unsigned)value <= CU_TR_FILTER_MODE_LINEAR)
FIELD(MipmapLevelBias, float, mipmapLevelBias, true)
FIELD(MaxAnisotropy, unsigned, maxAnisotropy, true)
FIELD(Flags, unsigned, flags, true)

#define GETTER(name, type, value)                                  \
  API CUresult cuTexRefGet##name(type *given, CUtexref texture) { \
    NEEDS_TEXREF(texture);                                        \
    NEEDS(given != NULL);                                         \
    *given = (type)(value);                                       \
    return CUDA_SUCCESS;                                          \
  }

GETTER(FilterMode, CUfilter_mode, texture->how.filterMode)
GETTER(MipmapFilterMode, CUfilter_mode, texture->how.mipmapFilterMode)
GETTER(MipmapLevelBias, float, texture->how.mipmapLevelBias)
GETTER(MaxAnisotropy, int, texture->how.maxAnisotropy)
GETTER(Flags, unsigned, texture->how.flags)

API CUresult cuTexRefGetAddressMode(CUaddress_mode *mode, CUtexref texture, int dimension) {
  NEEDS_TEXREF(texture);
  NEEDS(mode != NULL && dimension >= 0 && dimension < 3);
  *mode = texture->how.addressMode[dimension];
  return CUDA_SUCCESS;
}

API CUresult cuTexRefGetMipmapLevelClamp(float *least, float *most, CUtexref texture) {
  NEEDS_TEXREF(texture);
  NEEDS(least != NULL && most != NULL);
  *least = texture->how.minMipmapLevelClamp, *most = texture->how.maxMipmapLevelClamp;
  return CUDA_SUCCESS;
}

API CUresult cuTexRefGetBorderColor(float *colour, CUtexref texture) {
  NEEDS_TEXREF(texture);
  NEEDS(colour != NULL);
  memcpy(colour, texture->how.borderColor, sizeof texture->how.borderColor);
  return CUDA_SUCCESS;
}

API CUresult cuTexRefGetFormat(CUarray_format *format, int *channels, CUtexref texture) {
  NEEDS_TEXREF(texture);
  NEEDS(format != NULL && channels != NULL && texture->channels > 0);
  *format = texture->format, *channels = (int)texture->channels;
  return CUDA_SUCCESS;
}

/* What it is bound to, where that is of this kind. */
#define BOUND(is, type, value)                                          \
  NEEDS(given != NULL && reference->is_set && reference->resource.resType == (is)); \
  *given = (type)(value);                                               \
  return CUDA_SUCCESS

API CUresult cuTexRefGetArray(CUarray *given, CUtexref reference) {
  NEEDS_TEXREF(reference);
  BOUND(CU_RESOURCE_TYPE_ARRAY, CUarray, reference->resource.res.array.hArray);
}

API CUresult cuTexRefGetMipmappedArray(CUmipmappedArray *given, CUtexref reference) {
  NEEDS_TEXREF(reference);
  BOUND(CU_RESOURCE_TYPE_MIPMAPPED_ARRAY, CUmipmappedArray, reference->resource.res.mipmap.hMipmappedArray);
}

API CUresult cuTexRefGetAddress_v2(CUdeviceptr *given, CUtexref reference) {
  NEEDS_TEXREF(reference);
  if (reference->resource.resType == CU_RESOURCE_TYPE_PITCH2D)
    BOUND(CU_RESOURCE_TYPE_PITCH2D, CUdeviceptr, reference->resource.res.pitch2D.devPtr);
  BOUND(CU_RESOURCE_TYPE_LINEAR, CUdeviceptr, reference->resource.res.linear.devPtr);
}

API CUresult cuSurfRefSetArray(CUsurfref surface, CUarray array, unsigned flags) {
  NEEDS_REFERENCE(surface, SURFACE_REFERENCE);
  NEEDS(flags == 0);
  NEEDS_HANDLE(array, ARRAY);
  NEEDS((array->descriptor.Flags & CUDA_ARRAY3D_SURFACE_LDST) != 0);
  return set((struct CUtexref_st *)surface,
             (CUDA_RESOURCE_DESC){.resType = CU_RESOURCE_TYPE_ARRAY, .res.array.hArray = array});
}

API CUresult cuSurfRefGetArray(CUarray *given, CUsurfref surface) {
  NEEDS_REFERENCE(surface, SURFACE_REFERENCE);
  struct CUtexref_st *reference = (struct CUtexref_st *)surface;
  BOUND(CU_RESOURCE_TYPE_ARRAY, CUarray, reference->resource.res.array.hArray);
}

/* Of old launches: a kernel reads the references of its module anyway. */
API CUresult cuParamSetTexRef(CUfunction function, int unit, CUtexref texture) {
  NEEDS_TEXREF(texture);
  NEEDS_FUNCTION(function);
  NEEDS(unit == -1);
  return CUDA_SUCCESS;
}
