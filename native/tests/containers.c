/* Loads containers, good and broken, in each way that a program has: none may touch what is not its own. */
#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include "driver-check.h"

#define PAGE ((size_t)4096)
#define FAT "\x50\xed\x55\xba"

/* Where memory ends behind an image; the one before goes. */
static unsigned char *at_the_end(const unsigned char *bytes, size_t count) {
  static unsigned char *before;
  static size_t mapped;
  if (before != NULL) munmap(before, mapped);
  size_t room = (count / PAGE + 1) * PAGE;
  mapped = room;
  before = mmap(NULL, room + PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(before != MAP_FAILED && munmap(before + room, PAGE) == 0);
  memcpy(before + room - count, bytes, count);
  return before + room - count;
}

static bool counts(const char *what, CUresult result, unsigned seed) {
  const char *name = NULL;
  CHECK(cuGetErrorName(result, &name) == CUDA_SUCCESS && name != NULL);
  /* Whatever else comes says that something broke which no image may break. */
  if (result != CUDA_SUCCESS && result != CUDA_ERROR_INVALID_IMAGE && result != CUDA_ERROR_INVALID_PTX &&
      result != CUDA_ERROR_NO_BINARY_FOR_GPU && result != CUDA_ERROR_UNSUPPORTED_PTX_VERSION) {
    printf("seed %u: %s gives %s\n", seed, what, name);
    exit(99);
  }
  return result == CUDA_SUCCESS;
}

static unsigned try_all(const char *path, const unsigned char *bytes, size_t count, unsigned seed) {
  CUmodule module;
  CUlibrary library;
  FILE *file = fopen(path, "wb");
  CHECK(file != NULL && fwrite(bytes, 1, count, file) == count && fclose(file) == 0);
  CUresult of_file = cuModuleLoad(&module, path);
  if (counts("cuModuleLoad", of_file, seed)) WORKS(cuModuleUnload(module));
  CUresult of_library = cuLibraryLoadFromFile(&library, path, NULL, NULL, 0, NULL, NULL, 0);
  if (counts("cuLibraryLoadFromFile", of_library, seed)) WORKS(cuLibraryUnload(library));
  const unsigned char *image = at_the_end(bytes, count);
  CUresult of_memory = cuModuleLoadData(&module, image);
  if (counts("cuModuleLoadData", of_memory, seed)) WORKS(cuModuleUnload(module));
  const struct {
    uint32_t magic, version;
    const void *data, *parts;
  } wrapper = {0x466243b1u, 1 + seed % 2, image, NULL};
  CUresult of_wrapper = cuModuleLoadData(&module, &wrapper);
  if (counts("cuModuleLoadData of a wrapper", of_wrapper, seed)) WORKS(cuModuleUnload(module));
  /* A fat binary says by itself where it ends: it is the same wherever it lies. */
  bool is_fat = count >= 16 && memcmp(bytes, FAT, 4) == 0;
  if (of_file != of_library || (is_fat && of_file != of_memory)) {
    printf("seed %u: %d from a file, %d as a library, %d from memory\n", seed, of_file, of_library, of_memory);
    exit(99);
  }
  return of_file == CUDA_SUCCESS;
}

/* A file of containers: u32 seed, u32 bytes, the bytes; and a file to write each to. */
int main(int argc, char **argv) {
  if (argc < 3) return 2;
  FILE *all = fopen(argv[1], "rb");
  CHECK(all != NULL);
  begin();
  unsigned tried = 0, taken = 0;
  for (uint32_t head[2]; fread(head, sizeof head, 1, all) == 1; tried++) {
    /* Of exactly this size, so that a byte behind it is somebody else's. */
    unsigned char *bytes = malloc(head[1] == 0 ? 1 : head[1]);
    CHECK(bytes != NULL && (head[1] == 0 || fread(bytes, head[1], 1, all) == 1));
    printf("\rseed %u ", (unsigned)head[0]);
    fflush(stdout);
    taken += try_all(argv[2], bytes, head[1], head[0]);
    free(bytes);
  }
  fclose(all);
  WORKS(cuCtxSynchronize());
  at_the_end((const unsigned char *)"", 0);
  printf("\r%u containers, %u of them loaded\n", tried, taken);
  return 0;
}
