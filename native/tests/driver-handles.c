/* What memory, pools, pointers, kernels and libraries are asked for and told, and how many blocks there is room for. */
#include "driver-check.h"
#include "driver-kernels.h"

/* No handle at all. */
#define NOBODY ((void *)(uintptr_t)0x10)

static void run_pools(void) {
  CUmemoryPool pool, again, made;
  CUdeviceptr data = 0;
  int flag = 0, few[2];
  CUmemPoolProps properties = {.allocType = 1, .location = {1, 0}};
  CUmemAccessDesc access = {{1, 0}, 3};
  CUmemLocation device = {1, 0}, host = {2, 0};
  uint64_t large = 0;
  GIVES(CUDA_ERROR_NOT_INITIALIZED, cuDeviceGetDefaultMemPool(&pool, 0));
  CUcontext context = begin();
  (void)context;
  GIVES(CUDA_ERROR_INVALID_VALUE, cuDeviceGetDefaultMemPool(NULL, 0));
  GIVES(CUDA_ERROR_INVALID_DEVICE, cuDeviceGetDefaultMemPool(&pool, 1));
  WORKS(cuDeviceGetDefaultMemPool(&pool, 0));
  WORKS(cuDeviceGetMemPool(&again, 0));
  CHECK(pool == again);
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemPoolDestroy(pool));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemPoolCreate(NULL, &properties));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemPoolCreate(&made, NULL));
  WORKS(cuMemPoolCreate(&made, &properties));
  CHECK(made != pool);
  GIVES(CUDA_ERROR_INVALID_DEVICE, cuDeviceSetMemPool(1, made));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuDeviceSetMemPool(0, NOBODY));
  WORKS(cuDeviceSetMemPool(0, made));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemPoolSetAttribute(NOBODY, 1, &flag));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemPoolGetAttribute(NOBODY, 1, &flag));
  for (int which = 0; which <= 9; which += 9) {
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemPoolSetAttribute(made, which, &large));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemPoolGetAttribute(made, which, &large));
  }
  /* The first three are of 32 bits, those behind them of 64; of what they count, only the most that there was can be set, to 0. */
  for (int which = 1; which <= 8; which++) {
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemPoolSetAttribute(made, which, NULL));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemPoolGetAttribute(made, which, NULL));
    few[0] = few[1] = 7;
    WORKS(cuMemPoolGetAttribute(made, which, few));
    CHECK(which <= 3 ? few[0] == 1 && few[1] == 7 : few[0] == 0 && few[1] == 0);
    large = which <= 3 ? (uint64_t)which : ((uint64_t)which << 40) + 1;
    GIVES(which <= 4 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE, cuMemPoolSetAttribute(made, which, &large));
    few[0] = few[1] = 7;
    WORKS(cuMemPoolGetAttribute(made, which, few));
    CHECK(which <= 3 ? few[0] == which && few[1] == 7 : few[0] == (which == 4) && few[1] == (which == 4 ? 4 << 8 : 0));
  }
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemPoolTrimTo(NOBODY, 0));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemPoolSetAccess(NOBODY, NULL, 0));
  WORKS(cuMemPoolTrimTo(made, 0));
  WORKS(cuMemPoolSetAccess(made, NULL, 0));
  WORKS(cuMemPoolSetAccess(made, &access, 1));
  access.flags = 0;
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemPoolSetAccess(made, &access, 1));
  WORKS(cuMemPoolGetAccess(&flag, made, &device));
  CHECK(flag == 3);
  WORKS(cuMemPoolGetAccess(&flag, made, &host));
  CHECK(flag == 0);
  WORKS(cuMemGetMemPool(&again, &device, 1));
  CHECK(again == made);
  WORKS(cuMemGetDefaultMemPool(&again, &device, 1));
  CHECK(again == pool);
  GIVES(CUDA_ERROR_NOT_SUPPORTED, cuMemGetDefaultMemPool(&again, &host, 1));
  GIVES(CUDA_ERROR_INVALID_HANDLE, cuMemAllocAsync(&data, 64, NOBODY));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemAllocFromPoolAsync(&data, 64, NOBODY, NULL));
  GIVES(CUDA_ERROR_INVALID_HANDLE, cuMemAllocFromPoolAsync(&data, 64, made, NOBODY));
  WORKS(cuMemAllocFromPoolAsync(&data, 64, made, NULL));
  WORKS(cuMemsetD8_v2(data, 1, 64));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemPrefetchAsync(0, 64, 0, NULL));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemPrefetchAsync(data, 0, 0, NULL));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemAdvise(data, 0, 1, 0));
  WORKS(cuMemPrefetchAsync(data, 64, 0, NULL));
  WORKS(cuMemAdvise(data, 64, 1, 0));
  GIVES(CUDA_ERROR_INVALID_HANDLE, cuMemFreeAsync(data, NOBODY));
  /* Reserved and used, now and at most; the pool that is set is the one that memory comes from. */
  CUdeviceptr more;
  WORKS(cuMemAllocAsync(&more, 100, NULL));
  WORKS(cuMemFreeAsync(data, NULL));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemFreeAsync(data, NULL));
  for (int which = 5; which <= 8; which++) {
    WORKS(cuMemPoolGetAttribute(made, which, &large));
    CHECK(large == (which % 2 == 0 ? 164 : 100));
  }
  large = 0;
  WORKS(cuMemPoolSetAttribute(made, 8, &large));
  WORKS(cuMemPoolGetAttribute(made, 8, &large));
  CHECK(large == 100);
  properties.maxSize = 128;
  WORKS(cuMemPoolCreate(&again, &properties));
  GIVES(CUDA_ERROR_OUT_OF_MEMORY, cuMemAllocFromPoolAsync(&data, 129, again, NULL));
  WORKS(cuMemAllocFromPoolAsync(&data, 128, again, NULL));
  GIVES(CUDA_ERROR_OUT_OF_MEMORY, cuMemAllocFromPoolAsync(&data, 1, again, NULL));
  WORKS(cuMemPoolDestroy(again));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemAllocFromPoolAsync(&data, 1, again, NULL));
  WORKS(cuMemFree_v2(data));
  WORKS(cuMemPoolDestroy(made));
  WORKS(cuDeviceGetMemPool(&again, 0));
  CHECK(again == pool);
  WORKS(cuMemFree_v2(more));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemPoolDestroy(made));
}

static void run_hosts(void) {
  CUcontext context = begin();
  void *host, *other;
  unsigned flags = 7;
  CUdeviceptr data, managed, found = 7;
  size_t pitch, free_, total, less;
  (void)context;
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemHostAlloc(NULL, 64, 0));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemHostAlloc(&host, 0, 0));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemHostAlloc(&host, 64, 8));
  WORKS(cuMemHostAlloc(&host, 64, 5));
  WORKS(cuMemAllocHost_v2(&other, 64));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemHostGetFlags(NULL, host));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemHostGetFlags(&flags, &flags));
  WORKS(cuMemHostGetFlags(&flags, host));
  CHECK(flags == 5);
  WORKS(cuMemHostGetFlags(&flags, other));
  CHECK(flags == 0);
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemHostGetDevicePointer_v2(NULL, host, 0));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemHostGetDevicePointer_v2(&found, host, 1));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemHostGetDevicePointer_v2(&found, &flags, 0));
  WORKS(cuMemHostGetDevicePointer_v2(&found, host, 0));
  CHECK(found == (CUdeviceptr)(uintptr_t)host);
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemFreeHost((char *)host + 8));
  WORKS(cuMemFreeHost(host));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemFreeHost(host));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemFree_v2((CUdeviceptr)(uintptr_t)other));
  WORKS(cuMemFreeHost(other));

  static char page[256];
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemHostRegister_v2(NULL, 64, 0));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemHostRegister_v2(page, 0, 0));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemHostRegister_v2(page, 64, 16));
  WORKS(cuMemHostRegister_v2(page + 64, 64, 15));
  GIVES(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED, cuMemHostRegister_v2(page, 65, 0));
  GIVES(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED, cuMemHostRegister_v2(page + 127, 9, 0));
  WORKS(cuMemHostRegister_v2(page, 64, 0));
  WORKS(cuMemHostRegister_v2(page + 128, 64, 0));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemHostGetFlags(&flags, page));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemHostUnregister(page + 65));
  GIVES(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED, cuMemHostUnregister(page + 192));
  for (int i = 0; i < 3; i++) WORKS(cuMemHostUnregister(page + 64 * i));
  GIVES(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED, cuMemHostUnregister(page));

  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemAlloc_v2(NULL, 64));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemAlloc_v2(&data, 0));
  GIVES(CUDA_ERROR_OUT_OF_MEMORY, cuMemAlloc_v2(&data, (size_t)1 << 50));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemAllocManaged(NULL, 64, 1));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemAllocManaged(&managed, 0, 1));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemAllocManaged(&managed, 64, 0));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemAllocManaged(&managed, 64, 3));
  WORKS(cuMemAllocManaged(&managed, 64, 2));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemFreeHost((void *)(uintptr_t)managed));
  GIVES(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED, cuMemHostUnregister((void *)(uintptr_t)managed));
  WORKS(cuMemFree_v2(managed));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemAllocPitch_v2(NULL, &pitch, 64, 2, 4));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemAllocPitch_v2(&data, NULL, 64, 2, 4));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemAllocPitch_v2(&data, &pitch, 0, 2, 4));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemAllocPitch_v2(&data, &pitch, 64, 0, 4));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemAllocPitch_v2(&data, &pitch, 64, 2, 2));
  GIVES(CUDA_ERROR_OUT_OF_MEMORY, cuMemAllocPitch_v2(&data, &pitch, (size_t)1 << 50, 1, 4));
  GIVES(CUDA_ERROR_OUT_OF_MEMORY, cuMemAllocPitch_v2(&data, &pitch, 1, (size_t)1 << 50, 4));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemGetInfo_v2(NULL, &total));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemGetInfo_v2(&free_, NULL));
  WORKS(cuMemGetInfo_v2(&free_, &total));
  for (unsigned element = 4; element <= 16; element *= 2) {
    WORKS(cuMemAllocPitch_v2(&data, &pitch, 513, 3, element));
    CHECK(pitch == 1024);
    WORKS(cuMemsetD8_v2(data + 2 * pitch, 1, pitch));
    WORKS(cuMemGetInfo_v2(&less, &total));
    CHECK(less <= free_ - 3 * pitch && free_ <= total);
    WORKS(cuMemFree_v2(data));
  }
  WORKS(cuMemFree_v2(0));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemFree_v2(data));
  WORKS(cuMemAlloc_v2(&data, 64));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemFree_v2(data + 8));
  unsigned sync = 1;
  GIVES(CUDA_ERROR_INVALID_VALUE, cuPointerSetAttribute(NULL, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, data));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuPointerSetAttribute(&sync, CU_POINTER_ATTRIBUTE_MAPPED, data));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuPointerSetAttribute(&sync, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, 0x10));
  WORKS(cuPointerSetAttribute(&sync, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, data));
}

static void run_functions(void) {
  CUcontext context = begin();
  CUmodule module, its;
  CUfunction function, second, all[4] = {NULL};
  const char *name;
  size_t offset = 7, size = 7;
  int value = 7;
  unsigned count = 7;
  (void)context;
  WORKS(cuModuleLoadData(&module, stepping));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuModuleGetFunction(NULL, module, "forward"));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuModuleGetFunction(&function, module, NULL));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuModuleGetFunction(&function, module, ""));
  GIVES(CUDA_ERROR_INVALID_HANDLE, cuModuleGetFunction(&function, NOBODY, "forward"));
  GIVES(CUDA_ERROR_NOT_FOUND, cuModuleGetFunction(&function, module, "none"));
  WORKS(cuModuleGetFunction(&function, module, "forward"));
  WORKS(cuModuleGetFunction(&second, module, "second"));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuFuncGetModule(NULL, function));
  GIVES(CUDA_ERROR_INVALID_HANDLE, cuFuncGetModule(&its, NOBODY));
  WORKS(cuFuncGetModule(&its, function));
  CHECK(its == module);
  GIVES(CUDA_ERROR_INVALID_VALUE, cuFuncGetName(NULL, function));
  WORKS(cuFuncGetName(&name, second));
  CHECK(strcmp(name, "second") == 0);
  GIVES(CUDA_ERROR_INVALID_VALUE, cuFuncGetParamInfo(second, 0, NULL, &size));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuFuncGetParamInfo(second, 3, &offset, &size));
  /* A byte, a pointer at a multiple of 8, twelve bytes behind it. */
  static const size_t offsets[] = {0, 8, 16}, sizes[] = {1, 8, 12};
  for (int i = 0; i < 3; i++) {
    WORKS(cuFuncGetParamInfo(second, (size_t)i, &offset, &size));
    CHECK(offset == offsets[i] && size == sizes[i]);
    WORKS(cuFuncGetParamInfo(second, (size_t)i, &offset, NULL));
  }
  GIVES(CUDA_ERROR_INVALID_VALUE, cuFuncIsLoaded(NULL, function));
  GIVES(CUDA_ERROR_INVALID_HANDLE, cuFuncIsLoaded(&value, NOBODY));
  WORKS(cuFuncLoad(function));
  WORKS(cuFuncIsLoaded(&value, function));
  CHECK(value == 1);
  WORKS(cuFuncSetCacheConfig(function, 2));
  GIVES(CUDA_ERROR_INVALID_HANDLE, cuFuncSetCacheConfig(NOBODY, 2));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuModuleGetFunctionCount(NULL, module));
  GIVES(CUDA_ERROR_INVALID_HANDLE, cuModuleGetFunctionCount(&count, NOBODY));
  WORKS(cuModuleGetFunctionCount(&count, module));
  CHECK(count == 2);
  GIVES(CUDA_ERROR_INVALID_VALUE, cuModuleEnumerateFunctions(NULL, 2, module));
  WORKS(cuModuleEnumerateFunctions(all, 1, module));
  CHECK((all[0] == function || all[0] == second) && all[1] == NULL);
  WORKS(cuModuleEnumerateFunctions(all, 4, module));
  CHECK(all[0] != all[1] && (all[1] == function || all[1] == second) && all[2] == NULL);

  GIVES(CUDA_ERROR_INVALID_VALUE, cuFuncGetAttribute(NULL, 0, function));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuFuncGetAttribute(&value, (CUfunction_attribute)-1, function));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX, function));
  GIVES(CUDA_ERROR_INVALID_HANDLE, cuFuncGetAttribute(&value, 0, NOBODY));
  static const struct {
    CUfunction_attribute which;
    int first, least, most, fits;
  } attributes[] = {
      /* The carveout is a share of 100, or -1; an sm_90 has 227 KiB of shared memory for a block. */
      {CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 49152, 0, 227 * 1024, 1},
      {CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, -1, -1, 100, 1},
      {CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 0, 0, 1, 0},
  };
  for (int i = 0; i < COUNT(attributes); i++) {
    CUfunction_attribute which = attributes[i].which;
    WORKS(cuFuncGetAttribute(&value, which, function));
    CHECK(value == attributes[i].first);
    if (attributes[i].fits) {
      GIVES(CUDA_ERROR_INVALID_VALUE, cuFuncSetAttribute(function, which, attributes[i].least - 1));
      GIVES(CUDA_ERROR_INVALID_VALUE, cuFuncSetAttribute(function, which, attributes[i].most + 1));
    }
    WORKS(cuFuncSetAttribute(function, which, attributes[i].least));
    WORKS(cuFuncSetAttribute(function, which, attributes[i].most));
    WORKS(cuFuncGetAttribute(&value, which, function));
    CHECK(value == attributes[i].most);
    WORKS(cuFuncGetAttribute(&value, which, second));
    CHECK(value == attributes[i].first);
  }
  WORKS(cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE, 1));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_NUM_REGS, 1));
}

static void run_library(void) {
  CUlibrary library, its;
  CUkernel kernel, all[3] = {NULL};
  CUmodule module;
  CUdeviceptr address = 0;
  const char *name;
  size_t bytes = 0, offset;
  unsigned count = 0;
  int value;
  WORKS(cuInit(0));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuLibraryLoadData(NULL, stepping, NULL, NULL, 0, NULL, NULL, 0));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuLibraryLoadData(&library, NULL, NULL, NULL, 0, NULL, NULL, 0));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuLibraryLoadData(&library, stepping, NULL, NULL, 1, NULL, NULL, 0));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuLibraryLoadFromFile(NULL, "none", NULL, NULL, 0, NULL, NULL, 0));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuLibraryLoadFromFile(&library, NULL, NULL, NULL, 0, NULL, NULL, 0));
  GIVES(CUDA_ERROR_FILE_NOT_FOUND, cuLibraryLoadFromFile(&library, "/none/at/all", NULL, NULL, 0, NULL, NULL, 0));
  WORKS(cuLibraryLoadData(&library, stepping, NULL, NULL, 0, NULL, NULL, 0));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuLibraryGetKernelCount(NULL, library));
  GIVES(CUDA_ERROR_INVALID_HANDLE, cuLibraryGetKernelCount(&count, NOBODY));
  WORKS(cuLibraryGetKernelCount(&count, library));
  CHECK(count == 2);
  GIVES(CUDA_ERROR_INVALID_VALUE, cuLibraryGetKernel(NULL, library, "second"));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuLibraryGetKernel(&kernel, library, NULL));
  GIVES(CUDA_ERROR_INVALID_HANDLE, cuLibraryGetKernel(&kernel, NOBODY, "second"));
  WORKS(cuLibraryGetKernel(&kernel, library, "second"));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuLibraryEnumerateKernels(NULL, 2, library));
  GIVES(CUDA_ERROR_INVALID_HANDLE, cuLibraryEnumerateKernels(all, 2, NOBODY));
  WORKS(cuLibraryEnumerateKernels(all, 3, library));
  CHECK(all[0] != all[1] && (all[0] == kernel || all[1] == kernel) && all[2] == NULL);
  WORKS(cuKernelGetName(&name, kernel));
  CHECK(strcmp(name, "second") == 0);
  WORKS(cuKernelGetParamInfo(kernel, 2, &offset, &bytes));
  CHECK(offset == 16 && bytes == 12);
  GIVES(CUDA_ERROR_INVALID_VALUE, cuKernelGetLibrary(NULL, kernel));
  GIVES(CUDA_ERROR_INVALID_HANDLE, cuKernelGetLibrary(&its, NOBODY));
  WORKS(cuKernelGetLibrary(&its, kernel));
  CHECK(its == library);
  GIVES(CUDA_ERROR_INVALID_CONTEXT, cuLibraryGetModule(&module, library));
  GIVES(CUDA_ERROR_INVALID_CONTEXT, cuLibraryGetGlobal(&address, &bytes, library, "step"));
  begin();
  GIVES(CUDA_ERROR_INVALID_DEVICE, cuKernelSetAttribute(CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, 9, kernel, 1));
  WORKS(cuKernelSetAttribute(CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, 9, kernel, 0));
  GIVES(CUDA_ERROR_INVALID_DEVICE, cuKernelGetAttribute(&value, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, kernel, 1));
  WORKS(cuKernelGetAttribute(&value, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, kernel, 0));
  CHECK(value == 9);
  GIVES(CUDA_ERROR_INVALID_DEVICE, cuKernelSetCacheConfig(kernel, 1, 1));
  WORKS(cuKernelSetCacheConfig(kernel, 1, 0));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuLibraryGetModule(NULL, library));
  GIVES(CUDA_ERROR_INVALID_HANDLE, cuLibraryGetModule(&module, NOBODY));
  WORKS(cuLibraryGetModule(&module, library));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuLibraryGetGlobal(&address, &bytes, library, NULL));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuLibraryGetGlobal(NULL, NULL, library, "seen"));
  GIVES(CUDA_ERROR_INVALID_HANDLE, cuLibraryGetGlobal(&address, &bytes, NOBODY, "seen"));
  GIVES(CUDA_ERROR_NOT_FOUND, cuLibraryGetGlobal(&address, &bytes, library, "none"));
  WORKS(cuLibraryGetGlobal(&address, NULL, library, "seen"));
  WORKS(cuLibraryGetGlobal(NULL, &bytes, library, "seen"));
  CHECK(address != 0 && bytes == 16);
  WORKS(cuLibraryUnload(library));
  GIVES(CUDA_ERROR_INVALID_HANDLE, cuLibraryUnload(library));
  GIVES(CUDA_ERROR_INVALID_HANDLE, cuKernelGetLibrary(&its, kernel));
}

static size_t shared_of(int threads) { return (size_t)threads * 1024; }

/* Of an sm_90: 2048 threads, 32 blocks, 228 KiB of shared memory, of which each block takes 1 KiB for the system. */
static void run_room(void) {
  begin();
  CUfunction function = kernel_of(stepping, "second");
  int blocks = 7, grid = 7, block = 7;
  size_t bytes = 7;
  static const struct {
    int threads;
    size_t dynamic;
    int blocks;
  } rows[] = {{1, 0, 32},       {64, 0, 32},       {65, 0, 21},          {1024, 0, 2},         {1025, 0, 0},
              {32, 6144, 32},   {32, 6400, 31},    {32, 113 * 1024, 2},  {32, 113 * 1024 + 1, 1}, {32, 227 * 1024, 1},
              {32, 227 * 1024 + 1, 0}};
  for (int i = 0; i < COUNT(rows); i++) {
    WORKS(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, rows[i].threads, rows[i].dynamic));
    if (blocks != rows[i].blocks) fprintf(stderr, "row %d: %d blocks\n", i, blocks);
    CHECK(blocks == rows[i].blocks);
  }
  WORKS(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, function, 64, 0, 1));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, function, 64, 0, 2));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuOccupancyMaxActiveBlocksPerMultiprocessor(NULL, function, 64, 0));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, 0, 0));
  GIVES(CUDA_ERROR_INVALID_HANDLE, cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, NOBODY, 64, 0));
  WORKS(cuOccupancyMaxPotentialBlockSizeWithFlags(&grid, &block, function, NULL, 0, 0, 1));
  CHECK(block == 1024 && grid == 2 * 16);
  WORKS(cuOccupancyMaxPotentialBlockSize(&grid, &block, function, NULL, 0, 100));
  CHECK(block == 64 && grid == 32 * 16);
  /* A KiB a thread: 224 threads have 225 KiB with the system's, and no more fit. */
  WORKS(cuOccupancyMaxPotentialBlockSize(&grid, &block, function, shared_of, 0, 0));
  CHECK(block == 224 && grid == 16);
  GIVES(CUDA_ERROR_INVALID_VALUE, cuOccupancyMaxPotentialBlockSize(&grid, &block, function, NULL, 228 * 1024, 0));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuOccupancyMaxPotentialBlockSize(NULL, &block, function, NULL, 0, 0));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuOccupancyMaxPotentialBlockSize(&grid, NULL, function, NULL, 0, 0));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuOccupancyMaxPotentialBlockSize(&grid, &block, function, NULL, 0, -1));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuOccupancyMaxPotentialBlockSizeWithFlags(&grid, &block, function, NULL, 0, 0, 2));
  WORKS(cuOccupancyAvailableDynamicSMemPerBlock(&bytes, function, 2, 1024));
  CHECK(bytes == 113 * 1024);
  WORKS(cuOccupancyAvailableDynamicSMemPerBlock(&bytes, function, 1, 1));
  CHECK(bytes == 227 * 1024);
  WORKS(cuOccupancyAvailableDynamicSMemPerBlock(&bytes, function, 32, 33));
  CHECK(bytes == 6272);
  GIVES(CUDA_ERROR_INVALID_VALUE, cuOccupancyAvailableDynamicSMemPerBlock(&bytes, function, 3, 1024));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuOccupancyAvailableDynamicSMemPerBlock(&bytes, function, 33, 1));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuOccupancyAvailableDynamicSMemPerBlock(&bytes, function, 0, 1));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuOccupancyAvailableDynamicSMemPerBlock(&bytes, function, 1, 0));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuOccupancyAvailableDynamicSMemPerBlock(NULL, function, 1, 1));

  CUlaunchAttribute cluster = {.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, .value.clusterDim = {2, 1, 1}};
  CUlaunchConfig config = {1, 1, 1, 1024, 1, 1, 0, NULL, &cluster, 1};
  WORKS(cuOccupancyMaxActiveClusters(&blocks, function, &config));
  CHECK(blocks == 16 * 2 / 2);
  cluster.value.clusterDim.x = 3, cluster.value.clusterDim.y = 2;
  WORKS(cuOccupancyMaxActiveClusters(&blocks, function, &config));
  CHECK(blocks == 16 * 2 / 6);
  cluster.value.clusterDim.z = 2;
  GIVES(CUDA_ERROR_INVALID_CLUSTER_SIZE, cuOccupancyMaxActiveClusters(&blocks, function, &config));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuOccupancyMaxActiveClusters(NULL, function, &config));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuOccupancyMaxActiveClusters(&blocks, function, NULL));
  WORKS(cuOccupancyMaxPotentialClusterSize(&blocks, function, &config));
  CHECK(blocks == 8);
  WORKS(cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1));
  WORKS(cuOccupancyMaxActiveClusters(&blocks, function, &config));
  CHECK(blocks == 16 * 2 / 12);
  WORKS(cuOccupancyMaxPotentialClusterSize(&blocks, function, &config));
  CHECK(blocks == 16);
  cluster.value.clusterDim.x = 0;
  GIVES(CUDA_ERROR_INVALID_VALUE, cuOccupancyMaxActiveClusters(&blocks, function, &config));
  config.attrs = NULL;
  GIVES(CUDA_ERROR_INVALID_VALUE, cuOccupancyMaxActiveClusters(&blocks, function, &config));
  config.numAttrs = 0, config.blockDimX = 1025;
  GIVES(CUDA_ERROR_INVALID_VALUE, cuOccupancyMaxActiveClusters(&blocks, function, &config));
  config.blockDimX = 0;
  GIVES(CUDA_ERROR_INVALID_VALUE, cuOccupancyMaxActiveClusters(&blocks, function, &config));
  config.blockDimX = 1024;
  WORKS(cuOccupancyMaxActiveClusters(&blocks, function, &config));
  CHECK(blocks == 16 * 2);
}

static const struct part_of_test parts[] = {
    {"pools", run_pools}, {"hosts", run_hosts}, {"functions", run_functions}, {"library", run_library}, {"room", run_room},
};

int main(int argc, char **argv) { return run_part(parts, COUNT(parts), argc, argv); }
