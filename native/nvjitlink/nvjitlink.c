/*
 * nvJitLink: links PTX while a program runs, by the driver's cuLink functions. What it calls a cubin is the text of one module, which
 * cuModuleLoadData takes. LTO-IR is another compiler's, and is refused.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../cuda/driver.h"

#define API __attribute__((visibility("default")))

/* Of nvJitLinkResult. */
enum result {
  SUCCESS = 0,
  UNRECOGNIZED_OPTION = 1,
  MISSING_ARCH = 2,
  INVALID_INPUT = 3,
  PTX_COMPILE = 4,
  NVVM_COMPILE = 5,
  INTERNAL = 6
};
/* Of nvJitLinkInputType. */
enum { INPUT_LTOIR = 3 };

#define LOG 16384

struct link {
  CUlinkState state;
  /* The context that it has made current, where none was. */
  CUcontext own;
  void *image;
  size_t bytes;
  /* The driver keeps where these are. */
  CUjit_option option[2];
  void *values[2];
  char log[LOG];
};

static enum result say(struct link *link, enum result result, const char *what, const char *detail) {
  size_t used = strlen(link->log);
  snprintf(link->log + used, sizeof link->log - used, "ptxrun: %s%s\n", what, detail);
  return result;
}

/* The options that it takes; all but the first are about machine code. */
static const char *const options[] = {"arch", "O", "g", "lineinfo", "ftz", "prec-div", "prec-sqrt", "fma", "maxrregcount",
                                      "time", "verbose", "lto", "ptx", "kernels-used", "variables-used", "no-cache",
                                      "optimize-unused-variables", "Xptxas", "Xnvvm", "split-compile", "jump-table-density",
                                      "device-stack-protector", "extra-info"};

static bool is_option(const char *text) {
  while (*text == '-') text++;
  size_t length = strcspn(text, "=0123456789");
  for (size_t i = 0; i < sizeof options / sizeof *options; i++)
    if (strlen(options[i]) == length && strncmp(options[i], text, length) == 0) return true;
  return strncmp(text, "split-compile", 13) == 0;
}

/* A linker of the driver, which wants a context: the primary one where the thread has none. */
static enum result begin(struct link *link) {
  CUcontext current = NULL;
  if (cuInit(0) != CUDA_SUCCESS || cuCtxGetCurrent(&current) != CUDA_SUCCESS) return INTERNAL;
  if (current == NULL && (cuDevicePrimaryCtxRetain(&link->own, 0) != CUDA_SUCCESS || cuCtxPushCurrent_v2(link->own) != CUDA_SUCCESS))
    return INTERNAL;
  link->option[0] = CU_JIT_ERROR_LOG_BUFFER;
  link->option[1] = CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES;
  link->values[0] = link->log;
  link->values[1] = (void *)(uintptr_t)sizeof link->log;
  CUresult made = cuLinkCreate_v2(2, link->option, link->values, &link->state);
  return made == CUDA_SUCCESS ? SUCCESS : INTERNAL;
}

static void end(struct link *link) {
  CUcontext popped;
  if (link->own != NULL) cuCtxPopCurrent_v2(&popped);
}

API enum result nvJitLinkCreate(struct link **handle, uint32_t count, const char **option) {
  if (handle == NULL || (count > 0 && option == NULL)) return INVALID_INPUT;
  struct link *link = *handle = calloc(1, sizeof *link);
  if (link == NULL) return INTERNAL;
  bool arch = false;
  for (uint32_t i = 0; i < count; i++) {
    if (!is_option(option[i])) return say(link, UNRECOGNIZED_OPTION, "unrecognized option ", option[i]);
    arch |= strstr(option[i], "arch=") != NULL;
  }
  if (!arch) return say(link, MISSING_ARCH, "an option -arch=sm_NN is needed", "");
  enum result result = begin(link);
  if (result == SUCCESS) end(link);
  return result == SUCCESS ? result : say(link, result, "the driver cannot begin to link", "");
}

API enum result nvJitLinkDestroy(struct link **handle) {
  if (handle == NULL || *handle == NULL) return INVALID_INPUT;
  if ((*handle)->state != NULL) cuLinkDestroy((*handle)->state);
  if ((*handle)->own != NULL) cuDevicePrimaryCtxRelease_v2(0);
  free(*handle);
  *handle = NULL;
  return SUCCESS;
}

static enum result added(struct link *link, CUresult result, const char *name) {
  return result == CUDA_SUCCESS ? SUCCESS : say(link, INVALID_INPUT, "cannot be read: ", name);
}

API enum result nvJitLinkAddData(struct link *link, int type, const void *data, size_t size, const char *name) {
  if (link == NULL || link->state == NULL || data == NULL) return INVALID_INPUT;
  if (name == NULL) name = "<input>";
  if (type == INPUT_LTOIR) return say(link, NVVM_COMPILE, "LTO-IR is no PTX, which is what is linked here: ", name);
  return added(link, cuLinkAddData_v2(link->state, type, (void *)(uintptr_t)data, size, name, 0, NULL, NULL), name);
}

API enum result nvJitLinkAddFile(struct link *link, int type, const char *path) {
  if (link == NULL || link->state == NULL || path == NULL) return INVALID_INPUT;
  if (type == INPUT_LTOIR) return say(link, NVVM_COMPILE, "LTO-IR is no PTX, which is what is linked here: ", path);
  return added(link, cuLinkAddFile_v2(link->state, type, path, 0, NULL, NULL), path);
}

API enum result nvJitLinkComplete(struct link *link) {
  if (link == NULL || link->state == NULL) return INVALID_INPUT;
  return cuLinkComplete(link->state, &link->image, &link->bytes) == CUDA_SUCCESS ? SUCCESS : PTX_COMPILE;
}

API enum result nvJitLinkGetLinkedCubinSize(struct link *link, size_t *size) {
  if (link == NULL || size == NULL || link->image == NULL) return INVALID_INPUT;
  *size = link->bytes;
  return SUCCESS;
}

API enum result nvJitLinkGetLinkedCubin(struct link *link, void *image) {
  if (link == NULL || image == NULL || link->image == NULL) return INVALID_INPUT;
  memcpy(image, link->image, link->bytes);
  return SUCCESS;
}

API enum result nvJitLinkGetErrorLogSize(struct link *link, size_t *size) {
  if (link == NULL || size == NULL) return INVALID_INPUT;
  *size = strlen(link->log) + 1;
  return SUCCESS;
}

API enum result nvJitLinkGetErrorLog(struct link *link, char *log) {
  if (link == NULL || log == NULL) return INVALID_INPUT;
  strcpy(log, link->log);
  return SUCCESS;
}

/* There is nothing to say where nothing is wrong. */
API enum result nvJitLinkGetInfoLogSize(struct link *link, size_t *size) {
  if (link == NULL || size == NULL) return INVALID_INPUT;
  *size = 1;
  return SUCCESS;
}

API enum result nvJitLinkGetInfoLog(struct link *link, char *log) {
  if (link == NULL || log == NULL) return INVALID_INPUT;
  *log = 0;
  return SUCCESS;
}

API enum result nvJitLinkVersion(unsigned *major, unsigned *minor) {
  if (major == NULL || minor == NULL) return INVALID_INPUT;
  *major = NVJITLINK_MAJOR;
  *minor = NVJITLINK_MINOR;
  return SUCCESS;
}

/* What is linked is PTX, whichever of both is asked for. */
extern __typeof__(nvJitLinkGetLinkedCubinSize) nvJitLinkGetLinkedPtxSize API __attribute__((alias("nvJitLinkGetLinkedCubinSize")));
API enum result nvJitLinkGetLinkedPtx(struct link *link, char *text) { return nvJitLinkGetLinkedCubin(link, text); }

/* Programs are linked with a name for each minor version, and look the plain ones up. */
#define NAMED(function, minor) NAMED_OF(function, NVJITLINK_MAJOR, minor)
#define NAMED_OF(function, major, minor) NAMED_AS(function, major, minor)
#define NAMED_AS(function, major, minor) NAMED_SO(function, __##function##_##major##_##minor)
#define NAMED_SO(function, name) API extern __typeof__(function) name __attribute__((alias(#function)));
#define VERSION(minor)                                                                                                       \
  NAMED(nvJitLinkCreate, minor) NAMED(nvJitLinkDestroy, minor) NAMED(nvJitLinkAddData, minor) NAMED(nvJitLinkAddFile, minor) \
  NAMED(nvJitLinkComplete, minor) NAMED(nvJitLinkGetLinkedCubinSize, minor) NAMED(nvJitLinkGetLinkedCubin, minor)            \
  NAMED(nvJitLinkGetLinkedPtxSize, minor) NAMED(nvJitLinkGetLinkedPtx, minor) NAMED(nvJitLinkGetErrorLogSize, minor)         \
  NAMED(nvJitLinkGetErrorLog, minor) NAMED(nvJitLinkGetInfoLogSize, minor) NAMED(nvJitLinkGetInfoLog, minor)                 \
  NAMED(nvJitLinkVersion, minor)
VERSION(0) VERSION(1) VERSION(2) VERSION(3) VERSION(4)
#if NVJITLINK_MAJOR == 12
VERSION(5) VERSION(6) VERSION(7) VERSION(8) VERSION(9)
#endif
