#include "registry.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "runtime.h"

struct binary {
  const void *image;
  struct binary *next;
  struct entry *entries;
  CUlibrary library;
  /* Why it cannot be loaded; that is found out once. */
  CUresult refused;
};

static struct binary *binaries;

/* Entries by their address; a power of two, at most half full. */
static struct entry **table;
static size_t room, filled;

static size_t slot_of(const void *key) { return (size_t)(((uintptr_t)key >> 4) * 0x9e3779b97f4a7c15ull >> 20) & (room - 1); }

static void put(struct entry *entry) {
  size_t slot = slot_of(entry->key);
  while (table[slot] != NULL && table[slot]->key != entry->key) slot = (slot + 1) & (room - 1);
  if (table[slot] == NULL) filled++;
  table[slot] = entry;
}

/* Builds the table anew of all entries that there are. */
static bool rebuild(size_t wanted) {
  struct entry **made = calloc(wanted, sizeof *made);
  if (made == NULL) return false;
  free(table);
  table = made;
  room = wanted;
  filled = 0;
  for (struct binary *binary = binaries; binary != NULL; binary = binary->next)
    for (struct entry *entry = binary->entries; entry != NULL; entry = entry->next_of_binary) put(entry);
  return true;
}

static struct entry *look_up(const void *key) {
  if (room == 0) return NULL;
  size_t slot = slot_of(key);
  while (table[slot] != NULL && table[slot]->key != key) slot = (slot + 1) & (room - 1);
  return table[slot];
}

static struct entry *entry_add(struct binary *binary, enum entry_kind kind, const void *key, const char *name) {
  struct entry *entry = calloc(1, sizeof *entry);
  if (entry == NULL) return NULL;
  *entry = (struct entry){.kind = kind, .key = key, .name = name, .binary = binary, .next_of_binary = binary->entries};
  binary->entries = entry;
  if (2 * (filled + 1) > room)
    rebuild(room == 0 ? 64 : 2 * room);
  else
    put(entry);
  return entry;
}

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

/* Managed variables are copied in a stream of their own, whatever the program captures. */
static CUstream aside;

static CUresult copy_out(struct entry *variable) {
  if (aside == NULL) cuStreamCreate(&aside, 1);
  return cuMemcpyHtoDAsync_v2(variable->address, variable->host, variable->bytes, aside);
}

static CUresult copy_back(struct entry *variable) {
  if (aside == NULL) cuStreamCreate(&aside, 1);
  return cuMemcpyDtoHAsync_v2(variable->host, variable->address, variable->bytes, aside);
}

/* Makes memory for the program's view of a variable whose binary has been loaded, with its value. */
static void managed_begin(struct entry *variable) {
  if (cuLibraryGetGlobal(&variable->address, &variable->bytes, variable->binary->library, variable->name) != CUDA_SUCCESS)
    return;
  variable->host = open_pages(variable->address, variable->bytes);
  if (variable->host == NULL) {
    void *memory = mmap(NULL, variable->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return;
    variable->host = memory;
  }
  copy_back(variable);
  *variable->pointer = variable->host;
}

static void managed_end(struct entry *variable) {
  if (variable->host != NULL && (uintptr_t)variable->host != variable->address) munmap(variable->host, variable->bytes);
  /* Opened pages stay: other variables may lie on them. */
  if (variable->host != NULL) *variable->pointer = NULL;
  variable->host = NULL;
}

static cudaError_t binary_load(struct binary *binary) {
  if (binary->library != NULL) return cudaSuccess;
  if (binary->refused == CUDA_SUCCESS)
    binary->refused = cuLibraryLoadData(&binary->library, binary->image, NULL, NULL, 0, NULL, NULL, 0);
  if (binary->refused != CUDA_SUCCESS) {
    binary->library = NULL;
    return (cudaError_t)binary->refused;
  }
  for (struct entry *entry = binary->entries; entry != NULL; entry = entry->next_of_binary)
    if (entry->kind == MANAGED) managed_begin(entry);
  return cudaSuccess;
}

/* A handle that the driver has given is one as well: cudaLaunchKernel takes what cudaLibraryGetKernel gives. */
static cudaError_t given_kernel(CUfunction *function, const void *handle) {
  CUresult result = cuKernelGetFunction(function, (CUkernel)(uintptr_t)handle);
  return result == CUDA_SUCCESS ? cudaSuccess : cudaErrorInvalidDeviceFunction;
}

cudaError_t find_kernel(CUfunction *function, const void *key) {
  LOCKED;
  struct entry *entry = look_up(key);
  if (entry == NULL) return given_kernel(function, key);
  if (entry->kind != KERNEL) return cudaErrorInvalidDeviceFunction;
  cudaError_t loaded = binary_load(entry->binary);
  if (loaded != cudaSuccess) return loaded;
  if (entry->function == NULL) {
    CUkernel kernel;
    CUresult result = cuLibraryGetKernel(&kernel, entry->binary->library, entry->name);
    if (result == CUDA_ERROR_NOT_FOUND) return cudaErrorInvalidDeviceFunction;
    if (result == CUDA_SUCCESS) result = cuKernelGetFunction(&entry->function, kernel);
    if (result != CUDA_SUCCESS) return (cudaError_t)result;
  }
  *function = entry->function;
  return cudaSuccess;
}

const void *key_of_kernel(CUfunction function) {
  LOCKED;
  for (struct binary *binary = binaries; binary != NULL; binary = binary->next)
    for (struct entry *entry = binary->entries; entry != NULL; entry = entry->next_of_binary)
      if (entry->kind == KERNEL && entry->function == function) return entry->key;
  return NULL;
}

/* By where the program sees it: the symbol of a managed variable is what its pointer points to. */
static struct entry *look_up_managed(const void *host) {
  for (struct binary *binary = binaries; binary != NULL; binary = binary->next)
    for (struct entry *entry = binary->entries; entry != NULL; entry = entry->next_of_binary)
      if (entry->kind == MANAGED && entry->host != NULL && entry->host == host) return entry;
  return NULL;
}

cudaError_t find_variable(struct entry **variable, const void *key) {
  LOCKED;
  struct entry *entry = look_up(key);
  if (entry == NULL) entry = look_up_managed(key);
  if (entry == NULL || (entry->kind != VARIABLE && entry->kind != MANAGED)) return cudaErrorInvalidSymbol;
  cudaError_t loaded = binary_load(entry->binary);
  if (loaded != cudaSuccess) return loaded;
  if (entry->address == 0) {
    CUresult result = cuLibraryGetGlobal(&entry->address, &entry->bytes, entry->binary->library, entry->name);
    if (result != CUDA_SUCCESS) return result == CUDA_ERROR_NOT_FOUND ? cudaErrorInvalidSymbol : (cudaError_t)result;
  }
  *variable = entry;
  return cudaSuccess;
}

cudaError_t find_reference(struct entry **reference, CUmodule *module, const void *key, enum entry_kind kind) {
  LOCKED;
  *reference = look_up(key);
  if (*reference == NULL || (*reference)->kind != kind)
    return kind == TEXTURE ? cudaErrorInvalidTexture : cudaErrorInvalidSurface;
  cudaError_t loaded = binary_load((*reference)->binary);
  return loaded == cudaSuccess ? (cudaError_t)cuLibraryGetModule(module, (*reference)->binary->library) : loaded;
}

/* Calls `each` for every managed variable of the binaries that are loaded. */
static void each_managed(CUresult (*each)(struct entry *variable)) {
  LOCKED;
  for (struct binary *binary = binaries; binary != NULL; binary = binary->next)
    for (struct entry *entry = binary->library == NULL ? NULL : binary->entries; entry != NULL; entry = entry->next_of_binary)
      if (entry->kind == MANAGED && entry->host != NULL) each(entry);
}

void managed_to_device(void) { each_managed(copy_out); }
void managed_to_program(void) { each_managed(copy_back); }

static void unload(struct binary *binary) {
  if (binary->library != NULL) cuLibraryUnload(binary->library);
  binary->library = NULL;
  for (struct entry *entry = binary->entries; entry != NULL; entry = entry->next_of_binary) {
    if (entry->kind == MANAGED) managed_end(entry);
    entry->function = NULL;
    entry->address = 0;
  }
}

void unload_all(void) {
  LOCKED;
  for (struct binary *binary = binaries; binary != NULL; binary = binary->next) unload(binary);
  aside = NULL;
}

/* Constructors of the program call this before `main`: nothing is loaded yet. */
API void **__cudaRegisterFatBinary(void *image) {
  LOCKED;
  struct binary *binary = calloc(1, sizeof *binary);
  if (binary == NULL) return NULL;
  *binary = (struct binary){.image = image, .next = binaries};
  binaries = binary;
  return (void **)binary;
}

API void __cudaRegisterFatBinaryEnd(void **handle) { (void)handle; }

API void __cudaUnregisterFatBinary(void **handle) {
  LOCKED;
  for (struct binary **at = &binaries; *at != NULL; at = &(*at)->next) {
    struct binary *binary = *at;
    if ((void **)binary != handle) continue;
    *at = binary->next;
    unload(binary);
    while (binary->entries != NULL) {
      struct entry *entry = binary->entries;
      binary->entries = entry->next_of_binary;
      free(entry);
    }
    free(binary);
    /* A library that is unloaded may leave its addresses to others. */
    rebuild(room);
    return;
  }
}

API void __cudaRegisterFunction(void **handle, const char *stub, char *device_function, const char *name, int threads,
                                void *thread, void *block, void *block_size, void *grid_size, int *warp_size) {
  (void)device_function, (void)threads, (void)thread, (void)block, (void)block_size, (void)grid_size, (void)warp_size;
  LOCKED;
  if (handle != NULL) entry_add((struct binary *)handle, KERNEL, stub, name);
}

API void __cudaRegisterVar(void **handle, char *shadow, char *device_address, const char *name, int external, size_t bytes,
                           int constant, int global) {
  (void)device_address, (void)external, (void)bytes, (void)constant, (void)global;
  LOCKED;
  if (handle != NULL) entry_add((struct binary *)handle, VARIABLE, shadow, name);
}

/* As the compiler of CUDA 11 does it, the last that has texture and surface references. */
API void __cudaRegisterTexture(void **handle, const struct textureReference *texture, const void **device_address,
                               const char *name, int dimensions, int fraction, int external) {
  (void)device_address, (void)dimensions, (void)external;
  LOCKED;
  struct entry *entry = handle == NULL ? NULL : entry_add((struct binary *)handle, TEXTURE, texture, name);
  if (entry != NULL) entry->fraction = fraction != 0;
}

API void __cudaRegisterSurface(void **handle, const struct surfaceReference *surface, const void **device_address,
                               const char *name, int dimensions, int external) {
  (void)device_address, (void)dimensions, (void)external;
  LOCKED;
  if (handle != NULL) entry_add((struct binary *)handle, SURFACE, surface, name);
}

API void __cudaRegisterManagedVar(void **handle, void **pointer, char *device_address, const char *name, int external,
                                  size_t bytes, int constant, int global) {
  (void)device_address, (void)external, (void)bytes, (void)constant, (void)global;
  LOCKED;
  struct entry *entry = handle == NULL ? NULL : entry_add((struct binary *)handle, MANAGED, pointer, name);
  if (entry != NULL) entry->pointer = pointer;
}

/* Before the program touches a managed variable for the first time. */
API char __cudaInitModule(void **handle) {
  if (handle == NULL || fails(begin()) != cudaSuccess) return 0;
  LOCKED;
  fails(binary_load((struct binary *)handle));
  return 1;
}
