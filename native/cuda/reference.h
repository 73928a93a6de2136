/* Texture and surface references of modules. */
#ifndef PTXRUN_CUDA_REFERENCE_H
#define PTXRUN_CUDA_REFERENCE_H

#include "modules.h"
#include "resource.h"

/* One of a surface is the same, with another kind; how it is looked up means nothing then. */
struct CUtexref_st {
  struct object object;
  /* NULL for one that cuTexRefCreate has made. */
  CUmodule module;
  struct CUtexref_st *next;
  CUDA_RESOURCE_DESC resource;
  CUDA_TEXTURE_DESC how;
  CUarray_format format;
  unsigned channels;
  /* Whether there is a resource, and whether something has been set since the last launch. */
  bool is_set, changed;
  /* The object that the variable is bound to; 0 for none. */
  CUtexObject bound;
  char name[];
};

/* Binds the module's variables to what has been set. */
CUresult references_bind(CUmodule module);
void references_free(CUmodule module);

#endif
