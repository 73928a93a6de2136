#include "physical.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "driver.h"
#include "target.h"

static size_t used;

static struct physical *of_file(int file, size_t bytes, const CUmemAllocationProp *properties) {
  struct stat is;
  struct physical *made = fstat(file, &is) != 0 ? NULL : object_new(PHYSICAL, sizeof *made, NULL);
  if (made == NULL) {
    close(file);
    return NULL;
  }
  made->inode = is.st_ino;
  made->properties = *properties;
  made->bytes = bytes;
  made->file = file;
  made->count = made->handles = 1;
  return made;
}

struct physical *physical_new(size_t bytes, const CUmemAllocationProp *properties) {
  if (bytes > device_memory() || used > device_memory() - bytes) return NULL;
  int file = memfd_create("ptxrun", MFD_CLOEXEC);
  if (file < 0) return NULL;
  if (ftruncate(file, (off_t)bytes) != 0) {
    close(file);
    return NULL;
  }
  struct physical *made = of_file(file, bytes, properties);
  if (made != NULL) made->is_own = true, used += bytes;
  return made;
}

struct physical *physical_of_file(int file) {
  struct stat is;
  const CUmemAllocationProp properties = {.type = 1, .requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, .location = {1, 0}};
  if (fstat(file, &is) != 0 || !S_ISREG(is.st_mode) || is.st_size <= 0 || (size_t)is.st_size % GRANULARITY != 0) return NULL;
  int own = fcntl(file, F_DUPFD_CLOEXEC, 0);
  return own < 0 ? NULL : of_file(own, (size_t)is.st_size, &properties);
}

void physical_drop(struct physical *physical) {
  if (--physical->count > 0) return;
  if (physical->is_own) used -= physical->bytes;
  close(physical->file);
  object_free(physical);
}

void physical_uncount(struct physical *physical) {
  used -= physical->bytes;
  physical->is_own = false;
}

size_t physical_bytes(void) { return used; }

#define NEEDS_PHYSICAL(physical, handle)                          \
  NEEDS_INIT;                                                     \
  struct physical *physical = (struct physical *)(uintptr_t)handle; \
  NEEDS(object_is(physical, PHYSICAL) && physical->handles > 0)

static CUresult check_properties(const CUmemAllocationProp *properties) {
  NEEDS(properties != NULL && properties->type == 1);
  if (properties->location.type == 1 && properties->location.id != 0) return CUDA_ERROR_INVALID_DEVICE;
  NEEDS(properties->location.type >= 1 && properties->location.type <= 4);
  if ((properties->requestedHandleTypes & ~CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR) != 0) return CUDA_ERROR_NOT_SUPPORTED;
  return CUDA_SUCCESS;
}

API CUresult cuMemGetAllocationGranularity(size_t *granularity, const CUmemAllocationProp *properties, int option) {
  NEEDS_INIT;
  NEEDS(granularity != NULL && (option == 0 || option == 1));
  TRY(check_properties(properties));
  *granularity = GRANULARITY;
  return CUDA_SUCCESS;
}

API CUresult cuMemCreate(CUmemGenericAllocationHandle *handle, size_t bytes, const CUmemAllocationProp *properties,
                         unsigned long long flags) {
  NEEDS_INIT;
  NEEDS(handle != NULL && bytes > 0 && bytes % GRANULARITY == 0 && flags == 0);
  TRY(check_properties(properties));
  struct physical *made = physical_new(bytes, properties);
  if (made == NULL) return CUDA_ERROR_OUT_OF_MEMORY;
  *handle = (uintptr_t)made;
  return CUDA_SUCCESS;
}

API CUresult cuMemRelease(CUmemGenericAllocationHandle handle) {
  NEEDS_PHYSICAL(physical, handle);
  physical->handles--;
  physical_drop(physical);
  return CUDA_SUCCESS;
}

API CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp *properties, CUmemGenericAllocationHandle handle) {
  NEEDS_PHYSICAL(physical, handle);
  NEEDS(properties != NULL);
  *properties = physical->properties;
  return CUDA_SUCCESS;
}

API CUresult cuMemExportToShareableHandle(void *given, CUmemGenericAllocationHandle handle, int type, unsigned long long flags) {
  NEEDS_PHYSICAL(physical, handle);
  NEEDS(given != NULL && flags == 0);
  if (type != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR) return CUDA_ERROR_NOT_SUPPORTED;
  NEEDS((physical->properties.requestedHandleTypes & type) != 0);
  int file = fcntl(physical->file, F_DUPFD_CLOEXEC, 0);
  if (file < 0) return CUDA_ERROR_OPERATING_SYSTEM;
  *(int *)given = file;
  return CUDA_SUCCESS;
}

API CUresult cuMemImportFromShareableHandle(CUmemGenericAllocationHandle *handle, void *given, int type) {
  NEEDS_INIT;
  NEEDS(handle != NULL);
  if (type != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR) return CUDA_ERROR_NOT_SUPPORTED;
  struct physical *made = physical_of_file((int)(intptr_t)given);
  NEEDS(made != NULL);
  *handle = (uintptr_t)made;
  return CUDA_SUCCESS;
}
