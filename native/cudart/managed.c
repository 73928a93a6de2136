#include "managed.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

/*
 * The driver keeps the process's own memory away from the addresses of the device, by a mapping without rights. Where the
 * variable lies in there, its pages are opened, so that a pointer to it means the same on both sides.
 */
static bool is_kept_free(uintptr_t start, uintptr_t stop) {
  FILE *maps = fopen("/proc/self/maps", "r");
  char line[512], rights[5], name[2];
  uintptr_t from, to;
  bool kept = false;
  while (maps != NULL && fgets(line, sizeof line, maps) != NULL) {
    int fields = sscanf(line, "%" SCNxPTR "-%" SCNxPTR " %4s %*s %*s %*s %1s", &from, &to, rights, name);
    if (fields < 3 || to <= start || from >= stop) continue;
    /* Without a file; a page that another variable has opened is as good. */
    kept = fields == 3 && (rights[0] == '-' || rights[1] == 'w');
    if (!kept || to >= stop) break;
    start = to;
  }
  if (maps != NULL) fclose(maps);
  return kept;
}

static void *open_pages(CUdeviceptr address, size_t bytes) {
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), start = (uintptr_t)address & ~(page - 1);
  uintptr_t stop = ((uintptr_t)address + bytes + page - 1) & ~(page - 1);
  if (!is_kept_free(start, stop)) return NULL;
  return mprotect((void *)start, stop - start, PROT_READ | PROT_WRITE) == 0 ? (void *)(uintptr_t)address : NULL;
}

void managed_begin(struct entry *variable) {
  if (cuLibraryGetGlobal(&variable->address, &variable->bytes, variable->binary->library, variable->name) != CUDA_SUCCESS)
    return;
  variable->host = open_pages(variable->address, variable->bytes);
  if (variable->host == NULL) {
    void *memory = mmap(NULL, variable->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return;
    variable->host = memory;
  }
  cuMemcpyDtoH_v2(variable->host, variable->address, variable->bytes);
  *variable->pointer = variable->host;
}

void managed_end(struct entry *variable) {
  if (variable->host != NULL && (uintptr_t)variable->host != variable->address) munmap(variable->host, variable->bytes);
  /* Opened pages stay: other variables may lie on them. */
  if (variable->host != NULL) *variable->pointer = NULL;
  variable->host = NULL;
}
