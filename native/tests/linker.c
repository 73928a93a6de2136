/* nvJitLink, as clients look it up: two texts become one that runs, and what is wrong is in the log. */
#include <dlfcn.h>
#include <stdint.h>
#include <string.h>

#include "check.h"
#include "driver.h"

#define HEAD ".version 8.0\n.target sm_80\n.address_size 64\n"
static const char twice[] = HEAD ".visible .func (.param .b32 r) twice(.param .b32 x) {\n.reg .b32 %r; ld.param.u32 %r, [x];"
                                 "add.u32 %r, %r, %r; st.param.b32 [r], %r; ret; }\n";
static const char kernel[] = HEAD
    ".extern .func (.param .b32 r) twice(.param .b32 x);\n.visible .entry k(.param .u64 out) {\n.reg .b64 %d; .reg .b32 %r;\n"
    "{ .param .b32 a; .param .b32 b; st.param.b32 [a], 21; call (b), twice, (a); ld.param.b32 %r, [b]; }\n"
    "ld.param.u64 %d, [out]; st.global.u32 [%d], %r; ret; }\n";

static void find(void *library, const char *name, void *function) {
  void *found = dlsym(library, name);
  CHECK(found != NULL);
  memcpy(function, &found, sizeof found);
}

/* A function of the library as a local variable. */
#define FIND(name, ...)      \
  int (*name)(__VA_ARGS__);  \
  find(library, "nvJitLink" #name, &name)

int main(int argc, char **argv) {
  CHECK(argc == 2);
  void *library = dlopen(argv[1], RTLD_NOW);
  CHECK(library != NULL);
  FIND(Create, void **, uint32_t, const char **);
  FIND(Destroy, void **);
  FIND(AddData, void *, int, const void *, size_t, const char *);
  FIND(Complete, void *);
  FIND(GetLinkedCubinSize, void *, size_t *);
  FIND(GetLinkedCubin, void *, void *);
  FIND(GetErrorLog, void *, char *);
  void *named;
  find(library, strstr(argv[1], ".12") ? "__nvJitLinkCreate_12_9" : "__nvJitLinkCreate_13_0", &named);
  CHECK(memcmp(&named, &Create, sizeof named) == 0);

  void *link;
  char log[20000];
  CHECK(Create(&link, 1, (const char *[]){"-O3"}) == 2 && link != NULL);
  CHECK(Destroy(&link) == 0 && link == NULL);
  CHECK(Create(&link, 2, (const char *[]){"-arch=sm_80", "-bogus"}) == 1);
  CHECK(GetErrorLog(link, log) == 0 && strstr(log, "-bogus") != NULL);
  CHECK(Destroy(&link) == 0);

  CHECK(Create(&link, 2, (const char *[]){"-arch=sm_80", "-lineinfo"}) == 0);
  CHECK(AddData(link, 3, kernel, sizeof kernel, "ir") == 5);
  CHECK(AddData(link, 2, kernel, sizeof kernel, "kernel.ptx") == 0);
  CHECK(Complete(link) == 4);
  CHECK(GetErrorLog(link, log) == 0 && strstr(log, "PTX2260") != NULL && strstr(log, "twice") != NULL);
  CHECK(AddData(link, 2, twice, sizeof twice, "twice.ptx") == 0);
  CHECK(Complete(link) == 0);
  size_t size = 0;
  CHECK(GetLinkedCubinSize(link, &size) == 0 && size > 100 && size < sizeof log);
  CHECK(GetLinkedCubin(link, log) == 0);
  CHECK(Destroy(&link) == 0);

  CUcontext context;
  CUmodule module;
  CUfunction function;
  CUdeviceptr out;
  unsigned result = 0;
  CHECK(cuInit(0) == CUDA_SUCCESS && cuCtxCreate_v2(&context, 0, 0) == CUDA_SUCCESS);
  CHECK(cuModuleLoadData(&module, log) == CUDA_SUCCESS);
  CHECK(cuModuleGetFunction(&function, module, "k") == CUDA_SUCCESS);
  CHECK(cuMemAlloc_v2(&out, 4) == CUDA_SUCCESS);
  CHECK(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, (void *[]){&out}, NULL) == CUDA_SUCCESS);
  CHECK(cuMemcpyDtoH_v2(&result, out, 4) == CUDA_SUCCESS && result == 42);
  puts("linked");
  return 0;
}
