#include "user_object.h"

#include <limits.h>
#include <stdlib.h>

#include "../driver.h"

struct CUuserObject_st {
  struct object object;
  void *value;
  CUhostFn destroy;
  uint64_t holders;
  CUuserObject next;
};

struct held {
  CUuserObject object;
  uint64_t count;
  struct held *next;
};

#define NEEDS_OBJECT(object, count) \
  NEEDS(object_is(object, USER_OBJECT) && (object)->holders > 0 && (count) > 0 && (count) <= INT_MAX)

/* Those whose destructors are to be called. */
static CUuserObject ended;

static void release(CUuserObject object, uint64_t count) {
  object->holders -= count < object->holders ? count : object->holders;
  if (object->holders > 0) return;
  object->next = ended;
  ended = object;
}

static CUresult hold(struct held **list, CUuserObject object, uint64_t count) {
  for (struct held *held = *list; held != NULL; held = held->next)
    if (held->object == object) {
      held->count += count;
      return CUDA_SUCCESS;
    }
  struct held *held = malloc(sizeof *held);
  if (held == NULL) return CUDA_ERROR_OUT_OF_MEMORY;
  *held = (struct held){object, count, *list};
  *list = held;
  return CUDA_SUCCESS;
}

CUresult held_add(struct held **list, CUuserObject object, unsigned count, bool moves) {
  NEEDS_OBJECT(object, count);
  TRY(hold(list, object, count));
  if (!moves) object->holders += count;
  return CUDA_SUCCESS;
}

CUresult held_remove(struct held **list, CUuserObject object, unsigned count) {
  NEEDS_OBJECT(object, count);
  for (struct held **at = list; *at != NULL; at = &(*at)->next) {
    struct held *held = *at;
    if (held->object != object) continue;
    NEEDS(held->count >= count);
    held->count -= count;
    if (held->count == 0) {
      *at = held->next;
      free(held);
    }
    release(object, count);
    return CUDA_SUCCESS;
  }
  return CUDA_ERROR_INVALID_VALUE;
}

CUresult held_copy(struct held **to, const struct held *from) {
  for (; from != NULL; from = from->next) {
    TRY(hold(to, from->object, from->count));
    from->object->holders += from->count;
  }
  return CUDA_SUCCESS;
}

void held_release_all(struct held **list) {
  while (*list != NULL) {
    struct held *held = *list;
    *list = held->next;
    release(held->object, held->count);
    free(held);
  }
}

CUresult held_replace(struct held **list, const struct held *from) {
  struct held *before = *list;
  *list = NULL;
  CUresult result = held_copy(list, from);
  held_release_all(&before);
  return result;
}

static CUuserObject next_ended(void) {
  LOCKED;
  CUuserObject object = ended;
  if (object != NULL) ended = object->next;
  return object;
}

static void forget(CUuserObject object) {
  LOCKED;
  object_free(object);
}

void user_objects_end(void) {
  for (CUuserObject object; (object = next_ended()) != NULL;) {
    object->destroy(object->value);
    forget(object);
  }
}

API CUresult cuUserObjectCreate(CUuserObject *object, void *value, CUhostFn destroy, unsigned count, unsigned flags) {
  NEEDS_INIT;
  NEEDS(object != NULL && destroy != NULL && count > 0 && count <= INT_MAX && flags == CU_USER_OBJECT_NO_DESTRUCTOR_SYNC);
  *object = object_new(USER_OBJECT, sizeof **object, NULL);
  if (*object == NULL) return CUDA_ERROR_OUT_OF_MEMORY;
  (*object)->value = value;
  (*object)->destroy = destroy;
  (*object)->holders = count;
  return CUDA_SUCCESS;
}

API CUresult cuUserObjectRetain(CUuserObject object, unsigned count) {
  NEEDS_INIT;
  NEEDS_OBJECT(object, count);
  object->holders += count;
  return CUDA_SUCCESS;
}

static CUresult let_go(CUuserObject object, unsigned count) {
  NEEDS_INIT;
  NEEDS_OBJECT(object, count);
  release(object, count);
  return CUDA_SUCCESS;
}

API CUresult cuUserObjectRelease(CUuserObject object, unsigned count) {
  CUresult result = let_go(object, count);
  user_objects_end();
  return result;
}
