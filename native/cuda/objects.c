#include <stdlib.h>

#include "state.h"

/* Buckets of the table; handles are few, or programs slow for other reasons. */
#define BUCKETS 4096

static struct object *table[BUCKETS];

static struct object **bucket(const void *handle) { return &table[((uintptr_t)handle >> 4) % BUCKETS]; }

void *object_new(enum kind kind, size_t bytes, CUcontext context) {
  struct object *object = calloc(1, bytes);
  if (object == NULL) return NULL;
  object->kind = kind;
  object->context = context;
  struct object **at = bucket(object);
  object->next = *at;
  *at = object;
  return object;
}

bool object_is(const void *handle, enum kind kind) {
  if (handle == NULL) return false;
  for (struct object *at = *bucket(handle); at != NULL; at = at->next)
    if (at == handle) return at->kind == kind;
  return false;
}

void object_free(void *handle) {
  for (struct object **at = bucket(handle); *at != NULL; at = &(*at)->next)
    if (*at == handle) {
      struct object *object = *at;
      *at = object->next;
      /* A thread may still have a context on its stack: its address is not given to another one. */
      if (object->kind != CONTEXT) free(object);
      return;
    }
}

struct object *object_of(CUcontext context, enum kind kind) {
  for (int i = 0; i < BUCKETS; i++)
    for (struct object *at = table[i]; at != NULL; at = at->next)
      if ((context == NULL || at->context == context) && (kind == 0 || at->kind == kind)) return at;
  return NULL;
}

bool is_stream(CUstream stream) {
  return stream == NULL || stream == CU_STREAM_LEGACY || stream == CU_STREAM_PER_THREAD || object_is(stream, STREAM);
}

void context_each(void (*change)(CUcontext context, CUresult why), CUresult why) {
  for (int i = 0; i < BUCKETS; i++)
    for (struct object *at = table[i]; at != NULL; at = at->next)
      if (at->kind == CONTEXT) change((CUcontext)at, why);
}
