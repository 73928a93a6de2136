/* What the program has registered: its fat binaries, the kernels and the variables in them. */
#ifndef PTXRUN_CUDART_REGISTRY_H
#define PTXRUN_CUDART_REGISTRY_H

#include "state.h"

enum entry_kind { KERNEL, VARIABLE, MANAGED, TEXTURE, SURFACE };

struct entry {
  enum entry_kind kind;
  /* The address in the program by which it is known: of a kernel's stub, or of a variable's shadow. */
  const void *key;
  const char *name;
  struct binary *binary;
  struct entry *next_of_binary;
  /* Once the binary is loaded. */
  CUfunction function;
  CUdeviceptr address;
  size_t bytes;
  /* Of a managed variable: where the program reads its address, and what that is. */
  void **pointer;
  void *host;
  /* Of a texture: whether its integers are read as fractions of the largest, and the offset of its memory. */
  bool fraction;
  size_t offset;
};

/* The kernel that has been registered by this address, or that this handle is; loads its binary. */
cudaError_t find_kernel(CUfunction *function, const void *key);
/* The variable, with its address and size. */
cudaError_t find_variable(struct entry **variable, const void *key);

/* Where in a variable a copy begins; an error where not all of it is there. */
cudaError_t symbol_address(void **address, const void *symbol, size_t offset, size_t bytes);
/* By what the program knows a kernel: NULL for one of no binary. */
const void *key_of_kernel(CUfunction function);
/* The texture or surface that has been registered by this address, and the module that it belongs to. */
cudaError_t find_reference(struct entry **reference, CUmodule *module, const void *key, enum entry_kind kind);

/* Takes the binaries out of the device; they are loaded again when something of them is used. */
void unload_all(void);

/*
 * The program and its kernels use managed variables in turns. Around whatever runs on the device or reads its memory: what the
 * program has stored goes there, and comes back.
 */
void managed_to_device(void);
void managed_to_program(void);

#endif
