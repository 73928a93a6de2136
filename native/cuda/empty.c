/* What becomes of a context's things when it ends. */
#include "array.h"
#include "modules.h"
#include "ranges.h"
#include "resource.h"

void context_empty(CUcontext context) {
  struct object *object;
  struct range *range;
  while ((object = object_of(context, MODULE)) != NULL) module_free((CUmodule)object);
  while ((object = object_of(context, LINK)) != NULL) link_free((CUlinkState)object);
  while ((object = object_of(context, TEXTURE)) != NULL) image_destroy((struct image_object *)object);
  while ((object = object_of(context, SURFACE)) != NULL) image_destroy((struct image_object *)object);
  while ((object = object_of(context, MIPMAPPED)) != NULL) mipmapped_free((CUmipmappedArray)object);
  while ((object = object_of(context, ARRAY)) != NULL) array_free((CUarray)object);
  while ((object = object_of(context, STREAM)) != NULL) stream_free((CUstream)object);
  while ((object = object_of(context, EVENT)) != NULL) event_free((CUevent)object);
  while ((object = object_of(context, 0)) != NULL) object_free(object);
  while ((range = range_of(context)) != NULL) range_free(range);
}
