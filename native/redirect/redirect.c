/*
 * Preloaded by `ptxrun exec`: nvcc puts its runtime into the programs that it builds, where no library takes its place. Before
 * such a program begins, the first bytes of each function of that runtime become a jump to the function of the same name in
 * our libcudart. The program's symbol table says where they are; nothing of the runtime itself is known here.
 */
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../report.h"

#if defined(__x86_64__)
/* jmp *0(%rip), and the address. */
static const unsigned char jump[] = {0xff, 0x25, 0, 0, 0, 0};
#elif defined(__aarch64__)
/* ldr x16, #8; br x16; and the address. */
static const unsigned char jump[] = {0x50, 0, 0, 0x58, 0, 0x02, 0x1f, 0xd6};
#endif
#define JUMP_BYTES (sizeof jump + sizeof(void *))

/* A program or a library, as it is on disk and where it has been loaded. */
struct object {
  const unsigned char *bytes;
  size_t count;
  uintptr_t base;
  const char *name;
};

/* A part of the file that a section's header names; NULL where it is not within the file. */
static const void *contents(const struct object *object, const Elf64_Shdr *section) {
  bool within = section->sh_offset <= object->count && section->sh_size <= object->count - section->sh_offset;
  return within ? object->bytes + section->sh_offset : NULL;
}

static const Elf64_Ehdr *header_of(const struct object *object) {
  const Elf64_Ehdr *header = (const void *)object->bytes;
  bool elf = object->count >= sizeof *header && memcmp(header->e_ident, ELFMAG, SELFMAG) == 0 &&
             header->e_ident[EI_CLASS] == ELFCLASS64 && header->e_shentsize == sizeof(Elf64_Shdr) &&
             header->e_shoff % 8 == 0 && header->e_shoff <= object->count &&
             header->e_shnum <= (object->count - header->e_shoff) / sizeof(Elf64_Shdr);
  return elf ? header : NULL;
}

static const Elf64_Shdr *sections_of(const struct object *object) {
  return (const void *)(object->bytes + header_of(object)->e_shoff);
}

/* Symbols, and the names that they point into, which end with a zero. */
struct symbols {
  const Elf64_Sym *all;
  size_t count;
  const char *names;
  size_t name_bytes;
};

static bool symbols_of(const struct object *object, unsigned type, struct symbols *symbols) {
  const Elf64_Shdr *sections = sections_of(object);
  unsigned count = header_of(object)->e_shnum;
  for (unsigned i = 0; i < count; i++) {
    if (sections[i].sh_type != type || sections[i].sh_link >= count) continue;
    const Elf64_Shdr *names = &sections[sections[i].sh_link];
    symbols->all = contents(object, &sections[i]);
    symbols->count = sections[i].sh_size / sizeof *symbols->all;
    symbols->names = contents(object, names);
    symbols->name_bytes = names->sh_size;
    return symbols->all != NULL && sections[i].sh_offset % 8 == 0 && symbols->names != NULL && names->sh_size > 0 &&
           symbols->names[names->sh_size - 1] == 0;
  }
  return false;
}

static const char *name_of(const struct symbols *symbols, const Elf64_Sym *symbol) {
  return symbol->st_name < symbols->name_bytes ? symbols->names + symbol->st_name : "";
}

static const Elf64_Sym *symbol_named(const struct symbols *symbols, const char *name) {
  for (size_t i = 0; i < symbols->count; i++)
    if (strcmp(name_of(symbols, &symbols->all[i]), name) == 0) return &symbols->all[i];
  return NULL;
}

static bool defines(const struct symbols *symbols, const char *name) {
  const Elf64_Sym *symbol = symbol_named(symbols, name);
  return symbol != NULL && symbol->st_shndx != SHN_UNDEF;
}

/* Whether nvcc has built it: it has device code. */
static bool has_device_code(const struct object *object) {
  const Elf64_Ehdr *header = header_of(object);
  const Elf64_Shdr *sections = sections_of(object);
  if (header->e_shstrndx >= header->e_shnum) return false;
  const Elf64_Shdr *table = &sections[header->e_shstrndx];
  const char *names = contents(object, table);
  if (names == NULL || table->sh_size == 0 || names[table->sh_size - 1] != 0) return false;
  for (unsigned i = 0; i < header->e_shnum; i++)
    if (sections[i].sh_name < table->sh_size && strcmp(names + sections[i].sh_name, ".nvFatBinSegment") == 0) return true;
  return false;
}

/* The library for the CUDA that the runtime inside is of: structures differ. Texture references left in 12, and 13 has one
   cudaGetDeviceProperties. */
static void *library_for(const struct symbols *symbols) {
  const char *name = defines(symbols, "cudaBindTexture")              ? "libcudart.so.11.0"
                     : defines(symbols, "cudaGetDeviceProperties_v2") ? "libcudart.so.12"
                                                                      : "libcudart.so.13";
  char path[4096];
  Dl_info self;
  if (dladdr(&jump, &self) == 0) return NULL;
  const char *end = strrchr(self.dli_fname, '/');
  int length = end == NULL ? 0 : (int)(end - self.dli_fname + 1);
  if ((size_t)snprintf(path, sizeof path, "%.*s%s", length, self.dli_fname, name) >= sizeof path) return NULL;
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) say("ptxrun: %s\n", dlerror());
  return library;
}

/* Bytes that a function may be overwritten by: its own, and those up to the next symbol, with which compilers fill lines up. */
static size_t room_of(const struct symbols *symbols, const Elf64_Sym *symbol) {
  size_t room = symbol->st_size;
  if (room >= JUMP_BYTES) return room;
  room = JUMP_BYTES;
  for (size_t i = 0; i < symbols->count; i++) {
    const Elf64_Sym *other = &symbols->all[i];
    if (other->st_shndx == symbol->st_shndx && other->st_value > symbol->st_value && other->st_value - symbol->st_value < room)
      room = other->st_value - symbol->st_value;
  }
  return room;
}

/* Overwrites the beginning of a function; false where the system does not let us. */
static bool redirect(uintptr_t at, const void *to) {
  uintptr_t page = at & ~((uintptr_t)sysconf(_SC_PAGESIZE) - 1);
  size_t bytes = at + JUMP_BYTES - page;
  if (mprotect((void *)page, bytes, PROT_READ | PROT_WRITE) != 0) return false;
  memcpy((void *)at, jump, sizeof jump);
  memcpy((void *)(at + sizeof jump), &to, sizeof to);
  __builtin___clear_cache((char *)at, (char *)at + JUMP_BYTES);
  return mprotect((void *)page, bytes, PROT_READ | PROT_EXEC) == 0;
}

static void redirect_all(const struct object *object, const struct symbols *symbols) {
  void *library = library_for(symbols);
  if (library == NULL) return;
  for (size_t i = 0; i < symbols->count; i++) {
    const Elf64_Sym *symbol = &symbols->all[i];
    const char *name = name_of(symbols, symbol);
    if (ELF64_ST_TYPE(symbol->st_info) != STT_FUNC || symbol->st_shndx == SHN_UNDEF) continue;
    if (strncmp(name, "cuda", 4) != 0 && strncmp(name, "__cuda", 6) != 0) continue;
    /* What has no counterpart is the program's own, as the functions that nvcc writes into it. */
    void *to = dlsym(library, name);
    if (to == NULL) continue;
    if (room_of(symbols, symbol) < JUMP_BYTES || !redirect(object->base + symbol->st_value, to))
      say("ptxrun: %s: %s cannot be replaced; link it with nvcc -cudart shared\n", object->name, name);
  }
}

static void look_at(const struct object *object) {
  struct symbols symbols, dynamic;
  if (header_of(object) == NULL || !has_device_code(object)) return;
  if (symbols_of(object, SHT_SYMTAB, &symbols)) {
    if (defines(&symbols, "__cudaRegisterFatBinary")) redirect_all(object, &symbols);
  } else if (!symbols_of(object, SHT_DYNSYM, &dynamic) || symbol_named(&dynamic, "__cudaRegisterFatBinary") == NULL)
    say("ptxrun: %s has nvcc's runtime inside and no symbols that say where: build it without strip (or -s), or with nvcc -cudart "
        "shared\n", object->name);
}

static int visit(struct dl_phdr_info *info, size_t size, void *unused) {
  (void)size, (void)unused;
  const char *path = *info->dlpi_name == 0 ? "/proc/self/exe" : info->dlpi_name;
  int file = open(path, O_RDONLY | O_CLOEXEC);
  struct stat status;
  if (file < 0) return 0;
  if (fstat(file, &status) == 0 && status.st_size > 0) {
    void *bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    if (bytes != MAP_FAILED) {
      const char *name = *info->dlpi_name == 0 ? "the program" : info->dlpi_name;
      look_at(&(struct object){bytes, (size_t)status.st_size, info->dlpi_addr, name});
      munmap(bytes, (size_t)status.st_size);
    }
  }
  close(file);
  return 0;
}

/* Constructors of what is preloaded run before those of the program, in which it registers its kernels. */
__attribute__((constructor)) static void begin(void) { dl_iterate_phdr(visit, NULL); }
