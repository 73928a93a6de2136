/* Addresses that are reserved, and memory that is mapped to them. */
#include <sys/wait.h>
#include <unistd.h>

#include "driver-check.h"
#include "driver-kernels.h"

#define PAGE ((size_t)2 << 20)

static const CUmemAllocationProp on_device = {.type = 1, .requestedHandleTypes = 1, .location = {1, 0}};

static void give_access(CUdeviceptr address, size_t bytes, int flags) {
  CUmemAccessDesc access = {{1, 0}, flags};
  WORKS(cuMemSetAccess(address, bytes, &access, 1));
}

static CUmemGenericAllocationHandle mapped(CUdeviceptr address, size_t bytes) {
  CUmemGenericAllocationHandle handle;
  WORKS(cuMemCreate(&handle, bytes, &on_device, 0));
  WORKS(cuMemMap(address, bytes, 0, handle, 0));
  return handle;
}

/* Adds 5 to so many words. */
static CUresult add(CUdeviceptr words, unsigned count) {
  void *parameters[] = {&words};
  WORKS(launch_one(kernel_of(stepping, "forward"), count, parameters));
  return cuCtxSynchronize();
}

static void run_maps(void) {
  begin();
  CUdeviceptr start, other, base;
  CUmemGenericAllocationHandle first, again, second;
  CUmemAllocationProp properties;
  CUmemAccessDesc access = {{1, 0}, 3};
  CUmemLocation device = {1, 0};
  size_t granularity, bytes, room, left;
  unsigned long long flags;
  unsigned words[4] = {1, 2, 3, 4}, kind;
  int able;
  WORKS(cuDeviceGetAttribute(&able, 102, 0));
  CHECK(able == 1);
  WORKS(cuMemGetAllocationGranularity(&granularity, &on_device, 0));
  CHECK(granularity == PAGE);
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemAddressReserve(&start, 4 * PAGE, 3, 0, 0));
  WORKS(cuMemAddressReserve(&start, 4 * PAGE, 0, 0, 0));
  CHECK(start % PAGE == 0);
  WORKS(cuMemAddressReserve(&other, (size_t)1 << 36, 4 * PAGE, 0, 0));
  CHECK(other % (4 * PAGE) == 0);
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemCreate(&first, PAGE + 1, &on_device, 0));
  GIVES(CUDA_ERROR_OUT_OF_MEMORY, cuMemCreate(&first, (size_t)1 << 46, &on_device, 0));
  WORKS(cuMemGetInfo_v2(&room, &bytes));
  first = mapped(start, PAGE);
  WORKS(cuMemGetInfo_v2(&left, &bytes));
  CHECK(room - left == PAGE);
  WORKS(cuMemGetAllocationPropertiesFromHandle(&properties, first));
  CHECK(memcmp(&properties, &on_device, sizeof properties) == 0);
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemMap(start, PAGE, 0, first, 0));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemMap(start + PAGE, 2 * PAGE, 0, first, 0));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemMap(start + 4 * PAGE, PAGE, 0, first, 0));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoD_v2(start, words, sizeof words));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemsetD32_v2(start, 1, 4));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemSetAccess(start, 2 * PAGE, &access, 1));
  give_access(start, PAGE, 3);
  WORKS(cuMemGetAccess(&flags, &device, start + 8));
  CHECK(flags == 3);

  /* One behind the other they are as one: for copies, sets and kernels. */
  second = mapped(start + PAGE, PAGE);
  give_access(start, 2 * PAGE, 3);
  WORKS(cuMemcpyHtoD_v2(start + PAGE - 8, words, sizeof words));
  CHECK(add(start + PAGE - 8, 4) == CUDA_SUCCESS);
  WORKS(cuMemcpyDtoH_v2(words, start + PAGE - 8, sizeof words));
  CHECK(words[0] == 6 && words[3] == 9);
  WORKS(cuMemsetD32_v2(start + PAGE - 8, 7, 4));
  WORKS(cuMemcpyDtoH_v2(words, start + PAGE, 8));
  CHECK(words[0] == 7 && words[1] == 7);
  WORKS(cuPointerGetAttribute(&kind, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, start));
  CHECK(kind == CU_MEMORYTYPE_DEVICE);
  WORKS(cuMemGetAddressRange_v2(&base, &bytes, start + PAGE + 8));
  CHECK(base == start + PAGE && bytes == PAGE);

  int types, rights;
  unsigned is_mapped;
  CUdeviceptr around;
  size_t reserved;
  CUpointer_attribute asked[] = {CU_POINTER_ATTRIBUTE_RANGE_START_ADDR,     CU_POINTER_ATTRIBUTE_RANGE_SIZE,
                                 CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR,    CU_POINTER_ATTRIBUTE_MAPPING_SIZE,
                                 CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES, CU_POINTER_ATTRIBUTE_ACCESS_FLAGS,
                                 CU_POINTER_ATTRIBUTE_MAPPED};
  void *told[] = {&around, &reserved, &base, &bytes, &types, &rights, &is_mapped};
  WORKS(cuPointerGetAttributes(7, asked, told, start + PAGE + 8));
  CHECK(around == start && reserved == 4 * PAGE && base == start + PAGE && bytes == PAGE);
  CHECK(types == 1 && rights == 3 && is_mapped == 1);
  WORKS(cuPointerGetAttributes(7, asked, told, start + 3 * PAGE));
  CHECK(around == start && reserved == 4 * PAGE && bytes == 0 && is_mapped == 0);
  GIVES(CUDA_ERROR_NOT_FOUND, cuMemGetAddressRange_v2(&base, &bytes, start + 3 * PAGE));

  /* A second mapping of the memory shows the same bytes, and so does a later one. */
  WORKS(cuMemRetainAllocationHandle(&again, (void *)(uintptr_t)(start + PAGE + 8)));
  CHECK(again == second);
  WORKS(cuMemMap(other, PAGE, 0, again, 0));
  give_access(other, PAGE, 3);
  CHECK(add(other, 1) == CUDA_SUCCESS);
  WORKS(cuMemcpyDtoH_v2(words, start + PAGE, 8));
  CHECK(words[0] == 12 && words[1] == 7);
  WORKS(cuMemUnmap(start, 2 * PAGE));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemUnmap(start, PAGE));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpyDtoH_v2(words, start, 8));
  WORKS(cuMemMap(start, PAGE, 0, again, 0));
  give_access(start, PAGE, 1);
  WORKS(cuMemcpyDtoH_v2(words, start, 8));
  CHECK(words[0] == 12);
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemsetD32_v2(start, 1, 4));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoD_v2(start, words, 8));

  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemAddressFree(start, 4 * PAGE));
  WORKS(cuMemUnmap(start, PAGE));
  WORKS(cuMemUnmap(other, PAGE));
  for (int i = 0; i < 2; i++) WORKS(cuMemRelease(second));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemRelease(second));
  WORKS(cuMemRelease(first));
  WORKS(cuMemGetInfo_v2(&left, &bytes));
  CHECK(room == left);
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemAddressFree(start, PAGE));
  WORKS(cuMemAddressFree(start, 4 * PAGE));
  WORKS(cuMemAddressFree(other, (size_t)1 << 36));
}

/* Mapped, with these rights. */
static CUcontext prepare(CUdeviceptr *start, int flags) {
  CUcontext context = begin();
  WORKS(cuMemAddressReserve(start, 2 * PAGE, 0, 0, 0));
  WORKS(cuMemRelease(mapped(*start, PAGE)));
  give_access(*start, PAGE, flags);
  return context;
}

/* Stores 9 to a word by one address, and reads it by another. */
static const char twofold[] =
    ".version 8.0\n.target sm_80\n.address_size 64\n"
    ".visible .entry twofold(.param .u64 a, .param .u64 b, .param .u64 to) {\n"
    "  .reg .b32 %r<3>; .reg .b64 %d<4>;\n"
    "  ld.param.u64 %d1, [a]; ld.param.u64 %d2, [b]; ld.param.u64 %d3, [to]; ld.global.u32 %r1, [%d2];\n"
    "  mov.u32 %r1, 9; st.global.u32 [%d1], %r1; fence.proxy.alias; ld.global.u32 %r2, [%d2]; st.global.u32 [%d3], %r2;\n"
    "  ret;\n}\n";

/* Within a launch as well, two mappings of one memory show the same bytes: whole ones, and parts, and by an imported handle. */
static void run_aliases(void) {
  CUcontext context = begin();
  CUdeviceptr start, other, to;
  CUmemGenericAllocationHandle handle, imported;
  unsigned word;
  int file;
  WORKS(cuMemAddressReserve(&start, 4 * PAGE, 0, 0, 0));
  WORKS(cuMemAddressReserve(&other, 4 * PAGE, 0, 0, 0));
  handle = mapped(start, 2 * PAGE);
  WORKS(cuMemExportToShareableHandle(&file, handle, 1, 0));
  WORKS(cuMemImportFromShareableHandle(&imported, (void *)(intptr_t)file, 1));
  WORKS(cuMemMap(other, PAGE, PAGE, imported, 0));
  WORKS(cuMemMap(other + 2 * PAGE, 2 * PAGE, 0, handle, 0));
  give_access(start, 2 * PAGE, 3);
  give_access(other, PAGE, 3);
  give_access(other + 2 * PAGE, 2 * PAGE, 3);
  const CUdeviceptr pairs[][2] = {{start + PAGE + 8, other + 8},
                                  {other + 4, start + PAGE + 4},
                                  {start + PAGE + 12, other + 3 * PAGE + 12},
                                  {other + PAGE - 4, other + 4 * PAGE - 4}};
  WORKS(cuMemAlloc_v2(&to, 4));
  CUfunction function = kernel_of(twofold, "twofold");
  for (int i = 0; i < COUNT(pairs); i++) {
    void *parameters[] = {(void *)&pairs[i][0], (void *)&pairs[i][1], &to};
    WORKS(launch_one(function, 1, parameters));
    WORKS(cuMemcpyDtoH_v2(&word, to, sizeof word));
    CHECK(word == 9);
    for (int k = 0; k < 2; k++) {
      WORKS(cuMemcpyDtoH_v2(&word, pairs[i][k], sizeof word));
      CHECK(word == 9);
    }
  }
  /* What stays of the mappings is on its own when the first is gone. */
  WORKS(cuMemUnmap(start, 2 * PAGE));
  CHECK(add(other, 1) == CUDA_SUCCESS);
  WORKS(cuMemcpyDtoH_v2(&word, other + 3 * PAGE, sizeof word));
  CHECK(word == 5);
  WORKS(cuCtxDestroy_v2(context));
}

/* What is not mapped, or without rights, faults. */
static void run_faults(void) {
  CUdeviceptr start;
  CUcontext context = prepare(&start, 3);
  CHECK(add(start + PAGE - 16, 4) == CUDA_SUCCESS);
  CHECK(add(start + PAGE - 16, 5) == CUDA_ERROR_ILLEGAL_ADDRESS);
  WORKS(cuCtxDestroy_v2(context));
  context = prepare(&start, 3);
  WORKS(cuMemsetD32_v2(start, 6, 1));
  give_access(start, PAGE, 1);
  CUdeviceptr plain;
  unsigned word = 0;
  WORKS(cuMemAlloc_v2(&plain, 8));
  CUdeviceptr next = plain + 4;
  void *parameters[] = {&plain, &start, &next};
  WORKS(launch_one(kernel_of(twofold, "twofold"), 1, parameters));
  WORKS(cuMemcpyDtoH_v2(&word, next, sizeof word));
  CHECK(word == 6);
  CHECK(add(start, 4) == CUDA_ERROR_ILLEGAL_ADDRESS);
  WORKS(cuCtxDestroy_v2(context));
  context = prepare(&start, 3);
  CHECK(add(start, 4) == CUDA_SUCCESS);
  give_access(start, PAGE, 0);
  CHECK(add(start, 4) == CUDA_ERROR_ILLEGAL_ADDRESS);
}

/* The descriptor of a memory works in another process, and in this one. */
static void run_exports(void) {
  int file, inherited[2], ready;
  CUmemGenericAllocationHandle handle, imported;
  CUdeviceptr start;
  unsigned word = 0;
  CHECK(pipe(inherited) == 0);
  WORKS(cuInit(0));
  WORKS(cuMemCreate(&handle, PAGE, &on_device, 0));
  GIVES(CUDA_ERROR_NOT_SUPPORTED, cuMemExportToShareableHandle(&file, handle, 8, 0));
  WORKS(cuMemExportToShareableHandle(&file, handle, 1, 0));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemImportFromShareableHandle(&imported, (void *)(intptr_t)inherited[0], 1));
  pid_t child = fork();
  if (child == 0) {
    /* Another process of the same program, which finds the descriptor by its number. */
    char number[12];
    int own = dup(file);
    snprintf(number, sizeof number, "%d", own);
    setenv("IMPORTED", number, 1);
    execl("/proc/self/exe", "virtual", "imports", (char *)NULL);
    _exit(9);
  }
  CHECK(waitpid(child, &ready, 0) == child && WIFEXITED(ready) && WEXITSTATUS(ready) == 0);
  begin();
  WORKS(cuMemAddressReserve(&start, PAGE, 0, 0, 0));
  WORKS(cuMemMap(start, PAGE, 0, handle, 0));
  give_access(start, PAGE, 3);
  WORKS(cuMemcpyDtoH_v2(&word, start, sizeof word));
  CHECK(word == 15);
}

static void run_imports(void) {
  begin();
  CUmemGenericAllocationHandle handle;
  CUdeviceptr start;
  WORKS(cuMemImportFromShareableHandle(&handle, (void *)(intptr_t)atoi(getenv("IMPORTED")), 1));
  WORKS(cuMemAddressReserve(&start, PAGE, 0, 0, 0));
  WORKS(cuMemMap(start, PAGE, 0, handle, 0));
  give_access(start, PAGE, 3);
  WORKS(cuMemsetD32_v2(start, 10, 1));
  CHECK(add(start, 1) == CUDA_SUCCESS);
}

static const struct part_of_test parts[] = {
    {"maps", run_maps}, {"aliases", run_aliases}, {"faults", run_faults}, {"exports", run_exports}, {"imports", run_imports},
};

int main(int argc, char **argv) { return run_part(parts, COUNT(parts), argc, argv); }
