/* Devices, contexts, streams and events, and what goes wrong with them. */
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "children.h"
#include "driver-check.h"
#include "driver-kernels.h"

static void run_devices(void) {
  int count, value, major, minor, version;
  char name[64];
  size_t bytes;
  CUdevice device;
  GIVES(CUDA_ERROR_NOT_INITIALIZED, cuDeviceGetCount(&count));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuInit(1));
  WORKS(cuDriverGetVersion(&version));
  CHECK(version == 13000);
  WORKS(cuInit(0));
  WORKS(cuDeviceGetCount(&count));
  GIVES(CUDA_ERROR_INVALID_DEVICE, cuDeviceGet(&device, count));
  WORKS(cuDeviceGet(&device, 0));
  WORKS(cuDeviceGetName(name, sizeof name, device));
  WORKS(cuDeviceTotalMem_v2(&bytes, device));
  WORKS(cuDeviceComputeCapability(&major, &minor, device));
  WORKS(cuDeviceGetAttribute(&value, 97, device));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuDeviceGetAttribute(&value, 0, device));
  GIVES(CUDA_ERROR_INVALID_DEVICE, cuDeviceGetAttribute(&value, 1, 7));
  GIVES(CUDA_ERROR_INVALID_CONTEXT, cuCtxSynchronize());
  printf("%s, %d.%d, %d\n", name, major, minor, value);
}

static void run_errors(void) {
  const char *text;
  WORKS(cuGetErrorName(CUDA_ERROR_ILLEGAL_ADDRESS, &text));
  CHECK(strcmp(text, "CUDA_ERROR_ILLEGAL_ADDRESS") == 0);
  WORKS(cuGetErrorString(CUDA_ERROR_INVALID_VALUE, &text));
  CHECK(strcmp(text, "invalid argument") == 0);
  GIVES(CUDA_ERROR_INVALID_VALUE, cuGetErrorString((CUresult)12345, &text));
  CHECK(text == NULL);
}

static void run_contexts(void) {
  CUcontext one = begin(), two, top, primary, again;
  CUstream stream;
  CUdeviceptr data;
  WORKS(cuMemAlloc_v2(&data, 16));
  WORKS(cuStreamCreate(&stream, 1));
  CUfunction function = kernel_of(trapping, "trapping");
  WORKS(cuCtxCreate_v2(&two, 0, 0));
  WORKS(cuCtxGetCurrent(&top));
  CHECK(top == two);
  GIVES(CUDA_ERROR_INVALID_HANDLE, launch_one(function, 1, NULL));
  function = kernel_of(trapping, "trapping");
  GIVES(CUDA_ERROR_INVALID_HANDLE, cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, stream, NULL, NULL));
  WORKS(launch_one(function, 1, NULL));
  GIVES(CUDA_ERROR_LAUNCH_FAILED, cuCtxSynchronize());
  GIVES(CUDA_ERROR_LAUNCH_FAILED, cuMemAlloc_v2(&data, 16));
  /* The other context knows nothing of that. */
  WORKS(cuCtxPopCurrent_v2(&top));
  CHECK(top == two);
  WORKS(cuCtxSynchronize());
  WORKS(cuMemsetD8_v2(data, 1, 16));
  /* What is given back names its context. */
  WORKS(cuCtxPopCurrent_v2(&top));
  GIVES(CUDA_ERROR_INVALID_CONTEXT, cuMemsetD8_v2(data, 1, 16));
  WORKS(cuMemFree_v2(data));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemFree_v2(data));
  WORKS(cuStreamDestroy_v2(stream));
  WORKS(cuCtxPushCurrent_v2(one));
  WORKS(cuCtxDestroy_v2(two));
  GIVES(CUDA_ERROR_INVALID_CONTEXT, cuCtxSetCurrent(two));
  WORKS(cuCtxDestroy_v2(one));
  GIVES(CUDA_ERROR_INVALID_CONTEXT, cuCtxSynchronize());
  GIVES(CUDA_ERROR_INVALID_CONTEXT, cuCtxDestroy_v2(one));
  WORKS(cuDevicePrimaryCtxRetain(&primary, 0));
  WORKS(cuDevicePrimaryCtxRetain(&again, 0));
  CHECK(primary == again);
  WORKS(cuCtxSetCurrent(primary));
  WORKS(launch_one(kernel_of(trapping, "trapping"), 1, NULL));
  GIVES(CUDA_ERROR_LAUNCH_FAILED, cuCtxSynchronize());
  WORKS(cuDevicePrimaryCtxReset_v2(0));
  WORKS(cuCtxSynchronize());
  WORKS(cuMemAlloc_v2(&data, 16));
  WORKS(cuDevicePrimaryCtxRelease_v2(0));
  WORKS(cuDevicePrimaryCtxRelease_v2(0));
  GIVES(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuCtxSynchronize());
}

static int calls;
static void count_call(void *data) { calls += *(int *)data; }

static void run_streams(void) {
  CUcontext context = begin(), its;
  CUstream stream;
  CUevent start, end, plain;
  float milliseconds;
  CUstreamCaptureStatus capturing = CU_STREAM_CAPTURE_STATUS_ACTIVE;
  int step = 3;
  unsigned flags;
  WORKS(cuStreamCreateWithPriority(&stream, 1, -1));
  WORKS(cuStreamGetFlags(stream, &flags));
  WORKS(cuStreamGetCtx(stream, &its));
  WORKS(cuStreamIsCapturing(stream, &capturing));
  CHECK(flags == 1 && its == context && capturing == 0);
  WORKS(cuEventCreate(&start, 0));
  WORKS(cuEventCreate(&end, 0));
  WORKS(cuEventCreate(&plain, 2));
  GIVES(CUDA_ERROR_INVALID_HANDLE, cuEventElapsedTime_v2(&milliseconds, start, end));
  WORKS(cuEventRecord(start, stream));
  WORKS(cuEventQuery(start));
  WORKS(cuLaunchHostFunc(stream, count_call, &step));
  CHECK(calls == 3);
  usleep(3000);
  WORKS(cuEventRecord(end, NULL));
  WORKS(cuEventSynchronize(end));
  WORKS(cuEventElapsedTime_v2(&milliseconds, start, end));
  CHECK(milliseconds >= 3);
  WORKS(cuEventRecord(plain, stream));
  GIVES(CUDA_ERROR_INVALID_HANDLE, cuEventElapsedTime_v2(&milliseconds, start, plain));
  WORKS(cuStreamWaitEvent(stream, plain, 0));
  WORKS(cuStreamSynchronize(stream));
  WORKS(cuEventDestroy_v2(plain));
  GIVES(CUDA_ERROR_INVALID_HANDLE, cuStreamWaitEvent(stream, plain, 0));
  WORKS(cuStreamDestroy_v2(stream));
  GIVES(CUDA_ERROR_INVALID_HANDLE, cuStreamQuery(stream));
  GIVES(CUDA_ERROR_INVALID_HANDLE, cuStreamSynchronize((CUstream)(uintptr_t)0x1234));
}

static void run_bad_ptx(void) {
  begin();
  CUmodule module;
  char log[2000];
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void *values[] = {log, (void *)sizeof log};
  GIVES(CUDA_ERROR_INVALID_PTX, cuModuleLoadDataEx(&module, HEAD ".entry k() { add.s32 %r1, 2; }", 2, options, values));
  CHECK(strstr(log, "error PTX") != NULL && strlen(log) + 1 == (size_t)values[1]);
  values[1] = (void *)20;
  GIVES(CUDA_ERROR_INVALID_PTX, cuModuleLoadDataEx(&module, "nonsense", 2, options, values));
  CHECK(strlen(log) == 19);
  GIVES(CUDA_ERROR_INVALID_PTX, cuModuleLoadData(&module, ""));
  /* The header of an ELF file: 64 bits, little-endian, e_machine 190, headers of 64 bytes for sections, of which it has none. */
  static const unsigned char cubin[64] = {0x7f, 'E', 'L', 'F', 2, 1, 1, [8] = 8, [18] = 190, [49] = 90, [58] = 64};
  GIVES(CUDA_ERROR_NO_BINARY_FOR_GPU, cuModuleLoadData(&module, cubin));
  static const unsigned char endless[64] = {0x7f, 'E', 'L', 'F', 2, 1, 1, [18] = 190, [47] = 1, [58] = 64};
  GIVES(CUDA_ERROR_INVALID_IMAGE, cuModuleLoadData(&module, endless));
  GIVES(CUDA_ERROR_FILE_NOT_FOUND, cuModuleLoad(&module, "/nowhere/k.ptx"));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuModuleLoadData(&module, NULL));
  WORKS(cuCtxSynchronize());
}

static void run_bad_launches(void) {
  begin();
  CUfunction function = kernel_of(store_word, "store_word");
  CUdeviceptr null = 0;
  uint32_t word = 1;
  void *parameters[] = {&null, &word}, *missing[] = {&null, NULL};
  GIVES(CUDA_ERROR_INVALID_VALUE, launch_one(function, 0, parameters));
  GIVES(CUDA_ERROR_INVALID_VALUE, launch_one(function, 1025, parameters));
  /* No axis is too long here, but a block has 1024 threads at most. */
  GIVES(CUDA_ERROR_INVALID_VALUE, cuLaunchKernel(function, 1, 1, 1, 32, 33, 1, 0, NULL, parameters, NULL));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuLaunchKernel(function, 1, 65536, 1, 1, 1, 1, 0, NULL, parameters, NULL));
  GIVES(CUDA_ERROR_INVALID_VALUE, launch_one(function, 1, NULL));
  GIVES(CUDA_ERROR_INVALID_VALUE, launch_one(function, 1, missing));
  GIVES(CUDA_ERROR_INVALID_HANDLE, launch_one(NULL, 1, parameters));
  GIVES(CUDA_ERROR_INVALID_HANDLE, launch_one((CUfunction)(void *)parameters, 1, parameters));
  WORKS(cuCtxSynchronize());
  WORKS(launch_one(function, 1, parameters));
  for (int i = 0; i < 3; i++) GIVES(CUDA_ERROR_ILLEGAL_ADDRESS, cuCtxSynchronize());
  GIVES(CUDA_ERROR_ILLEGAL_ADDRESS, launch_one(function, 1, parameters));
}

static void run_blocking(void) {
  begin();
  GIVES(CUDA_ERROR_LAUNCH_FAILED, launch_one(kernel_of(trapping, "trapping"), 1, NULL));
}

typedef CUresult (*Alloc)(CUdeviceptr *, size_t);

static void run_procedures(void) {
  begin();
  void *found;
  int status;
  CUdeviceptr data;
  WORKS(cuGetProcAddress_v2("cuMemAlloc", &found, 12000, 0, &status));
  Alloc alloc;
  memcpy(&alloc, &found, sizeof alloc);
  CHECK(status == 0);
  WORKS(alloc(&data, 16));
  static const struct {
    const char *name;
    int version;
    const char *symbol;
  } wanted[] = {
      {"cuStreamGetCtx", 12040, "cuStreamGetCtx"},   {"cuStreamGetCtx", 12050, "cuStreamGetCtx_v2"},
      {"cuMemcpyBatchAsync", 12080, "cuMemcpyBatchAsync"}, {"cuMemcpyBatchAsync", 13000, "cuMemcpyBatchAsync_v2"},
      {"cuMemcpy3DBatchAsync", 12090, "cuMemcpy3DBatchAsync"}, {"cuIpcOpenMemHandle", 11000, "cuIpcOpenMemHandle_v2"},
      {"cuTexRefSetAddress2D", 11000, "cuTexRefSetAddress2D_v3"}, {"cuStreamWaitValue32", 11070, "cuStreamWaitValue32_v2"},
      {"cuCtxCreate", 12000, "cuCtxCreate_v3"},      {"cuCtxCreate", 11000, "cuCtxCreate_v2"},
      {"cuCtxCreate", 13000, "cuCtxCreate_v4"},      {"cuGetProcAddress", 13000, "cuGetProcAddress_v2"},
      {"cuGetProcAddress", 11050, "cuGetProcAddress"}, {"cuMemcpyHtoD", 12000, "cuMemcpyHtoD_v2"},
      {"cuLaunchKernel", 12000, "cuLaunchKernel"},   {"cuGraphCreate", 12000, "cuGraphCreate"},
      {"cuGraphInstantiate", 12000, "cuGraphInstantiateWithFlags"}, {"cuGraphInstantiate", 11040, "cuGraphInstantiate_v2"},
      {"cuStreamGetCaptureInfo", 12030, "cuStreamGetCaptureInfo_v3"}, {"cuStreamGetCaptureInfo", 12000, "cuStreamGetCaptureInfo_v2"},
      {"cuGraphAddKernelNode", 11040, "cuGraphAddKernelNode"}, {"cuGraphAddKernelNode", 12000, "cuGraphAddKernelNode_v2"},
  };
  for (int i = 0; i < COUNT(wanted); i++) {
    WORKS(cuGetProcAddress_v2(wanted[i].name, &found, wanted[i].version, 0, NULL));
    CHECK(found == dlsym(RTLD_DEFAULT, wanted[i].symbol));
  }
  WORKS(cuGetProcAddress_v2("cuLaunchKernel", &found, 12000, 2, NULL));
  CHECK(found == dlsym(RTLD_DEFAULT, "cuLaunchKernel_ptsz"));
  WORKS(cuGetProcAddress_v2_ptsz("cuLaunchKernel", &found, 12000, 0, NULL));
  CHECK(found == dlsym(RTLD_DEFAULT, "cuLaunchKernel_ptsz"));
  WORKS(cuGetProcAddress_v2_ptsz("cuLaunchKernel", &found, 12000, 1, NULL));
  CHECK(found == dlsym(RTLD_DEFAULT, "cuLaunchKernel"));
  GIVES(CUDA_ERROR_NOT_FOUND, cuGetProcAddress_v2("cuNothing", &found, 12000, 0, &status));
  CHECK(found == NULL && status == 1);
  GIVES(CUDA_ERROR_NOT_FOUND, cuGetProcAddress_v2("cuMemAdvise", &found, 7000, 0, &status));
  CHECK(status == 2);
  GIVES(CUDA_ERROR_NOT_FOUND, cuGetProcAddress_v2("printf", &found, 12000, 0, &status));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuGetProcAddress_v2(NULL, &found, 12000, 0, &status));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuGetProcAddress_v2("cuMemAlloc", NULL, 12000, 0, &status));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuGetProcAddress_v2("cuMemAlloc", &found, 12000, 4, &status));
  /* One that is not there, and says so once. */
  CUresult (*missing)(void **, unsigned);
  WORKS(cuGetProcAddress_v2("cuVDPAUGetDevice", &found, 12000, 0, NULL));
  memcpy(&missing, &found, sizeof missing);
  for (int i = 0; i < 2; i++) GIVES(CUDA_ERROR_NOT_SUPPORTED, missing(&found, 0));
  CUuuid id = {{1}};
  const void *table;
  GIVES(CUDA_ERROR_NOT_FOUND, cuGetExportTable(&table, &id));
}

static void *in_thread(void *context) {
  WORKS(cuCtxSetCurrent(context));
  for (int i = 0; i < 20; i++) {
    uint32_t words[2] = {0, 0};
    CUdeviceptr to = device_copy(words, sizeof words);
    uint32_t word = (uint32_t)i;
    void *parameters[] = {&to, &word};
    WORKS(launch_one(kernel_of(store_word, "store_word"), 1, parameters));
    WORKS(cuMemcpyDtoH_v2(words, to, sizeof words));
    CHECK(words[0] == (uint32_t)i && words[1] == 0);
    WORKS(cuMemFree_v2(to));
  }
  return NULL;
}

static void run_threads(void) {
  CUcontext context = begin();
  pthread_t threads[4];
  for (int i = 0; i < 4; i++) CHECK(pthread_create(&threads[i], NULL, in_thread, context) == 0);
  for (int i = 0; i < 4; i++) CHECK(pthread_join(threads[i], NULL) == 0);
}

/* What a fork makes has no device, and the parent's goes on. */
static void run_fork(void) {
  CUcontext context = begin();
  in_thread(context);
  pid_t child = fork();
  if (child == 0) {
    CUdeviceptr data;
    GIVES(CUDA_ERROR_NOT_INITIALIZED, cuMemAlloc_v2(&data, 16));
    GIVES(CUDA_ERROR_NOT_INITIALIZED, cuInit(0));
    _exit(7);
  }
  int status;
  CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 7);
  in_thread(context);
}

/* A fat binary of one text for sm_80, or with no text of machine code. */
static void fat_of(unsigned char *to, const char *text) {
  uint64_t bytes = text == NULL ? 0 : strlen(text), rest = 64 + bytes;
  struct {
    uint32_t magic;
    uint16_t version, head;
  } fat = {0xba55ed50u, 1, 16};
  uint32_t head = 64, target = 80;
  memset(to, 0, 16 + 64);
  memcpy(to, &fat, sizeof fat);
  memcpy(to + 8, &rest, sizeof rest);
  to[16] = text == NULL ? 2 : 1;
  memcpy(to + 16 + 4, &head, sizeof head);
  memcpy(to + 16 + 8, &bytes, sizeof bytes);
  memcpy(to + 16 + 28, &target, sizeof target);
  if (text != NULL) memcpy(to + 16 + 64, text, bytes);
}

/* What nvcc -rdc=true makes: a wrapper of version 2 around machine code, and the parts that it was linked of, up to a zero. */
static void run_relocatable(void) {
  static unsigned char code[80], caller[1024], callee[1024];
  begin();
  fat_of(code, NULL);
  fat_of(caller, HEAD ".extern .func (.param .b32 r) seven (); .entry k(.param .u64 to) { .reg .b64 a; .reg .b32 v; .param .b32 q;\n"
                 "ld.param.u64 a, [to]; call (q), seven, (); ld.param.b32 v, [q]; st.global.u32 [a], v; ret; }\n");
  fat_of(callee, HEAD ".visible .func (.param .b32 r) seven () { .reg .b32 v; mov.u32 v, 7; st.param.b32 [r], v; ret; }\n");
  const void *parts[] = {caller, callee, NULL}, *alone[] = {caller, NULL};
  struct {
    uint32_t magic, version;
    const void *fat, *parts;
  } wrapper = {0x466243b1u, 2, code, NULL};
  CUmodule module;
  CUfunction function;
  GIVES(CUDA_ERROR_NO_BINARY_FOR_GPU, cuModuleLoadData(&module, &wrapper));
  wrapper.parts = parts;
  WORKS(cuModuleLoadData(&module, &wrapper));
  WORKS(cuModuleGetFunction(&function, module, "k"));
  CUdeviceptr to;
  WORKS(cuMemAlloc_v2(&to, 4));
  uint32_t word;
  void *parameters[] = {&to};
  WORKS(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, parameters, NULL));
  WORKS(cuMemcpyDtoH_v2(&word, to, 4));
  CHECK(word == 7);
  parts[1] = code + 40;
  GIVES(CUDA_ERROR_INVALID_IMAGE, cuModuleLoadData(&module, &wrapper));
  wrapper.parts = alone;
  WORKS(cuModuleLoadData(&module, &wrapper));
}

/* Header and entry of a fat binary, as long as they say that they are. */
struct fat {
  uint32_t magic;
  uint16_t version, head;
  uint64_t rest;
  struct {
    uint16_t kind, version;
    uint32_t head;
    uint64_t bytes;
    unsigned char more[48];
  } entry;
};

static void gives_from_file(CUresult wanted, const void *bytes, size_t count) {
  char path[] = "/tmp/ptxrun-image-XXXXXX";
  int file = mkstemp(path);
  CHECK(file >= 0 && write(file, bytes, count) == (ssize_t)count && close(file) == 0);
  CUmodule module;
  CUlibrary library;
  CUresult one = cuModuleLoad(&module, path), other = cuLibraryLoadFromFile(&library, path, NULL, NULL, 0, NULL, NULL, 0);
  unlink(path);
  GIVES(wanted, one);
  GIVES(wanted, other);
}

/* Images that say more than is there: of files, and of memory that ends. Nothing is read behind the end. */
static void run_bad_images(void) {
  begin();
  CUmodule module;
  const struct fat good = {0xba55ed50u, 1, 16, 64 + 8, {1, 0x101, 64, 8, {0}}};
  const struct {
    uint32_t magic, version;
    uint64_t pointer, parts;
  } wrapper = {0x466243b1u, 1, 0x4141414141414141u, 0}, near = {0x466243b1u, 1, (uint64_t)(uintptr_t)&good, 0};
  gives_from_file(CUDA_ERROR_INVALID_IMAGE, &wrapper, sizeof wrapper);
  /* Nor one that leads somewhere. */
  gives_from_file(CUDA_ERROR_INVALID_IMAGE, &near, sizeof near);
  gives_from_file(CUDA_ERROR_INVALID_IMAGE, &wrapper, 4);
  gives_from_file(CUDA_ERROR_INVALID_IMAGE, &good, sizeof good);
  gives_from_file(CUDA_ERROR_INVALID_IMAGE, &good, 7);
  gives_from_file(CUDA_ERROR_INVALID_PTX, "nonsense without a zero", 23);
  GIVES(CUDA_ERROR_INVALID_IMAGE, cuModuleLoadData(&module, &wrapper));

  const size_t page = 4096;
  unsigned char *pages = mmap(NULL, 3 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(pages != MAP_FAILED && munmap(pages + 2 * page, page) == 0);
  unsigned char *end = pages + 2 * page;
  static const struct {
    uint16_t head;
    uint64_t rest, bytes;
    uint32_t own;
  } lies[] = {
      {16, 1 << 30, (1 << 30) - 64, 64}, {16, 64 + 8, 8, 64},      {16, 64 + 4, 8, 64},   {16, 1ull << 40, 1ull << 40, 64},
      {16, UINT64_MAX, 8, 64},           {16, 64, UINT64_MAX, 64}, {16, 64, 8, 0xffffffffu}, {16, 64, UINT64_MAX - 63, 64},
      {16, 4096, 0, 0},                  {8, 64, 0, 64},           {0xffff, 64, 0, 64},   {16, 64 + 7, 0, 64},
  };
  for (int i = 0; i < COUNT(lies); i++) {
    struct fat fat = good;
    fat.head = lies[i].head, fat.rest = lies[i].rest;
    fat.entry.bytes = lies[i].bytes, fat.entry.head = lies[i].own;
    memcpy(end - sizeof fat, &fat, sizeof fat);
    GIVES(CUDA_ERROR_INVALID_IMAGE, cuModuleLoadData(&module, end - sizeof fat));
    /* In a wrapper, too. */
    struct {
      uint32_t magic, version;
      const void *data;
    } around = {0x466243b1u, 1, end - sizeof fat};
    GIVES(CUDA_ERROR_INVALID_IMAGE, cuModuleLoadData(&module, &around));
    gives_from_file(CUDA_ERROR_INVALID_IMAGE, &fat, sizeof fat);
  }
  for (size_t left = 1; left < sizeof good; left++) {
    memcpy(end - left, &good, left);
    GIVES(CUDA_ERROR_INVALID_IMAGE, cuModuleLoadData(&module, end - left));
  }
  memset(pages, ' ', 2 * page);
  GIVES(CUDA_ERROR_INVALID_IMAGE, cuModuleLoadData(&module, pages + 1));
  GIVES(CUDA_ERROR_INVALID_IMAGE, cuModuleLoadData(&module, end));
  GIVES(CUDA_ERROR_INVALID_IMAGE, cuModuleLoadData(&module, end - 1));
  /* A text may end where memory does. */
  memcpy(end - sizeof trapping, trapping, sizeof trapping);
  WORKS(cuModuleLoadData(&module, pages));
  WORKS(cuModuleLoadData(&module, end - sizeof trapping));
  /* A fat binary, too. */
  struct fat last = good;
  const size_t text = (sizeof trapping + 7) / 8 * 8;
  last.rest = 64 + text, last.entry.bytes = text;
  memset(end - text, 0, text);
  memcpy(end - text, trapping, sizeof trapping);
  memcpy(end - text - sizeof last, &last, sizeof last);
  WORKS(cuModuleLoadData(&module, end - text - sizeof last));
  WORKS(cuCtxSynchronize());
}

static void run_killed(void) {
  CUcontext context = begin(), another;
  CUlibrary library;
  CUkernel kernel;
  CUdeviceptr data;
  WORKS(cuLibraryLoadData(&library, trapping, NULL, NULL, 0, NULL, NULL, 0));
  WORKS(cuLibraryGetKernel(&kernel, library, "trapping"));
  WORKS(cuMemAlloc_v2(&data, 16));
  kill(worker_process(), SIGKILL);
  GIVES(CUDA_ERROR_LAUNCH_FAILED, cuMemsetD8_v2(data, 0, 16));
  GIVES(CUDA_ERROR_LAUNCH_FAILED, cuCtxSynchronize());
  WORKS(cuCtxDestroy_v2(context));
  WORKS(cuCtxCreate_v2(&another, 0, 0));
  WORKS(cuMemAlloc_v2(&data, 16));
  WORKS(cuMemsetD8_v2(data, 0, 16));
  /* What was loaded before is gone, though its numbers are given again. */
  CUfunction function = kernel_of(trapping, "trapping");
  CHECK(function != NULL);
  GIVES(CUDA_ERROR_INVALID_HANDLE, launch_one((CUfunction)(void *)kernel, 1, NULL));
  GIVES(CUDA_ERROR_INVALID_HANDLE, cuLibraryGetKernel(&kernel, library, "trapping"));
  WORKS(cuLibraryUnload(library));
  WORKS(cuCtxSynchronize());
}

static void run_endless(void) {
  begin();
  CUfunction function = kernel_of(endless, "endless");
  /* From here on: how long a worker takes to start is not what this is about. */
  CHECK(setenv("PTXRUN_TIMEOUT", "0.5", 1) == 0);
  WORKS(launch_one(function, 1, NULL));
  GIVES(CUDA_ERROR_LAUNCH_TIMEOUT, cuCtxSynchronize());
}

int main(int argc, char **argv) {
  static const struct part_of_test parts[] = {
      {"devices", run_devices},   {"errors", run_errors},           {"contexts", run_contexts},     {"streams", run_streams},
      {"bad_ptx", run_bad_ptx},   {"bad_images", run_bad_images}, {"bad_launches", run_bad_launches}, {"blocking", run_blocking},   {"procedures", run_procedures},
      {"threads", run_threads},   {"fork", run_fork},               {"killed", run_killed}, {"relocatable", run_relocatable},         {"endless", run_endless},
  };
  return run_part(parts, COUNT(parts), argc, argv);
}
