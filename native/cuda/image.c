/* What cuModuleLoadData and its kin are given: text, a fat binary, or what wraps one. */
#include "image.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../report.h"

#define FAT_MAGIC 0xba55ed50u
#define WRAPPER_MAGIC 0x466243b1u
/* The version of a wrapper around what a device linker has made. */
#define LINKED 2
/* Bytes that an image can have. */
#define MOST (1ull << 31)

static uint32_t first_word(const void *image) {
  uint32_t word;
  memcpy(&word, image, sizeof word);
  return word;
}

/* Texts may be shorter than a word. */
static bool begins_with(const unsigned char *image, const char *bytes) {
  for (; *bytes != 0; image++, bytes++)
    if (*image != (unsigned char)*bytes) return false;
  return true;
}

/* Whether a fat binary holds any PTX: each entry has u16 kind (1 is PTX), u16, u32 bytes of its head, u64 bytes behind that. */
static bool has_ptx(const unsigned char *fat) {
  uint16_t head, kind;
  uint32_t own;
  uint64_t rest, behind;
  memcpy(&head, fat + 6, sizeof head);
  memcpy(&rest, fat + 8, sizeof rest);
  for (uint64_t at = 0; at + 16 <= rest; at += own + behind) {
    const unsigned char *entry = fat + head + at;
    memcpy(&kind, entry, sizeof kind);
    memcpy(&own, entry + 4, sizeof own);
    memcpy(&behind, entry + 8, sizeof behind);
    if (kind == 1) return true;
    if (own < 16 || own > rest || behind > rest) return false;
  }
  return false;
}

CUresult image_find(const void *image, const void **bytes, size_t *count) {
  const unsigned char *at = image;
  if (begins_with(at, "\xb1\x43\x62\x46")) {
    /* u32 magic, u32 version, pointer to the fat binary, and where it is linked, to the parts that it was linked of. */
    uint32_t version;
    memcpy(&version, at + 4, sizeof version);
    void *inner;
    memcpy(&inner, at + 8, sizeof inner);
    if (inner == NULL) return CUDA_ERROR_INVALID_IMAGE;
    at = inner;
    if (first_word(at) != FAT_MAGIC) return CUDA_ERROR_INVALID_IMAGE;
    if (version == LINKED && !has_ptx(at)) {
      say("ptxrun: the program was built with nvcc -rdc=true (or -dc): its parts call each other's device functions, and have to "
          "be linked by a GPU's driver or to machine code, which ptxrun does not do. Build it with -rdc=false, device functions in "
          "headers or in one .cu file that includes the others, and -gencode arch=compute_80,code=compute_80\n");
      return CUDA_ERROR_NO_BINARY_FOR_GPU;
    }
  }
  *bytes = at;
  if (begins_with(at, "\x7f" "ELF")) {
    say("ptxrun: the module is machine code, which only a GPU runs: build with -gencode arch=compute_80,code=compute_80, which "
        "embeds PTX\n");
    return CUDA_ERROR_NO_BINARY_FOR_GPU;
  }
  if (begins_with(at, "\x50\xed\x55\xba")) {
    uint16_t head;
    uint64_t rest;
    memcpy(&head, at + 6, sizeof head);
    memcpy(&rest, at + 8, sizeof rest);
    if (rest > MOST) return CUDA_ERROR_INVALID_IMAGE;
    *count = head + rest;
  } else {
    *count = strlen((const char *)at);
  }
  return CUDA_SUCCESS;
}

CUresult read_file(const char *path, char **bytes) {
  FILE *file = fopen(path, "rb");
  if (file == NULL) return CUDA_ERROR_FILE_NOT_FOUND;
  size_t room = 1 << 16, count = 0;
  char *all = malloc(room);
  while (all != NULL) {
    count += fread(all + count, 1, room - count - 1, file);
    if (count < room - 1) break;
    char *larger = room < MOST ? realloc(all, room *= 2) : NULL;
    if (larger == NULL) free(all);
    all = larger;
  }
  bool failed = ferror(file) != 0;
  fclose(file);
  if (all == NULL) return CUDA_ERROR_OUT_OF_MEMORY;
  if (failed) {
    free(all);
    return CUDA_ERROR_FILE_NOT_FOUND;
  }
  all[count] = 0;
  *bytes = all;
  return CUDA_SUCCESS;
}
