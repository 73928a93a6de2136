/* Texture and surface objects by their handles, which kernels get. */
#ifndef PTXRUN_CUDA_RESOURCE_H
#define PTXRUN_CUDA_RESOURCE_H

#include "state.h"

/* Textures read the device's own memory: of other memory it has a copy, made anew before each launch. No bytes where it has none. */
struct image_copy {
  uint64_t source, address, bytes;
};

struct image_object {
  struct object object;
  struct image_object *next;
  uint64_t handle;
  CUDA_RESOURCE_DESC resource;
  CUDA_TEXTURE_DESC texture;
  CUDA_RESOURCE_VIEW_DESC view;
  bool viewed;
  struct image_copy copy;
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
/* Makes a copy where the memory is this process's, and lets the words lead there. */
CUresult image_copy_make(struct image_copy *copy, struct resource_words *words);
void image_copy_free(struct image_copy *copy);
void images_refresh(void);
CUresult image_destroy(struct image_object *image);

#endif
