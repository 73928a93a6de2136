/* Which context a thread works in, and which contexts live. */
#include "state.h"

#define DEEPEST 64

static _Thread_local struct {
  CUcontext contexts[DEEPEST];
  int depth;
} stack;

static const size_t first_limits[LIMITS] = {1024, 1 << 20, 8 << 20, 0, 0, 128};

bool context_push(CUcontext context) {
  if (stack.depth == DEEPEST) return false;
  stack.contexts[stack.depth++] = context;
  return true;
}

void context_pop(void) {
  if (stack.depth > 0) stack.depth--;
}

CUcontext context_on_top(void) { return stack.depth == 0 ? NULL : stack.contexts[stack.depth - 1]; }

CUresult current_context(CUcontext *context) {
  TRY(initialised());
  *context = context_on_top();
  if (*context == NULL) return CUDA_ERROR_INVALID_CONTEXT;
  if (!object_is(*context, CONTEXT)) return CUDA_ERROR_CONTEXT_IS_DESTROYED;
  return (*context)->dead;
}

CUresult may_give_back(void) {
  TRY(initialised());
  CUcontext context;
  return context_on_top() == NULL ? CUDA_SUCCESS : current_context(&context);
}

CUcontext context_new(unsigned flags) {
  CUcontext context = object_new(CONTEXT, sizeof *context, NULL);
  if (context == NULL) return NULL;
  context->flags = flags;
  context->life = worker_life();
  for (int i = 0; i < LIMITS; i++) context->limits[i] = first_limits[i];
  return context;
}

void context_dies(CUcontext context, CUresult why) {
  if (context->dead == CUDA_SUCCESS) context->dead = why;
}

static void all_die(CUresult why) { context_each(context_dies, why); }

__attribute__((constructor)) static void heed(void) { when_lost(all_die); }
