/* What the driver API keeps in this process: everything is looked up before it is used, so that a wrong handle is told. */
#ifndef PTXRUN_CUDA_STATE_H
#define PTXRUN_CUDA_STATE_H

#include <stdbool.h>

#include "life.h"
#include "types.h"

#ifndef API
#define API __attribute__((visibility("default")))
#endif

/* The same function under another name that programs are linked with: of another version, or for streams of each thread. */
#define ALSO(name, other) ALSO_RENAMED(name, other)
#define ALSO_RENAMED(name, other) API extern __typeof__(name) other __attribute__((alias(#name)))

enum kind {
  CONTEXT = 1,
  MODULE,
  FUNCTION,
  LIBRARY,
  STREAM,
  EVENT,
  POOL,
  ARRAY,
  MIPMAPPED,
  TEXTURE,
  SURFACE,
  LINK,
  TEXTURE_REFERENCE,
  SURFACE_REFERENCE,
  PHYSICAL,
  GRAPH,
  NODE,
  INSTANCE,
  USER_OBJECT
};

/* The head of whatever a handle points to. */
struct object {
  enum kind kind;
  struct object *next;
  /* Whose it is; NULL for what belongs to the process. */
  CUcontext context;
};

struct CUctx_st {
  struct object object;
  bool primary;
  /* How often a primary context has been retained, or another one attached to. */
  int count;
  unsigned flags;
  /* What has ended it, and what every call says from then on. */
  CUresult dead;
  /* Which life of the worker it was made in. */
  uint64_t life;
  size_t limits[LIMITS];
};

#define STREAM_ATTRIBUTES 5

struct CUstream_st {
  struct object object;
  unsigned flags;
  /* While it is captured; NULL else. */
  struct flow *flow;
  CUlaunchAttributeValue attributes[STREAM_ATTRIBUTES];
};

/* New, all zeros behind its head; NULL where no memory is left. */
void *object_new(enum kind kind, size_t bytes, CUcontext context);
bool object_is(const void *handle, enum kind kind);
/* Takes it out of the table and frees it. */
void object_free(void *handle);
/* The first object of the context, or of a kind where that is not 0. */
struct object *object_of(CUcontext context, enum kind kind);

/* Calls `change` for every context. */
void context_each(void (*change)(CUcontext context, CUresult why), CUresult why);
CUcontext context_new(unsigned flags);

/* One thread at a time is inside. The lock may be taken again by who has it. */
int lock_state(void);
void unlock_state(int *locked);
#define LOCKED __attribute__((cleanup(unlock_state), unused)) int locked_ = lock_state()

/* Lets go of the lock while the program is called, where it is held once. */
void lock_pause(void);
void lock_resume(void);

CUresult initialised(void);
/* The thread's context, where it is alive. */
CUresult current_context(CUcontext *context);
CUresult may_give_back(void);
CUcontext context_on_top(void);
/* False where the thread has as many as it may. */
bool context_push(CUcontext context);
/* Nothing happens where there is none. */
void context_pop(void);

#define TRY(call)                                  \
  do {                                             \
    CUresult tried_ = (call);                      \
    if (tried_ != CUDA_SUCCESS) return tried_;     \
  } while (0)
#define NEEDS_INIT \
  LOCKED;          \
  TRY(initialised())
#define NEEDS_CONTEXT(context) \
  LOCKED;                      \
  CUcontext context;           \
  TRY(current_context(&context))
/* What is given back says whose it is, so no context has to be current; one that is has to be alive. */
#define GIVES_BACK \
  LOCKED;          \
  TRY(may_give_back())
#define NEEDS(condition) \
  do {                   \
    if (!(condition)) return CUDA_ERROR_INVALID_VALUE; \
  } while (0)
#define NEEDS_HANDLE(handle, kind) \
  do {                             \
    if (!object_is(handle, kind)) return CUDA_ERROR_INVALID_HANDLE; \
  } while (0)

/* Marks a context as dead. */
void context_dies(CUcontext context, CUresult why);

/* Frees what a context has in the worker, and its objects. */
void context_empty(CUcontext context);

bool is_stream(CUstream stream);
void stream_free(CUstream stream);
void event_free(CUevent event);

/*
 * A function of CUDA 13 whose name older clients try first, as NAME_v2 of a function that never had one, and call as NAME. So dlsym
 * does not find it: it has a version (hidden.map), by which a program can only be linked with it. cuGetProcAddress gives it to those
 * who ask for 13.
 */
#define LINKED_ONLY(function, name)                             \
  __attribute__((visibility("default"))) __typeof__(function) function; \
  __asm__(".symver " #function ", " #name "@LINKED")

#endif
