/* Modules, and the functions in them. */
#ifndef PTXRUN_CUDA_MODULES_H
#define PTXRUN_CUDA_MODULES_H

#include "image.h"
#include "state.h"

struct CUmod_st {
  struct object object;
  /* The worker's handle, and which life of it that belongs to. */
  uint64_t handle;
  uint64_t life;
  /* NULL for one that cuModuleLoad or its kin has made. */
  CUlibrary library;
  struct CUfunc_st *functions;
  struct CUtexref_st *references;
};

struct parameter {
  size_t offset;
  size_t bytes;
};

/* A function of a module, and a kernel of a library as well: either handle is taken for the other. */
struct CUfunc_st {
  struct object object;
  CUmodule module;
  struct CUfunc_st *next;
  uint64_t handle;
  char *name;
  int shared;
  int local;
  int most_threads;
  unsigned cluster[3];
  /* That its PTX is for, as 80; the device may be a newer one. */
  int target;
  size_t parameter_bytes;
  uint32_t parameters;
  struct parameter *parameter;
  /* What cuFuncSetAttribute has set. */
  int dynamic_shared;
  int carveout;
  int non_portable;
  /* What cuFuncSetBlockShape and its kin have set; NULL until then. */
  struct next_launch *next_launch;
};

/* Loads an image, which it frees, and writes what is said of it into the log that the options name, or else to standard error. */
CUresult module_load(CUmodule *module, CUcontext context, struct image image, unsigned count, const CUjit_option *options,
                     void **values);
/* Writes what is said of a module into the log that the options name, or else to standard error. */
void jit_say(const char *text, unsigned count, const CUjit_option *options, void **values);
void link_free(CUlinkState state);
void module_free(CUmodule module);
CUresult module_function(CUfunction *function, CUmodule module, const char *name);
CUresult module_variable(CUdeviceptr *address, size_t *bytes, CUmodule module, const char *name);
/* One of an earlier life of the worker is in no other one, where its number means something else. */
#define NEEDS_ALIVE(module)                                                        \
  do {                                                                             \
    if ((module)->life != worker_life()) return CUDA_ERROR_INVALID_HANDLE;         \
  } while (0)
void function_free_all(CUmodule module);
/* By either handle: a function's, or a kernel's. */
#define NEEDS_FUNCTION(function) NEEDS_HANDLE(function, FUNCTION)

#endif
