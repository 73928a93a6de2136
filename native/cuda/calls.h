/* Calls of the worker's device; src/clients/driver/calls.ts says what each one takes and gives. */
#ifndef PTXRUN_CUDA_CALLS_H
#define PTXRUN_CUDA_CALLS_H

#include "../channel.h"
#include "state.h"

enum call {
  CALL_BEGIN,
  CALL_LOAD,
  CALL_UNLOAD,
  CALL_FUNCTION,
  CALL_VARIABLE,
  CALL_KERNELS,
  CALL_ALLOCATE,
  CALL_FREE,
  CALL_ROOM,
  CALL_AROUND,
  CALL_COPY,
  CALL_SET,
  CALL_LAUNCH,
  CALL_TENSOR_MAP,
  CALL_ARRAY,
  CALL_FREE_ARRAY,
  CALL_TEXTURE,
  CALL_SURFACE,
  CALL_DESTROY,
  CALL_LINK,
  CALL_REFERENCE,
  CALL_BIND,
  CALL_MOVE_MAP,
  CALL_MAPPED
};

struct reply {
  uint64_t *words;
  uint32_t count;
  /* Ends with a zero; empty or NULL where there is none. */
  char *text;
};

/*
 * Asks the worker, and starts it where no context has needed one yet. The reply is there whatever the result is; `reply_free`
 * frees it. Without a worker, all contexts are dead from then on, and standard error says why.
 */
CUresult call(enum call number, const struct part *parts, int count, struct reply *reply);
/* `before` and `after` are called around each call that reads, writes or frees the device's memory, but not around their own. */
void around_memory(void (*before)(void), void (*after)(void));
void reply_free(struct reply *reply);

/* The same for who needs nothing but some words of the reply; what is said besides goes to standard error. */
CUresult call_for(enum call number, const struct part *parts, int count, uint64_t *words, uint32_t room);

#endif
