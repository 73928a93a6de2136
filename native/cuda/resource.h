/* Texture and surface objects by their handles, which kernels get. */
#ifndef PTXRUN_CUDA_RESOURCE_H
#define PTXRUN_CUDA_RESOURCE_H

#include "state.h"

struct image_object {
  struct object object;
  struct image_object *next;
  uint64_t handle;
  CUDA_RESOURCE_DESC resource;
  CUDA_TEXTURE_DESC texture;
  CUDA_RESOURCE_VIEW_DESC view;
  bool viewed;
};

/* What the worker is told of a resource: numbers of 32 bits, and of 64. */
struct resource_words {
  uint32_t head[4];
  uint64_t rest[4];
};

/* Checks a resource, as far as that needs no memory, and writes it down for the worker. */
CUresult resource_words(struct resource_words *words, const CUDA_RESOURCE_DESC *resource);

/* The object of this kind and handle; NULL where there is none. */
struct image_object *image_of(uint64_t handle, enum kind kind);
/* A new object for what the worker has made; the handle is given back where there is no memory. */
struct image_object *image_new(enum kind kind, uint64_t handle, CUcontext context);
CUresult image_destroy(struct image_object *image);

#endif
