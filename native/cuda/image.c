/* What cuModuleLoadData and its kin are given: text, a cubin, a fat binary, or what wraps one. */
#include "image.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../memory.h"
#include "../report.h"

#define FAT_MAGIC "\x50\xed\x55\xba"
#define WRAPPER_MAGIC "\xb1\x43\x62\x46"
/* u32 magic, u16 version, u16 bytes of the header, u64 bytes of all entries. */
#define FAT_HEAD 16
/* Of each entry: u16 kind (1 is PTX), u16, u32 bytes of its head, u64 bytes behind that. */
#define ENTRY_HEAD 16
#define PTX 1
/* u32 magic, u32 version, pointer to the fat binary, and where it is linked, to the parts that it was linked of. */
#define WRAPPER_HEAD 16
/* The version of a wrapper around what a device linker has made. */
#define LINKED 2
/* Parts that a program can be linked of. */
#define MOST_PARTS 4096
/* Bytes that an image can have. */
#define MOST (1ull << 31)
#define PAGE 4096
/* Of an ELF file: bytes of its header and of a section's, and the type of a section that has a size and no bytes. */
#define ELF_HEAD 64
#define ELF_SECTION 64
#define ELF_NO_BYTES 8

/* An image of which the first bytes have been taken; there is no more of a file. */
struct reading {
  struct image image;
  size_t room;
  bool in_memory;
  uint64_t address;
  struct passage passage;
  bool no_room;
};

/* Makes sure that so many bytes have been taken; false where there are fewer. */
static bool take(struct reading *from, uint64_t upto) {
  struct image *image = &from->image;
  while (image->count < upto) {
    if (!from->in_memory) return false;
    if (image->count == from->room) {
      size_t more = from->room == 0 ? PAGE : 2 * from->room;
      unsigned char *larger = realloc(image->bytes, more);
      from->no_room = larger == NULL;
      if (larger == NULL) return false;
      image->bytes = larger;
      from->room = more;
    }
    size_t step = (size_t)((upto < from->room ? upto : from->room) - image->count);
    size_t got = copy_from(&from->passage, from->address + image->count, image->bytes + image->count, step);
    image->count += got;
    if (got < step) return false;
  }
  return true;
}

static bool begins_with(const struct image *image, const char *magic) {
  return image->count >= 4 && memcmp(image->bytes, magic, 4) == 0;
}

static CUresult broken(const struct reading *from, const char *why) {
  if (from->no_room) return CUDA_ERROR_OUT_OF_MEMORY;
  say("ptxrun: a fat binary cannot be loaded: %s\n", why);
  return CUDA_ERROR_INVALID_IMAGE;
}

/* Takes all of a fat binary, entry by entry: what its header says counts only where they add up to it. */
static CUresult take_fat(struct reading *from, bool *has_ptx) {
  uint16_t head, kind;
  uint32_t own;
  uint64_t rest, behind;
  *has_ptx = false;
  if (!take(from, FAT_HEAD)) return broken(from, "it ends in its header");
  memcpy(&head, from->image.bytes + 6, sizeof head);
  memcpy(&rest, from->image.bytes + 8, sizeof rest);
  if (head < FAT_HEAD) return broken(from, "its header is too short");
  if (rest > MOST) return broken(from, "it says that it is larger than any can be");
  uint64_t end = head + rest;
  if (!take(from, head)) return broken(from, "it ends in its header");
  for (uint64_t at = head; at < end; at += own + behind) {
    if (end - at < ENTRY_HEAD) return broken(from, "its entries are not as long as it says");
    if (!take(from, at + ENTRY_HEAD)) return broken(from, "it says that it has more bytes than there are");
    const unsigned char *entry = from->image.bytes + at;
    memcpy(&kind, entry, sizeof kind);
    memcpy(&own, entry + 4, sizeof own);
    memcpy(&behind, entry + 8, sizeof behind);
    if (own < ENTRY_HEAD || own > end - at || behind > end - at - own)
      return broken(from, "its entries are not as long as it says");
    if (!take(from, at + own + behind)) return broken(from, "it says that it has more bytes than there are");
    *has_ptx = *has_ptx || kind == PTX;
  }
  from->image.count = end;
  return CUDA_SUCCESS;
}

/* Takes a text up to its zero, or to the end of its file. */
static CUresult take_text(struct reading *from) {
  struct image *image = &from->image;
  for (size_t looked = 0;;) {
    unsigned char *end = looked == image->count ? NULL : memchr(image->bytes + looked, 0, image->count - looked);
    if (end != NULL) {
      image->count = (size_t)(end - image->bytes);
      return CUDA_SUCCESS;
    }
    looked = image->count;
    if (!from->in_memory) return CUDA_SUCCESS;
    /* No further than the page that it ends in. */
    size_t before = image->count;
    if (before >= MOST || (!take(from, before + PAGE - (from->address + before) % PAGE) && image->count == before)) {
      if (from->no_room) return CUDA_ERROR_OUT_OF_MEMORY;
      say("ptxrun: a module cannot be loaded: its text has no zero at its end\n");
      return CUDA_ERROR_INVALID_IMAGE;
    }
  }
}

/* Takes all of an ELF file in memory: up to the end of its last section or table. */
static CUresult take_elf(struct reading *from) {
  uint64_t programs, sections;
  uint16_t program_bytes, program_count, section_bytes, section_count;
  if (!take(from, ELF_HEAD)) return broken(from, "it ends in the header of an ELF file");
  memcpy(&programs, from->image.bytes + 32, sizeof programs);
  memcpy(&sections, from->image.bytes + 40, sizeof sections);
  memcpy(&program_bytes, from->image.bytes + 54, sizeof program_bytes);
  memcpy(&program_count, from->image.bytes + 56, sizeof program_count);
  memcpy(&section_bytes, from->image.bytes + 58, sizeof section_bytes);
  memcpy(&section_count, from->image.bytes + 60, sizeof section_count);
  if (programs > MOST || sections > MOST || section_bytes < ELF_SECTION)
    return broken(from, "an ELF file says that it is larger than any can be");
  uint64_t end = ELF_HEAD, tables[] = {sections + (uint64_t)section_bytes * section_count,
                                       programs + (uint64_t)program_bytes * program_count};
  for (unsigned i = 0; i < 2; i++)
    if (end < tables[i]) end = tables[i];
  for (unsigned i = 0; i < section_count; i++) {
    uint64_t at = sections + (uint64_t)section_bytes * i, offset, bytes;
    uint32_t type;
    if (!take(from, at + ELF_SECTION)) return broken(from, "an ELF file says that it has more bytes than there are");
    memcpy(&type, from->image.bytes + at + 4, sizeof type);
    memcpy(&offset, from->image.bytes + at + 24, sizeof offset);
    memcpy(&bytes, from->image.bytes + at + 32, sizeof bytes);
    if (type == ELF_NO_BYTES) continue;
    if (offset > MOST || bytes > MOST) return broken(from, "an ELF file says that it is larger than any can be");
    if (end < offset + bytes) end = offset + bytes;
  }
  if (!take(from, end)) return broken(from, "an ELF file says that it has more bytes than there are");
  from->image.count = end;
  return CUDA_SUCCESS;
}

static CUresult take_all(struct reading *from, bool *has_ptx) {
  if (begins_with(&from->image, FAT_MAGIC)) return take_fat(from, has_ptx);
  if (begins_with(&from->image, "\x7f" "ELF")) return take_elf(from);
  return take_text(from);
}

/*
 * Appends the fat binaries that a linked program was made of, which the array lists up to a zero (crt/link.stub): the PTX in them
 * is linked by the worker.
 */
static CUresult take_parts(struct reading *from, uint64_t array, bool *has_ptx) {
  for (uint64_t i = 0; i < MOST_PARTS; i++) {
    uint64_t address = 0;
    if (copy_from(&from->passage, array + 8 * i, (unsigned char *)&address, sizeof(void *)) < sizeof(void *))
      return broken(from, "it lists parts where no memory is");
    if (address == 0) break;
    struct reading part = {.in_memory = true, .address = address, .passage = from->passage};
    bool ptx = false;
    CUresult taken = take(&part, FAT_HEAD) && begins_with(&part.image, FAT_MAGIC)
                         ? take_fat(&part, &ptx)
                         : broken(from, "it lists something else as a part");
    size_t count = from->image.count;
    unsigned char *all = taken == CUDA_SUCCESS ? realloc(from->image.bytes, count + part.image.count) : NULL;
    if (all != NULL) {
      memcpy(all + count, part.image.bytes, part.image.count);
      from->image = (struct image){all, count + part.image.count};
      from->room = from->image.count;
    }
    free(part.image.bytes);
    if (taken != CUDA_SUCCESS) return taken;
    if (all == NULL) return CUDA_ERROR_OUT_OF_MEMORY;
    *has_ptx = *has_ptx || ptx;
  }
  return CUDA_SUCCESS;
}

/* Goes on with the fat binary that the wrapper points to. */
static CUresult take_wrapped(struct reading *from) {
  uint32_t version;
  uint64_t inner = 0, parts = 0;
  if (!take(from, WRAPPER_HEAD)) return broken(from, "its wrapper ends too early");
  memcpy(&version, from->image.bytes + 4, sizeof version);
  memcpy(&inner, from->image.bytes + 8, sizeof(void *));
  if (version == LINKED && take(from, WRAPPER_HEAD + sizeof(void *)))
    memcpy(&parts, from->image.bytes + WRAPPER_HEAD, sizeof(void *));
  from->address = inner;
  from->image.count = 0;
  if (!take(from, FAT_HEAD) || !begins_with(&from->image, FAT_MAGIC))
    return broken(from, "its wrapper points to something else");
  bool has_ptx;
  CUresult taken = take_fat(from, &has_ptx);
  if (taken != CUDA_SUCCESS || version != LINKED || has_ptx || parts == 0) return taken;
  return take_parts(from, parts, &has_ptx);
}

static CUresult finish(struct reading *from, CUresult result, struct image *image) {
  if (result == CUDA_SUCCESS)
    *image = from->image;
  else
    free(from->image.bytes);
  return result;
}

CUresult image_at(const void *address, struct image *image) {
  struct reading from = {.in_memory = true, .address = (uint64_t)(uintptr_t)address};
  if (!passage_open(&from.passage)) return CUDA_ERROR_OPERATING_SYSTEM;
  bool has_ptx;
  /* Texts may be shorter. */
  take(&from, FAT_HEAD);
  CUresult result = begins_with(&from.image, WRAPPER_MAGIC) ? take_wrapped(&from) : take_all(&from, &has_ptx);
  passage_close(&from.passage);
  return finish(&from, result, image);
}

static CUresult read_file(const char *path, struct image *image) {
  FILE *file = fopen(path, "rb");
  if (file == NULL) return CUDA_ERROR_FILE_NOT_FOUND;
  size_t room = 1 << 16, count = 0;
  unsigned char *all = malloc(room);
  while (all != NULL) {
    count += fread(all + count, 1, room - count, file);
    if (count < room) break;
    unsigned char *larger = room < MOST ? realloc(all, room *= 2) : NULL;
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
  *image = (struct image){all, count};
  return CUDA_SUCCESS;
}

CUresult image_in(const char *path, struct image *image) {
  struct reading from = {.in_memory = false};
  TRY(read_file(path, &from.image));
  bool has_ptx;
  CUresult result = CUDA_SUCCESS;
  if (begins_with(&from.image, WRAPPER_MAGIC))
    result = broken(&from, "a file holds the wrapper of one, which points to it in some program's memory");
  else if (begins_with(&from.image, FAT_MAGIC))
    result = take_fat(&from, &has_ptx);
  /* The worker reads what else it is: all of it. */
  return finish(&from, result, image);
}
