#include "shared.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../report.h"
#include "../worker.h"

#define MAGIC 0x6e75727874700001ull

/* A descriptor of the process that made it; the file's number says whether that is still the same. */
struct name {
  uint64_t magic, device, inode, bytes;
  int process, file;
};
_Static_assert(sizeof(struct name) <= NAME_BYTES, "a name fits");

/* At an address of this process, which kernels are told of. The memory has one user more. */
static CUresult map(CUdeviceptr *address, struct physical *physical, uint64_t bytes, CUcontext context) {
  void *memory = mmap(NULL, physical->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, physical->file, 0);
  if (memory == MAP_FAILED) return CUDA_ERROR_MAP_FAILED;
  struct range range = {.address = (uint64_t)(uintptr_t)memory, .bytes = bytes, .kind = SHARED_RANGE, .context = context};
  range.physical = physical;
  if (!range_add(range)) {
    munmap(memory, physical->bytes);
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  worker_announce(range.address, bytes, "shared memory");
  *address = range.address;
  return CUDA_SUCCESS;
}

static CUresult mapped(CUdeviceptr *address, struct physical *physical, uint64_t bytes, CUcontext context) {
  CUresult result = map(address, physical, bytes, context);
  if (result != CUDA_SUCCESS) physical_drop(physical);
  return result;
}

CUresult shared_allocate(CUdeviceptr *address, size_t bytes, CUcontext context) {
  const CUmemAllocationProp properties = {.type = 1, .location = {1, 0}};
  struct physical *physical = physical_new((bytes + GRANULARITY - 1) / GRANULARITY * GRANULARITY, &properties);
  return physical == NULL ? CUDA_ERROR_OUT_OF_MEMORY : mapped(address, physical, bytes, context);
}

void shared_name(void *name, const struct physical *physical, uint64_t bytes) {
  struct stat is = {.st_size = 0};
  fstat(physical->file, &is);
  struct name made = {.magic = MAGIC, .device = is.st_dev, .inode = is.st_ino, .bytes = bytes};
  made.process = getpid(), made.file = physical->file;
  memset(name, 0, NAME_BYTES);
  memcpy(name, &made, sizeof made);
}

bool shared_is_own(const void *name) {
  struct name given;
  memcpy(&given, name, sizeof given);
  return given.magic == MAGIC && given.process == getpid();
}

struct range *range_of_name(const void *name) {
  struct name given;
  struct stat is;
  memcpy(&given, name, sizeof given);
  for (struct range *each = range_next(NULL); each != NULL; each = range_next(each))
    if (each->kind == SHARED_RANGE && each->used == NULL && fstat(each->physical->file, &is) == 0 &&
        is.st_dev == given.device && is.st_ino == given.inode)
      return each;
  return NULL;
}

CUresult shared_open(CUdeviceptr *address, const void *name, CUcontext context) {
  struct name given;
  struct stat is;
  char path[64];
  memcpy(&given, name, sizeof given);
  if (given.magic != MAGIC) return CUDA_ERROR_INVALID_HANDLE;
  snprintf(path, sizeof path, "/proc/%d/fd/%d", given.process, given.file);
  int file = open(path, O_RDWR | O_CLOEXEC);
  if (file < 0 && (errno == EACCES || errno == EPERM))
    say("ptxrun: memory of process %d cannot be opened: it is not of the same user, or keeps its files to itself\n", given.process);
  if (file < 0) return CUDA_ERROR_INVALID_HANDLE;
  bool is_same = fstat(file, &is) == 0 && is.st_dev == given.device && is.st_ino == given.inode;
  struct physical *physical = is_same ? physical_of_file(file) : NULL;
  close(file);
  if (physical == NULL || given.bytes > physical->bytes) {
    if (physical != NULL) physical_drop(physical);
    return CUDA_ERROR_INVALID_HANDLE;
  }
  return mapped(address, physical, given.bytes, context);
}
