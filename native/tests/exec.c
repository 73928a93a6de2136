/* Programs that find `ptx_run`, or the driver, as frameworks do: by the name of the library alone. */
#define DRIVER_NO_LINK
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver.h"

static const char source[] =
    ".version 7.5\n.target sm_35\n.address_size 64\n.file 1 \"twice.cu\"\n"
    ".visible .entry twice(.param .u64 data, .param .u32 n) {\n"
    "  .reg .pred %p; .reg .b32 %r<4>; .reg .b64 %d<3>;\n"
    "  ld.param.u64 %d1, [data]; ld.param.u32 %r1, [n];\n"
    "  mov.u32 %r2, %tid.x; setp.ge.u32 %p, %r2, %r1; @%p exit;\n"
    "  .loc 1 7 3\n"
    "  mul.wide.u32 %d2, %r2, 4; add.s64 %d1, %d1, %d2;\n"
    "  ld.global.u32 %r3, [%d1]; shl.b32 %r3, %r3, 1;\n"
    "  st.global.u32 [%d1], %r3;\n"
    "  exit;\n}\n";

/* A function of a library, by a pointer of whatever type. */
static void find(void *library, const char *name, void *function) {
  void *found = dlsym(library, name);
  if (found == NULL) exit(99);
  memcpy(function, &found, sizeof found);
}

static int with_ptx_run(unsigned n) {
  void *library = dlopen("libgpuocelot.so", RTLD_NOW);
  if (library == NULL) return 98;
  void (*ptx_run)(const char *, int, void *[], int, int, int, int, int, int, int);
  void (*announce)(const void *, size_t, const char *);
  find(library, "ptx_run", &ptx_run);
  find(library, "ptxrun_register", &announce);
  unsigned data[] = {1, 2, 3, 4, 5};
  announce(data, sizeof data, "data");
  /* A number behind 100: off its alignment. */
  void *args[] = {n > 100 ? (char *)data + 2 : (char *)data, (void *)(size_t)n};
  ptx_run(source, 2, args, 32, 1, 1, 1, 1, 1, 0);
  for (int i = 0; i < 5; i++) printf("%u ", data[i]);
  printf("\n");
  return 3;
}

static int with_driver(unsigned n) {
  void *library = dlopen("libcuda.so.1", RTLD_NOW);
  if (library == NULL) return 98;
  CUresult (*init)(unsigned), (*create)(CUcontext *, unsigned, CUdevice), (*load)(CUmodule *, const void *),
      (*get)(CUfunction *, CUmodule, const char *), (*allocate)(CUdeviceptr *, size_t), (*total)(size_t *, CUdevice),
      (*to)(CUdeviceptr, const void *, size_t), (*from)(void *, CUdeviceptr, size_t),
      (*launch)(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, CUstream, void **, void **);
  find(library, "cuInit", &init);
  find(library, "cuCtxCreate_v2", &create);
  find(library, "cuModuleLoadData", &load);
  find(library, "cuModuleGetFunction", &get);
  find(library, "cuMemAlloc_v2", &allocate);
  find(library, "cuDeviceTotalMem_v2", &total);
  find(library, "cuMemcpyHtoD_v2", &to);
  find(library, "cuMemcpyDtoH_v2", &from);
  find(library, "cuLaunchKernel", &launch);
  CUcontext context;
  CUmodule module;
  CUfunction twice;
  CUdeviceptr data;
  size_t bytes;
  unsigned numbers[] = {1, 2, 3, 4, 5};
  if (init(0) || create(&context, 0, 0) || load(&module, source) || get(&twice, module, "twice")) return 97;
  if (total(&bytes, 0) || allocate(&data, sizeof numbers) || to(data, numbers, sizeof numbers)) return 96;
  void *parameters[] = {&data, &n};
  if (launch(twice, 1, 1, 1, 32, 1, 1, 0, NULL, parameters, NULL)) return 95;
  CUresult result = from(numbers, data, sizeof numbers);
  for (int i = 0; i < 5; i++) printf("%u ", numbers[i]);
  printf("of %zu\n", bytes);
  return result == 0 ? 3 : 1;
}

int main(int count, char **words) {
  unsigned n = count > 2 ? (unsigned)atoi(words[2]) : 4;
  return count > 1 && strcmp(words[1], "driver") == 0 ? with_driver(n) : with_ptx_run(n);
}
