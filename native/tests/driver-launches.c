/* Modules, functions and launches by way of the driver API. */
#include "driver-check.h"
#include "driver-kernels.h"

static void run_vector_add(void) {
  enum { N = 1000, BYTES = 4 * N };
  static float a[N], b[N], c[N];
  begin();
  for (int i = 0; i < N; i++) a[i] = (float)i, b[i] = 0.5f * (float)i;
  CUdeviceptr da = device_copy(a, BYTES), db = device_copy(b, BYTES), dc = device_copy(c, BYTES);
  CUfunction function = kernel_of(vector_add, "vector_add");
  unsigned n = N - 8;
  void *parameters[] = {&dc, &da, &db, &n};
  for (int i = 0; i < 3; i++) WORKS(cuLaunchKernel(function, 8, 1, 1, 128, 1, 1, 0, NULL, parameters, NULL));
  WORKS(cuCtxSynchronize());
  WORKS(cuMemcpyDtoH_v2(c, dc, BYTES));
  for (int i = 0; i < N; i++) CHECK(c[i] == (i < N - 8 ? 1.5f * (float)i : 0));
}

CUresult cuFuncSetBlockShape(CUfunction, int, int, int), cuFuncSetSharedSize(CUfunction, unsigned), cuParamSetSize(CUfunction, unsigned),
    cuParamSeti(CUfunction, int, unsigned), cuParamSetv(CUfunction, int, void *, unsigned), cuLaunchGrid(CUfunction, int, int),
    cuCtxAttach(CUcontext *, unsigned), cuCtxDetach(CUcontext);

/* As programs for CUDA 1 to 3 launch, and share a context. */
static void run_old_launch(void) {
  float a[64], b[64], c[64] = {0};
  begin();
  for (int i = 0; i < 64; i++) a[i] = (float)i, b[i] = 1;
  CUdeviceptr da = device_copy(a, sizeof a), db = device_copy(b, sizeof b), dc = device_copy(c, sizeof c);
  CUfunction function = kernel_of(vector_add, "vector_add");
  WORKS(cuFuncSetBlockShape(function, 16, 1, 1));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuFuncSetBlockShape(function, 0, 1, 1));
  WORKS(cuFuncSetSharedSize(function, 0));
  WORKS(cuParamSetv(function, 0, &dc, 8));
  WORKS(cuParamSetv(function, 8, &da, 8));
  WORKS(cuParamSetv(function, 16, &db, 8));
  WORKS(cuParamSeti(function, 24, 60));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuParamSeti(function, 4349, 60));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuLaunchGrid(function, 4, 1));
  WORKS(cuParamSetSize(function, 28));
  WORKS(cuLaunchGrid(function, 4, 1));
  WORKS(cuMemcpyDtoH_v2(c, dc, sizeof c));
  for (int i = 0; i < 64; i++) CHECK(c[i] == (i < 60 ? (float)i + 1 : 0));
  int registers = 0;
  WORKS(cuFuncGetAttribute(&registers, CU_FUNC_ATTRIBUTE_NUM_REGS, function));
  CHECK(registers > 0);
  CUcontext context;
  WORKS(cuCtxCreate_v2(&context, 0, 0));
  CUcontext same;
  WORKS(cuCtxAttach(&same, 0));
  CHECK(same == context);
  WORKS(cuCtxDetach(context));
  WORKS(cuCtxDetach(context));
  GIVES(CUDA_ERROR_INVALID_CONTEXT, cuCtxDetach(context));
}

static void run_reduction(void) {
  uint32_t from[256], sum = 7, wanted = 0;
  begin();
  for (uint32_t i = 0; i < 256; i++) wanted += from[i] = i * i + 1;
  CUdeviceptr to = device_copy(&sum, 4), data = device_copy(from, sizeof from);
  void *parameters[] = {&to, &data};
  WORKS(launch_one(kernel_of(reduction, "reduction"), 256, parameters));
  WORKS(cuMemcpyDtoH_v2(&sum, to, 4));
  CHECK(sum == wanted);
}

struct node {
  uint32_t value;
  uint64_t next;
};

/* A list whose nodes lie on the device, in managed memory and in registered memory of the host. */
static void run_pointers_in_memory(void) {
  static struct node fixed = {10, 0};
  begin();
  WORKS(cuMemHostRegister_v2(&fixed, sizeof fixed, 0));
  GIVES(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED, cuMemHostRegister_v2(&fixed, sizeof fixed, 0));
  CUdeviceptr managed, fixed_there;
  WORKS(cuMemHostGetDevicePointer_v2(&fixed_there, &fixed, 0));
  WORKS(cuMemAllocManaged(&managed, sizeof(struct node), 1));
  struct node *shared = (struct node *)(uintptr_t)managed;
  *shared = (struct node){20, fixed_there};
  struct node local = {30, managed};
  CUdeviceptr first = device_copy(&local, sizeof local);
  CUfunction function = kernel_of(each_node, "each_node");
  void *parameters[] = {&first};
  for (int i = 0; i < 2; i++) WORKS(launch_one(function, 1, parameters));
  WORKS(cuMemcpyDtoH_v2(&local, first, sizeof local));
  CHECK(local.value == 32 && shared->value == 22 && fixed.value == 12);
  WORKS(cuMemHostUnregister(&fixed));
  GIVES(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED, cuMemHostUnregister(&fixed));
  WORKS(launch_one(function, 1, parameters));
  GIVES(CUDA_ERROR_ILLEGAL_ADDRESS, cuCtxSynchronize());
  CHECK(fixed.value == 12);
}

/* The address of a variable in constant memory is plain device memory: a kernel of the client's own may fill it. */
static void run_constants(void) {
  static const char text[] =
      ".version 8.0\n.target sm_80\n.address_size 64\n.const .u32 table[2] = {1, 2};\n"
      ".visible .entry fill(.param .u64 to, .param .u32 value) { .reg .b64 a; .reg .b32 v; ld.param.u64 a, [to];\n"
      "ld.param.u32 v, [value]; st.global.u32 [a+4], v; ret; }\n"
      ".visible .entry sum(.param .u64 to) { .reg .b64 a; .reg .b32 x, y; ld.param.u64 a, [to];\n"
      "ld.const.u32 x, [table]; ld.const.u32 y, [table+4]; add.u32 x, x, y; st.global.u32 [a], x; ret; }\n";
  begin();
  CUmodule module;
  CUfunction fill, sum;
  CUdeviceptr table, again;
  size_t bytes;
  uint32_t value = 40, words[2] = {0, 0}, first = 2;
  WORKS(cuModuleLoadData(&module, text));
  WORKS(cuModuleGetFunction(&fill, module, "fill"));
  WORKS(cuModuleGetFunction(&sum, module, "sum"));
  WORKS(cuModuleGetGlobal_v2(&table, &bytes, module, "table"));
  WORKS(cuModuleGetGlobal_v2(&again, NULL, module, "table"));
  CHECK(bytes == 8 && table == again);
  CUdeviceptr to = device_copy(words, sizeof words);
  void *filled[] = {&table, &value}, *summed[] = {&to};
  WORKS(launch_one(sum, 1, summed));
  WORKS(cuMemcpyDtoH_v2(words, to, 4));
  CHECK(words[0] == 3);
  WORKS(launch_one(fill, 1, filled));
  WORKS(cuMemcpyHtoD_v2(table, &first, 4));
  WORKS(launch_one(sum, 1, summed));
  WORKS(cuMemcpyDtoH_v2(words, to, 4));
  CHECK(words[0] == 42);
  WORKS(cuMemcpyDtoH_v2(words, table, 8));
  CHECK(words[0] == 2 && words[1] == 40);
  WORKS(cuModuleUnload(module));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpyDtoH_v2(words, table, 8));
}

#define LINK_HEAD ".version 8.0\n.target sm_80\n.address_size 64\n"

/* Two texts that need each other, the third of which is missing at first. */
static void run_link(void) {
  static char caller[] = LINK_HEAD ".extern .func (.param .b32 r) twice (.param .b32 a);\n.extern .global .u32 seen;\n"
      ".global .u32 own = 5;\n.visible .entry k(.param .u64 to) { .reg .b64 a; .reg .b32 v, w; .param .b32 p, q;\n"
      "ld.param.u64 a, [to]; ld.global.u32 v, [own]; st.param.b32 [p], v; call (q), twice, (p); ld.param.b32 v, [q];\n"
      "ld.global.u32 w, [seen]; add.u32 v, v, w; st.global.u32 [a], v; ret; }\n";
  static char callee[] = LINK_HEAD ".visible .global .u32 seen = 7;\n.global .u32 own = 100;\n"
      ".visible .func (.param .b32 r) twice (.param .b32 a) { .reg .b32 v, w; ld.param.b32 v, [a]; ld.global.u32 w, [own];\n"
      "add.u32 v, v, v; add.u32 v, v, w; st.param.b32 [r], v; ret; }\n";
  begin();
  CUlinkState state;
  char log[1000];
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void *values[] = {log, (void *)sizeof log}, *image;
  size_t size;
  WORKS(cuLinkCreate_v2(2, options, values, &state));
  WORKS(cuLinkAddData_v2(state, 1, caller, sizeof caller, "caller.ptx", 0, NULL, NULL));
  GIVES(CUDA_ERROR_INVALID_PTX, cuLinkComplete(state, &image, &size));
  CHECK(strstr(log, "twice is defined in no module") != NULL && strstr(log, "caller.ptx") != NULL);
  WORKS(cuLinkAddData_v2(state, 1, callee, sizeof callee, "callee.ptx", 0, NULL, NULL));
  WORKS(cuLinkComplete(state, &image, &size));
  CHECK(size == strlen(image) + 1);
  CUmodule module;
  WORKS(cuModuleLoadData(&module, image));
  WORKS(cuLinkDestroy(state));
  GIVES(CUDA_ERROR_INVALID_HANDLE, cuLinkDestroy(state));
  CUfunction function;
  WORKS(cuModuleGetFunction(&function, module, "k"));
  uint32_t word = 0;
  CUdeviceptr to = device_copy(&word, 4);
  void *parameters[] = {&to};
  WORKS(launch_one(function, 1, parameters));
  WORKS(cuMemcpyDtoH_v2(&word, to, 4));
  CHECK(word == 117);
  WORKS(cuLinkCreate_v2(0, NULL, NULL, &state));
  GIVES(CUDA_ERROR_FILE_NOT_FOUND, cuLinkAddFile_v2(state, 1, "/nowhere/k.ptx", 0, NULL, NULL));
}

static void run_modules(void) {
  begin();
  CUmodule module;
  CUfunction forward, second;
  CUdeviceptr step;
  size_t bytes, offset;
  unsigned count;
  WORKS(cuModuleLoadData(&module, stepping));
  WORKS(cuModuleGetFunctionCount(&count, module));
  CUfunction all[2];
  WORKS(cuModuleEnumerateFunctions(all, 2, module));
  WORKS(cuModuleGetFunction(&forward, module, "forward"));
  WORKS(cuModuleGetFunction(&second, module, "second"));
  CHECK(count == 2 && all[0] == forward && all[1] == second);
  const char *name;
  WORKS(cuFuncGetName(&name, second));
  CHECK(strcmp(name, "second") == 0);
  const size_t layout[3][2] = {{0, 1}, {8, 8}, {16, 12}};
  for (size_t i = 0; i < 3; i++) {
    WORKS(cuFuncGetParamInfo(second, i, &offset, &bytes));
    CHECK(offset == layout[i][0] && bytes == layout[i][1]);
  }
  GIVES(CUDA_ERROR_INVALID_VALUE, cuFuncGetParamInfo(second, 3, &offset, &bytes));
  GIVES(CUDA_ERROR_NOT_FOUND, cuModuleGetFunction(&forward, module, "forwards"));
  WORKS(cuModuleGetGlobal_v2(&step, &bytes, module, "step"));
  CHECK(bytes == 4);
  WORKS(cuMemsetD32_v2(step, 7, 1));
  WORKS(cuModuleGetGlobal_v2(NULL, &bytes, module, "seen"));
  CHECK(bytes == 16);
  GIVES(CUDA_ERROR_NOT_FOUND, cuModuleGetGlobal_v2(&step, &bytes, module, "steps"));
  uint32_t words[4] = {1, 2, 3, 4};
  CUdeviceptr data = device_copy(words, sizeof words);
  void *parameters[] = {&data};
  WORKS(launch_one(forward, 4, parameters));
  WORKS(cuMemcpyDtoH_v2(words, data, sizeof words));
  for (uint32_t i = 0; i < 4; i++) CHECK(words[i] == 8 + i);
  WORKS(cuModuleUnload(module));
  GIVES(CUDA_ERROR_INVALID_HANDLE, cuModuleUnload(module));
  GIVES(CUDA_ERROR_INVALID_HANDLE, launch_one(forward, 4, parameters));
}

static void run_libraries(void) {
  CUlibrary library, its;
  CUkernel kernel;
  CUfunction function;
  CUcontext context;
  unsigned count;
  WORKS(cuInit(0));
  WORKS(cuLibraryLoadData(&library, stepping, NULL, NULL, 0, NULL, NULL, 0));
  WORKS(cuLibraryGetKernelCount(&count, library));
  CHECK(count == 2);
  WORKS(cuLibraryGetKernel(&kernel, library, "forward"));
  WORKS(cuKernelGetLibrary(&its, kernel));
  CHECK(its == library);
  WORKS(cuDevicePrimaryCtxRetain(&context, 0));
  WORKS(cuCtxSetCurrent(context));
  WORKS(cuKernelGetFunction(&function, kernel));
  uint32_t word = 1;
  CUdeviceptr data = device_copy(&word, 4);
  void *parameters[] = {&data};
  WORKS(launch_one(function, 1, parameters));
  WORKS(launch_one((CUfunction)(void *)kernel, 1, parameters));
  WORKS(cuMemcpyDtoH_v2(&word, data, 4));
  CHECK(word == 11);
  int threads;
  WORKS(cuKernelGetAttribute(&threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, kernel, 0));
  CHECK(threads == 1024);
  WORKS(cuLibraryUnload(library));
  GIVES(CUDA_ERROR_INVALID_HANDLE, cuLibraryGetKernel(&kernel, library, "forward"));
}

/* Parameters in one piece, and dynamic shared memory. */
static void run_extra(void) {
  begin();
  CUfunction function = kernel_of(dynamic, "dynamic");
  struct {
    CUdeviceptr to;
    uint32_t from[4];
  } block = {0, {9, 8, 7, 6}};
  uint32_t words[4] = {0};
  block.to = device_copy(words, sizeof words);
  size_t bytes = sizeof block;
  void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &block, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes, CU_LAUNCH_PARAM_END};
  WORKS(cuLaunchKernel(function, 1, 1, 1, 4, 1, 1, 16, NULL, NULL, extra));
  WORKS(cuMemcpyDtoH_v2(words, block.to, sizeof words));
  CHECK(memcmp(words, block.from, sizeof words) == 0);
  bytes = 8;
  GIVES(CUDA_ERROR_INVALID_VALUE, cuLaunchKernel(function, 1, 1, 1, 4, 1, 1, 16, NULL, NULL, extra));
  /* More than 48 KiB must be asked for first. */
  bytes = sizeof block;
  GIVES(CUDA_ERROR_INVALID_VALUE, cuLaunchKernel(function, 1, 1, 1, 4, 1, 1, 60000, NULL, NULL, extra));
  WORKS(cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 60000));
  WORKS(cuLaunchKernel(function, 1, 1, 1, 4, 1, 1, 60000, NULL, NULL, extra));
  GIVES(CUDA_ERROR_INVALID_VALUE,
        cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1 << 20));
  WORKS(cuCtxSynchronize());
}

static void run_clusters(void) {
  begin();
  CUfunction function = kernel_of(clustered, "clustered");
  uint32_t words[8] = {0};
  CUdeviceptr to = device_copy(words, sizeof words);
  void *parameters[] = {&to};
  CUlaunchAttribute attributes[2] = {{.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION}, {.id = CU_LAUNCH_ATTRIBUTE_IGNORE}};
  attributes[0].value.clusterDim.x = 2, attributes[0].value.clusterDim.y = attributes[0].value.clusterDim.z = 1;
  CUlaunchConfig config = {4, 1, 1, 1, 1, 1, 0, NULL, attributes, 2};
  WORKS(cuLaunchKernelEx(&config, function, parameters, NULL));
  WORKS(cuMemcpyDtoH_v2(words, to, sizeof words));
  for (uint32_t i = 0; i < 4; i++) CHECK(words[2 * i] == i % 2 && words[2 * i + 1] == 2);
  config.gridDimX = 3;
  GIVES(CUDA_ERROR_INVALID_CLUSTER_SIZE, cuLaunchKernelEx(&config, function, parameters, NULL));
  attributes[0].id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
  attributes[0].value.cooperative = 1;
  WORKS(cuLaunchKernelEx(&config, function, parameters, NULL));
  WORKS(cuLaunchCooperativeKernel(function, 2, 1, 1, 1, 1, 1, 0, NULL, parameters));
  WORKS(cuCtxSynchronize());
}

static void run_occupancy(void) {
  begin();
  CUfunction function = kernel_of(reduction, "reduction");
  int blocks, grid, block, shared;
  size_t room;
  WORKS(cuFuncGetAttribute(&shared, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, function));
  CHECK(shared == 1024);
  WORKS(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, 256, 0));
  CHECK(blocks == 8);
  WORKS(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, 256, 100 * 1024));
  CHECK(blocks == 2);
  WORKS(cuOccupancyMaxPotentialBlockSize(&grid, &block, function, NULL, 0, 512));
  CHECK(block == 512 && grid == 4 * 16);
  WORKS(cuOccupancyAvailableDynamicSMemPerBlock(&room, function, 2, 256));
  CHECK(room == 228 * 1024 / 2 - 1024 - 1024);
}

/* As nvcc makes them: FATBIN names a file. In a program, a structure that points to one stands for it. */
static void run_fat_binaries(void) {
  static unsigned char bytes[4096];
  begin();
  const char *path = getenv("FATBIN");
  CHECK(path != NULL);
  FILE *file = fopen(path, "rb");
  CHECK(file != NULL && fread(bytes, 1, sizeof bytes, file) > 64);
  fclose(file);
  struct {
    uint32_t magic, version;
    const void *data;
    void *unused;
  } wrapper = {0x466243b1, 1, bytes, NULL};
  CUmodule modules[3];
  WORKS(cuModuleLoad(&modules[0], path));
  WORKS(cuModuleLoadFatBinary(&modules[1], bytes));
  WORKS(cuModuleLoadData(&modules[2], &wrapper));
  for (int i = 0; i < 3; i++) {
    CUfunction function;
    float numbers[5] = {1, 2, 3, 4, 5};
    int n = 4;
    WORKS(cuModuleGetFunction(&function, modules[i], "twice"));
    CUdeviceptr data = device_copy(numbers, sizeof numbers);
    void *parameters[] = {&data, &n};
    WORKS(launch_one(function, 32, parameters));
    WORKS(cuMemcpyDtoH_v2(numbers, data, sizeof numbers));
    CHECK(numbers[0] == 2 && numbers[3] == 8 && numbers[4] == 5);
  }
  wrapper.data = &wrapper;
  GIVES(CUDA_ERROR_INVALID_IMAGE, cuModuleLoadData(&modules[0], &wrapper));
  /* Machine code alone is of no use. */
  uint64_t all, size;
  memcpy(&all, bytes + 8, sizeof all);
  for (uint64_t at = 16; at < 16 + all; at += 80 + size) {
    bytes[at] = 2;
    memcpy(&size, bytes + at + 8, sizeof size);
  }
  GIVES(CUDA_ERROR_NO_BINARY_FOR_GPU, cuModuleLoadData(&modules[0], bytes));
}

/* A file with device code (CUBIN), from its path and, as far as an ELF file says how long it is, from memory. */
static void run_cubins(void) {
  static unsigned char bytes[1 << 16];
  begin();
  const char *path = getenv("CUBIN");
  CHECK(path != NULL);
  FILE *file = fopen(path, "rb");
  CHECK(file != NULL && fread(bytes, 1, sizeof bytes, file) > 64);
  fclose(file);
  CUmodule modules[2];
  WORKS(cuModuleLoad(&modules[0], path));
  WORKS(cuModuleLoadData(&modules[1], bytes));
  for (int i = 0; i < 2; i++) {
    CUfunction function;
    float numbers[4] = {1, 2, 3, 4};
    WORKS(cuModuleGetFunction(&function, modules[i], "_Z5scalePf"));
    CUdeviceptr data = device_copy(numbers, sizeof numbers);
    void *parameters[] = {&data};
    WORKS(launch_one(function, 4, parameters));
    WORKS(cuMemcpyDtoH_v2(numbers, data, sizeof numbers));
    CHECK(numbers[0] == 1.5 && numbers[1] == 5 && numbers[2] == 4.5 && numbers[3] == 10);
  }
}

/* Prints the map, and what it gives for a swizzle that its box is too wide for. */
static void print_map(const CUtensorMap *map) {
  for (int i = 0; i < 16; i++) printf("%016llx", (unsigned long long)map->opaque[i]);
  printf("\n");
}

static void run_tensor_maps(void) {
  begin();
  CUtensorMap map;
  uint64_t dimensions[4] = {64, 32, 16, 8}, strides[3] = {256, 8192, 131072};
  uint32_t box[2] = {16, 8}, steps[4] = {1, 1, 2, 1};
  int lower[2] = {-1, -2}, upper[2] = {1, 2};
  void *address = (void *)0x4f0000001000, *other = (void *)0x4f0000002000;
  WORKS(cuTensorMapEncodeTiled(&map, 7, 2, address, dimensions, strides, box, steps, 0, 2, 1, 1));
  print_map(&map);
  WORKS(cuTensorMapEncodeIm2col(&map, 7, 4, address, dimensions, strides, lower, upper, 32, 100, steps, 0, 3, 0, 0));
  print_map(&map);
  WORKS(cuTensorMapReplaceAddress(&map, other));
  print_map(&map);
  GIVES(CUDA_ERROR_INVALID_VALUE, cuTensorMapReplaceAddress(&map, (void *)0x4f0000002008));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuTensorMapReplaceAddress(NULL, other));
  WORKS(cuTensorMapEncodeIm2colWide(&map, 7, 4, address, dimensions, strides, -3, 3, 16, 64, steps, 0, 0, 2, 0, 0));
  print_map(&map);
  GIVES(CUDA_ERROR_INVALID_VALUE,
        cuTensorMapEncodeIm2col(&map, 7, 4, address, dimensions, strides, lower, upper, 3, 100, steps, 0, 3, 0, 0));
  GIVES(CUDA_ERROR_INVALID_VALUE,
        cuTensorMapEncodeIm2col(&map, 7, 2, address, dimensions, strides, lower, upper, 32, 100, steps, 0, 3, 0, 0));
  box[0] = 32;
  GIVES(CUDA_ERROR_INVALID_VALUE, cuTensorMapEncodeTiled(&map, 7, 2, address, dimensions, strides, box, steps, 0, 2, 1, 1));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuTensorMapEncodeTiled(&map, 99, 2, address, dimensions, strides, box, steps, 0, 0, 0, 0));
  for (unsigned rank = 0; rank <= 6; rank += 6)
    GIVES(CUDA_ERROR_INVALID_VALUE, cuTensorMapEncodeTiled(&map, 7, rank, address, dimensions, strides, box, steps, 0, 0, 0, 0));
  memset(&map, 0, sizeof map);
  GIVES(CUDA_ERROR_INVALID_VALUE, cuTensorMapReplaceAddress(&map, other));
}

int main(int argc, char **argv) {
  static const struct part_of_test parts[] = {
      {"vector_add", run_vector_add}, {"old_launch", run_old_launch}, {"reduction", run_reduction}, {"pointers_in_memory", run_pointers_in_memory},
      {"constants", run_constants}, {"link", run_link}, {"modules", run_modules},       {"libraries", run_libraries}, {"extra", run_extra},
      {"clusters", run_clusters},     {"occupancy", run_occupancy}, {"fat_binaries", run_fat_binaries},
      {"tensor_maps", run_tensor_maps}, {"cubins", run_cubins},
  };
  return run_part(parts, COUNT(parts), argc, argv);
}
