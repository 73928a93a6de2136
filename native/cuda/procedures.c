/* Finds functions for programs that are linked with none of them. */
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "../report.h"
#include "driver.h"
#include "state.h"

enum { FOUND, NO_SYMBOL, NO_VERSION };
enum { PER_THREAD_STREAM = 2 };

/* Names whose meaning has changed: the version of CUDA since which the name stands for this function. */
static const struct version {
  const char *name;
  int since;
  const char *symbol;
} versions[] = {
    {"cuCtxCreate", 12050, "cuCtxCreate_v4"},
    {"cuCtxCreate", 11040, "cuCtxCreate_v3"},
    {"cuCtxCreate", 3020, "cuCtxCreate_v2"},
    {"cuCtxGetDevice", 13000, "cuCtxGetDevice_v2"},
    {"cuCtxGetDevice", 2000, "cuCtxGetDevice"},
    {"cuCtxSynchronize", 13000, "cuCtxSynchronize_v2"},
    {"cuCtxSynchronize", 2000, "cuCtxSynchronize"},
    {"cuDeviceGetUuid", 9020, "cuDeviceGetUuid_v2"},
    {"cuDevicePrimaryCtxRelease", 7000, "cuDevicePrimaryCtxRelease_v2"},
    {"cuDevicePrimaryCtxReset", 7000, "cuDevicePrimaryCtxReset_v2"},
    {"cuDevicePrimaryCtxSetFlags", 7000, "cuDevicePrimaryCtxSetFlags_v2"},
    {"cuEventElapsedTime", 2000, "cuEventElapsedTime_v2"},
    {"cuGetProcAddress", 12000, "cuGetProcAddress_v2"},
    {"cuGetProcAddress", 11030, "cuGetProcAddress"},
    {"cuGraphAddDependencies", 12030, "cuGraphAddDependencies_v2"},
    {"cuGraphAddDependencies", 10000, "cuGraphAddDependencies"},
    {"cuGraphAddKernelNode", 12000, "cuGraphAddKernelNode_v2"},
    {"cuGraphAddKernelNode", 10000, "cuGraphAddKernelNode"},
    {"cuGraphAddNode", 12030, "cuGraphAddNode_v2"},
    {"cuGraphAddNode", 12020, "cuGraphAddNode"},
    {"cuGraphExecKernelNodeSetParams", 12000, "cuGraphExecKernelNodeSetParams_v2"},
    {"cuGraphExecKernelNodeSetParams", 10010, "cuGraphExecKernelNodeSetParams"},
    {"cuGraphExecUpdate", 12000, "cuGraphExecUpdate_v2"},
    {"cuGraphExecUpdate", 10020, "cuGraphExecUpdate"},
    {"cuGraphGetEdges", 12030, "cuGraphGetEdges_v2"},
    {"cuGraphGetEdges", 10000, "cuGraphGetEdges"},
    {"cuGraphInstantiate", 12000, "cuGraphInstantiateWithFlags"},
    {"cuGraphInstantiate", 11000, "cuGraphInstantiate_v2"},
    {"cuGraphInstantiate", 10000, "cuGraphInstantiate"},
    {"cuGraphKernelNodeGetParams", 12000, "cuGraphKernelNodeGetParams_v2"},
    {"cuGraphKernelNodeGetParams", 10000, "cuGraphKernelNodeGetParams"},
    {"cuGraphKernelNodeSetParams", 12000, "cuGraphKernelNodeSetParams_v2"},
    {"cuGraphKernelNodeSetParams", 10000, "cuGraphKernelNodeSetParams"},
    {"cuGraphNodeGetDependencies", 12030, "cuGraphNodeGetDependencies_v2"},
    {"cuGraphNodeGetDependencies", 10000, "cuGraphNodeGetDependencies"},
    {"cuGraphNodeGetDependentNodes", 12030, "cuGraphNodeGetDependentNodes_v2"},
    {"cuGraphNodeGetDependentNodes", 10000, "cuGraphNodeGetDependentNodes"},
    {"cuGraphRemoveDependencies", 12030, "cuGraphRemoveDependencies_v2"},
    {"cuGraphRemoveDependencies", 10000, "cuGraphRemoveDependencies"},
    {"cuGraphicsResourceSetMapFlags", 3000, "cuGraphicsResourceSetMapFlags_v2"},
    {"cuLinkAddData", 5050, "cuLinkAddData_v2"},
    {"cuLinkAddFile", 5050, "cuLinkAddFile_v2"},
    {"cuLinkCreate", 5050, "cuLinkCreate_v2"},
    {"cuMemAdvise", 12020, "cuMemAdvise_v2"},
    {"cuMemAdvise", 8000, "cuMemAdvise"},
    {"cuMemHostRegister", 4000, "cuMemHostRegister_v2"},
    {"cuMemcpy3DBatchAsync", 13000, "cuMemcpy3DBatchAsync_v2"},
    {"cuMemcpy3DBatchAsync", 12080, "cuMemcpy3DBatchAsync"},
    {"cuMemcpyBatchAsync", 13000, "cuMemcpyBatchAsync_v2"},
    {"cuMemcpyBatchAsync", 12080, "cuMemcpyBatchAsync"},
    {"cuMemPrefetchAsync", 12020, "cuMemPrefetchAsync_v2"},
    {"cuMemPrefetchAsync", 8000, "cuMemPrefetchAsync"},
    {"cuStreamBeginCapture", 10010, "cuStreamBeginCapture_v2"},
    {"cuStreamBeginCapture", 10000, "cuStreamBeginCapture"},
    {"cuStreamGetCaptureInfo", 12030, "cuStreamGetCaptureInfo_v3"},
    {"cuStreamGetCaptureInfo", 11030, "cuStreamGetCaptureInfo_v2"},
    {"cuStreamGetCaptureInfo", 10010, "cuStreamGetCaptureInfo"},
    {"cuStreamGetCtx", 12050, "cuStreamGetCtx_v2"},
    {"cuStreamGetCtx", 9020, "cuStreamGetCtx"},
    {"cuStreamUpdateCaptureDependencies", 12030, "cuStreamUpdateCaptureDependencies_v2"},
    {"cuStreamUpdateCaptureDependencies", 11030, "cuStreamUpdateCaptureDependencies"},
    {"cuTexRefSetAddress2D", 3020, "cuTexRefSetAddress2D_v3"},
};
#define COUNT (sizeof versions / sizeof *versions)

/* What this library has under exactly this name. */
static void *own(const char *symbol) {
  Dl_info self, found;
  void *address = strncmp(symbol, "cu", 2) == 0 && dladdr(&versions, &self) != 0 ? dlsym(RTLD_DEFAULT, symbol) : NULL;
  if (address == NULL && strncmp(symbol, "cu", 2) == 0) address = dlvsym(RTLD_DEFAULT, symbol, "LINKED");
  if (address != NULL && dladdr(address, &found) != 0 && found.dli_fbase == self.dli_fbase) return address;
  /* A program that has loaded the library for itself alone. */
  void *library = dlopen(self.dli_fname, RTLD_NOW | RTLD_NOLOAD);
  address = library == NULL ? NULL : dlsym(library, symbol);
  if (library != NULL && address == NULL) address = dlvsym(library, symbol, "LINKED");
  if (library != NULL) dlclose(library);
  return address != NULL && dladdr(address, &found) != 0 && found.dli_fbase == self.dli_fbase ? address : NULL;
}

static void *variant(const char *symbol, bool per_thread) {
  char name[120];
  static const char *const suffixes[] = {"_ptsz", "_ptds"};
  for (int i = 0; per_thread && i < 2; i++) {
    snprintf(name, sizeof name, "%s%s", symbol, suffixes[i]);
    void *found = own(name);
    if (found != NULL) return found;
  }
  return own(symbol);
}

static int find(void **function, const char *name, int wanted, bool per_thread) {
  char second[120];
  bool known = false;
  for (size_t i = 0; i < COUNT; i++) {
    if (strcmp(versions[i].name, name) != 0) continue;
    known = true;
    if (versions[i].since > wanted) continue;
    *function = variant(versions[i].symbol, per_thread);
    return *function == NULL ? NO_SYMBOL : FOUND;
  }
  if (known) return NO_VERSION;
  /* All other second versions are as old as addresses of 64 bits, and their first ones are of no use. */
  snprintf(second, sizeof second, "%s_v2", name);
  *function = variant(second, per_thread);
  if (*function == NULL) *function = variant(name, per_thread);
  return *function == NULL ? NO_SYMBOL : FOUND;
}

API CUresult cuGetProcAddress_v2(const char *symbol, void **function, int version, uint64_t flags, int *status) {
  NEEDS(symbol != NULL && function != NULL && strlen(symbol) < 100 && flags <= 3);
  *function = NULL;
  int found = *symbol == 0 ? NO_SYMBOL : find(function, symbol, version, (flags & PER_THREAD_STREAM) != 0);
  if (status != NULL) *status = found;
  return found == FOUND ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

/* For programs that are compiled for streams of each thread: what asks for no kind of stream means those. */
API CUresult cuGetProcAddress_v2_ptsz(const char *symbol, void **function, int version, uint64_t flags, int *status) {
  return cuGetProcAddress_v2(symbol, function, version, flags == 0 ? PER_THREAD_STREAM : flags, status);
}

API CUresult cuGetProcAddress(const char *symbol, void **function, int version, uint64_t flags) {
  return cuGetProcAddress_v2(symbol, function, version, flags, NULL);
}

/* Tables without names or documentation, by which NVIDIA's own libraries call the driver. */
API CUresult cuGetExportTable(const void **table, const CUuuid *id) {
  static atomic_flag said = ATOMIC_FLAG_INIT;
  NEEDS(table != NULL && id != NULL);
  if (!atomic_flag_test_and_set(&said))
    say("ptxrun: a library of NVIDIA's asks for parts of its driver that are not documented, and will not run without. If that "
        "is its runtime, link the program with nvcc -cudart shared: ptxrun's libcudart then takes its place\n");
  *table = NULL;
  return CUDA_ERROR_NOT_FOUND;
}
