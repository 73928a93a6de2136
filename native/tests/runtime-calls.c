/* Calls of the runtime API that need no kernel of the program's own. */
#include "runtime.h"

#include "check.h"
#include "driver.h"
#include "driver-kernels.h"
#include "reference-kernels.h"

#define GIVES(result, call)                                                                                           \
  do {                                                                                                                \
    cudaError_t got_ = (call);                                                                                        \
    if (got_ != (result)) {                                                                                           \
      fprintf(stderr, "%s:%d: %s gives %s, not " #result "\n", __FILE__, __LINE__, #call, cudaGetErrorName(got_)); \
      exit(99);                                                                                                       \
    }                                                                                                                 \
  } while (0)
#define WORKS(call) GIVES(cudaSuccess, call)
#define NOBODY ((void *)(uintptr_t)0x10)

static void devices(void) {
  int value = 7, least = 7, greatest = 7, none = 1;
  unsigned flags = 7;
  size_t size = 7;
  char text[32];
  WORKS(cudaSetDeviceFlags(4));
  WORKS(cudaGetDeviceFlags(&flags));
  CHECK(flags == 4);
  GIVES(cudaErrorInvalidValue, cudaGetDevice(NULL));
  WORKS(cudaGetDeviceCount(&value));
  CHECK(value == 1);
  WORKS(cudaGetDevice(&value));
  CHECK(value == 0);
  WORKS(cudaInitDevice(0, 0, 0));
  GIVES(cudaErrorInvalidDevice, cudaInitDevice(1, 0, 0));
  GIVES(cudaErrorInvalidValue, cudaSetValidDevices(&value, -1));
  GIVES(cudaErrorInvalidValue, cudaSetValidDevices(NULL, 1));
  GIVES(cudaErrorInvalidDevice, cudaSetValidDevices((int[]){0, 1}, 2));
  WORKS(cudaSetValidDevices((int[]){0, 1}, 1));
  WORKS(cudaSetValidDevices(NULL, 0));
  value = 7;
  GIVES(cudaErrorInvalidValue, cudaChooseDevice(&value, NULL));
  WORKS(cudaChooseDevice(&value, &none));
  CHECK(value == 0);
  WORKS(cudaDeviceGetAttribute(&value, 75, 0));
  CHECK(value == 9);
  WORKS(cudaDeviceSetLimit(0, 4096));
  WORKS(cudaDeviceGetLimit(&size, 0));
  CHECK(size == 4096);
  GIVES(cudaErrorUnsupportedLimit, cudaDeviceGetLimit(&size, 10));
  WORKS(cudaDeviceSetCacheConfig(1));
  value = 7;
  WORKS(cudaDeviceGetCacheConfig(&value));
  CHECK(value == 0);
  WORKS(cudaDeviceSetSharedMemConfig(1));
  value = 7;
  WORKS(cudaDeviceGetSharedMemConfig(&value));
  CHECK(value == 0);
  WORKS(cudaCtxResetPersistingL2Cache());
  WORKS(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  CHECK(least == 0 && greatest == 0);
  WORKS(cudaDeviceGetPCIBusId(text, sizeof text, 0));
  value = 7;
  WORKS(cudaDeviceGetByPCIBusId(&value, text));
  CHECK(value == 0);
  value = 7;
  WORKS(cudaDeviceCanAccessPeer(&value, 0, 0));
  CHECK(value == 0);
  GIVES(cudaErrorInvalidDevice, cudaDeviceEnablePeerAccess(0, 0));
  GIVES(cudaErrorInvalidDevice, cudaDeviceDisablePeerAccess(0));
  WORKS(cudaDriverGetVersion(&value));
  CHECK(value == 13000);
  GIVES(cudaErrorInvalidValue, cudaRuntimeGetVersion(NULL));
  WORKS(cudaRuntimeGetVersion(&value));
  CHECK(value == 13000);
  WORKS(cudaProfilerStart());
  WORKS(cudaProfilerStop());
  WORKS(cudaDeviceReset());
  WORKS(cudaDeviceGetLimit(&size, 1));
  CHECK(size == 1 << 20);
}

static int called;
static void count_call(void *data) { called += *(int *)data; }
static void count_status(cudaStream_t stream, cudaError_t status, void *data) {
  CHECK(stream != NULL && status == cudaSuccess);
  called += *(int *)data;
}

static void flows(void) {
  cudaStream_t stream, other;
  cudaEvent_t event, late;
  unsigned flags = 7;
  unsigned long long id, second;
  CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_RELAXED;
  int value = 7;
  float milliseconds = -1;
  WORKS(cudaStreamCreate(&other));
  WORKS(cudaStreamGetFlags(other, &flags));
  CHECK(flags == 0);
  WORKS(cudaStreamCreateWithFlags(&stream, 1));
  WORKS(cudaStreamGetFlags(stream, &flags));
  CHECK(flags == 1);
  WORKS(cudaStreamDestroy(stream));
  WORKS(cudaStreamCreateWithPriority(&stream, 1, 0));
  WORKS(cudaStreamGetPriority(stream, &value));
  CHECK(value == 0);
  WORKS(cudaStreamGetId(stream, &id));
  WORKS(cudaStreamGetId(other, &second));
  CHECK(id != second);
  value = 7;
  WORKS(cudaStreamGetDevice(stream, &value));
  CHECK(value == 0);
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_INVALIDATED;
  WORKS(cudaStreamIsCapturing(stream, &status));
  CHECK(status == CU_STREAM_CAPTURE_STATUS_NONE);
  WORKS(cudaStreamAttachMemAsync(stream, NULL, 0, 4));
  WORKS(cudaStreamQuery(stream));
  WORKS(cudaStreamSynchronize(stream));
  GIVES(cudaErrorInvalidValue, cudaStreamSetAttribute(stream, 1, NULL));
  GIVES(cudaErrorInvalidResourceHandle, cudaStreamSetAttribute(NOBODY, 1, &(CUlaunchAttributeValue){.pad = {0}}));
  WORKS(cudaStreamSetAttribute(stream, 1, &(CUlaunchAttributeValue){.pad = {5}}));
  WORKS(cudaStreamCopyAttributes(stream, other));
  GIVES(cudaErrorInvalidResourceHandle, cudaStreamCopyAttributes(stream, NOBODY));
  GIVES(cudaErrorInvalidResourceHandle, cudaStreamCopyAttributes(NOBODY, stream));
  GIVES(cudaErrorInvalidValue, cudaThreadExchangeStreamCaptureMode(NULL));
  GIVES(cudaErrorInvalidValue, cudaThreadExchangeStreamCaptureMode(&(CUstreamCaptureMode){3}));
  GIVES(cudaErrorInvalidValue, cudaThreadExchangeStreamCaptureMode(&(CUstreamCaptureMode){-1}));
  WORKS(cudaThreadExchangeStreamCaptureMode(&mode));
  CHECK(mode == 0);
  WORKS(cudaThreadExchangeStreamCaptureMode(&mode));
  CHECK(mode == 2);
  GIVES(cudaErrorInvalidValue, cudaLaunchHostFunc(stream, NULL, NULL));
  WORKS(cudaLaunchHostFunc(stream, count_call, &(int){1}));
  GIVES(cudaErrorInvalidValue, cudaStreamAddCallback(stream, NULL, NULL, 0));
  WORKS(cudaStreamAddCallback(stream, count_status, &(int){2}, 0));
  CHECK(called == 3);
  WORKS(cudaEventCreate(&event));
  WORKS(cudaEventCreateWithFlags(&late, 1));
  GIVES(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&milliseconds, event, late));
  WORKS(cudaEventRecord(event, stream));
  GIVES(cudaErrorInvalidValue, cudaEventRecordWithFlags(late, stream, 2));
  GIVES(cudaErrorInvalidValue, cudaEventRecordWithFlags(late, stream, 1));
  WORKS(cudaEventRecordWithFlags(late, stream, 0));
  WORKS(cudaEventElapsedTime(&milliseconds, event, late));
  CHECK(milliseconds >= 0);
  WORKS(cudaEventSynchronize(event));
  WORKS(cudaStreamWaitEvent(other, event, 0));
  GIVES(cudaErrorInvalidResourceHandle, cudaStreamWaitEvent(other, NOBODY, 0));
  WORKS(cudaEventDestroy(event));
  GIVES(cudaErrorInvalidResourceHandle, cudaEventSynchronize(event));
  WORKS(cudaStreamDestroy(stream));
  GIVES(cudaErrorInvalidResourceHandle, cudaStreamSynchronize(stream));
}

static void pools(void) {
  cudaMemPool_t pool, again;
  void *data = NOBODY;
  int few[2] = {3, 7};
  CUmemPoolProps properties = {.allocType = 1, .location = {1, 0}};
  WORKS(cudaDeviceGetDefaultMemPool(&pool, 0));
  WORKS(cudaDeviceGetMemPool(&again, 0));
  CHECK(pool == again);
  WORKS(cudaMemPoolCreate(&again, &properties));
  WORKS(cudaDeviceSetMemPool(0, again));
  WORKS(cudaMemPoolSetAttribute(again, 1, few));
  few[0] = 0;
  WORKS(cudaMemPoolGetAttribute(again, 1, few));
  CHECK(few[0] == 3 && few[1] == 7);
  WORKS(cudaMemPoolTrimTo(again, 0));
  WORKS(cudaMemPoolSetAccess(again, NULL, 0));
  GIVES(cudaErrorInvalidValue, cudaMallocAsync(NULL, 64, NULL));
  GIVES(cudaErrorInvalidResourceHandle, cudaMallocAsync(&data, 64, NOBODY));
  WORKS(cudaMallocAsync(&data, 0, NULL));
  CHECK(data == NULL);
  WORKS(cudaMallocAsync(&data, 64, NULL));
  CHECK(data != NULL);
  WORKS(cudaFreeAsync(data, NULL));
  GIVES(cudaErrorInvalidValue, cudaFreeAsync(data, NULL));
  GIVES(cudaErrorInvalidValue, cudaMallocFromPoolAsync(NULL, 64, again, NULL));
  WORKS(cudaMallocFromPoolAsync(&data, 0, again, NULL));
  CHECK(data == NULL);
  WORKS(cudaFreeAsync(NULL, NULL));
  WORKS(cudaMallocFromPoolAsync(&data, 64, again, NULL));
  WORKS(cudaMemsetAsync(data, 1, 64, NULL));
  WORKS(cudaFreeAsync(data, NULL));
  int flags = 0;
  CUmemLocation device = {1, 0};
  WORKS(cudaMemPoolGetAccess(&flags, again, &device));
  CHECK(flags == 3);
  WORKS(cudaMemGetMemPool(&pool, &device, 1));
  CHECK(pool == again);
  WORKS(cudaMemPoolDestroy(again));
  GIVES(cudaErrorInvalidValue, cudaMallocFromPoolAsync(&data, 64, again, NULL));
  WORKS(cudaMemGetDefaultMemPool(&pool, &device, 1));
  WORKS(cudaMemSetMemPool(&device, 1, pool));
  /* Between processes: what this one exports, it cannot import as memory of another one; a pool it can. */
  CUmemPoolPtrExportData named;
  CUipcMemHandle memory;
  CUipcEventHandle happened;
  cudaEvent_t event;
  int file;
  properties.handleTypes = 1;
  WORKS(cudaMemPoolCreate(&pool, &properties));
  WORKS(cudaMemPoolExportToShareableHandle(&file, pool, 1, 0));
  WORKS(cudaMemPoolImportFromShareableHandle(&again, (void *)(intptr_t)file, 1, 0));
  WORKS(cudaMallocFromPoolAsync(&data, 64, pool, NULL));
  WORKS(cudaMemset(data, 7, 64));
  WORKS(cudaMemPoolExportPointer(&named, data));
  void *other;
  char byte = 0;
  WORKS(cudaMemPoolImportPointer(&other, again, &named));
  CHECK(other != data);
  WORKS(cudaMemcpy(&byte, (char *)other + 63, 1, cudaMemcpyDeviceToHost));
  CHECK(byte == 7);
  WORKS(cudaFree(other));
  GIVES(cudaErrorInvalidValue, cudaIpcGetMemHandle(&memory, data));
  WORKS(cudaFree(data));
  WORKS(cudaMalloc(&data, 64));
  WORKS(cudaIpcGetMemHandle(&memory, data));
  GIVES(cudaErrorDeviceUninitialized, cudaIpcOpenMemHandle(&other, memory, 1));
  GIVES(cudaErrorInvalidValue, cudaIpcCloseMemHandle(data));
  WORKS(cudaEventCreateWithFlags(&event, 6));
  WORKS(cudaIpcGetEventHandle(&happened, event));
  WORKS(cudaIpcOpenEventHandle(&event, happened));
  WORKS(cudaEventSynchronize(event));
}

static void memory(void) {
  void *host = NULL, *seen = NULL, *managed = NULL, *pinned = NOBODY;
  unsigned flags = 7;
  size_t pitch = 7, available, total;
  char *data = NULL;
  static char page[64];
  GIVES(cudaErrorInvalidValue, cudaHostAlloc(NULL, 64, 0));
  WORKS(cudaHostAlloc(&pinned, 0, 0));
  CHECK(pinned == NULL);
  WORKS(cudaHostAlloc(&host, 64, 2));
  WORKS(cudaHostGetFlags(&flags, host));
  CHECK(flags == 2);
  GIVES(cudaErrorInvalidValue, cudaHostGetDevicePointer(NULL, host, 0));
  WORKS(cudaHostGetDevicePointer(&seen, host, 0));
  CHECK(seen == host);
  WORKS(cudaMallocHost(&pinned, 64));
  WORKS(cudaHostGetFlags(&flags, pinned));
  CHECK(flags == 0);
  WORKS(cudaFreeHost(pinned));
  GIVES(cudaErrorInvalidValue, cudaFreeHost(pinned));
  WORKS(cudaFreeHost(NULL));
  WORKS(cudaHostRegister(page, sizeof page, 0));
  GIVES(cudaErrorHostMemoryAlreadyRegistered, cudaHostRegister(page, sizeof page, 0));
  WORKS(cudaHostUnregister(page));
  GIVES(cudaErrorHostMemoryNotRegistered, cudaHostUnregister(page));
  GIVES(cudaErrorInvalidValue, cudaMallocManaged(NULL, 64, 1));
  WORKS(cudaMallocManaged(&managed, 64, 1));
  GIVES(cudaErrorInvalidValue, cudaMallocPitch(NULL, &pitch, 8, 2));
  GIVES(cudaErrorInvalidValue, cudaMallocPitch((void **)&data, NULL, 8, 2));
  data = NOBODY;
  WORKS(cudaMallocPitch((void **)&data, &pitch, 0, 2));
  CHECK(data == NULL && pitch == 0);
  data = NOBODY, pitch = 7;
  WORKS(cudaMallocPitch((void **)&data, &pitch, 8, 0));
  CHECK(data == NULL && pitch == 0);
  WORKS(cudaMallocPitch((void **)&data, &pitch, 513, 2));
  CHECK(data != NULL && pitch == 1024);
  WORKS(cudaMemGetInfo(&available, &total));
  CHECK(available < total);

  struct cudaPointerAttributes is;
  static const struct {
    int kind;
    cudaMemoryType type;
  } rows[] = {{0, cudaMemoryTypeUnregistered}, {1, cudaMemoryTypeHost}, {2, cudaMemoryTypeDevice}, {3, cudaMemoryTypeManaged}};
  void *const pointers[] = {page, host, data, managed};
  GIVES(cudaErrorInvalidValue, cudaPointerGetAttributes(NULL, data));
  for (int i = 0; i < COUNT(rows); i++) {
    WORKS(cudaPointerGetAttributes(&is, pointers[i]));
    CHECK(is.type == rows[i].type && is.device == (i == 0 ? -2 : 0));
    CHECK(is.hostPointer == (i == 2 ? NULL : pointers[i]) && is.devicePointer == (i == 0 ? NULL : pointers[i]));
  }
  /* Many copies at once, by a stream of its own. */
  cudaStream_t stream;
  size_t sizes[] = {2, 3}, zero = 0;
  /* Of CUDA 13. */
  cudaError_t cudaMemcpyBatchAsync(void *const *to, const void *const *from, const size_t *bytes, size_t count,
                                   void *attributes, size_t *indices, size_t number, cudaStream_t stream);
  WORKS(cudaStreamCreate(&stream));
  memset(managed, 1, 8), memset(host, 2, 8);
  WORKS(cudaMemcpyBatchAsync((void *[]){data, managed}, (const void *[]){managed, host}, sizes, 2, &zero, &zero, 1, stream));
  WORKS(cudaMemcpy(host, data, 2, cudaMemcpyDeviceToHost));
  CHECK(((char *)managed)[2] == 2 && ((char *)managed)[3] == 1 && ((char *)host)[1] == 1 && ((char *)host)[2] == 2);
  GIVES(cudaErrorInvalidValue,
        cudaMemcpyBatchAsync((void *[]){data}, (const void *[]){managed}, sizes, 0, &zero, &zero, 0, stream));
  /* Where it is preferred to be, as CUDA 13 says it. */
  int place = 7, number = 7;
  struct CUmemLocation_st there = {1, 0};
  CUlaunchAttributeValue policy = {.pad = {3}};
  WORKS(cudaMemAdvise_v2(managed, 64, 3, there));
  WORKS(cudaMemPrefetchAsync_v2(managed, 64, there, 0, NULL));
  WORKS(cudaMemRangeGetAttribute(&place, sizeof place, 2, managed, 64));
  CHECK(place == 0);
  void *both[] = {&place, &number};
  WORKS(cudaMemRangeGetAttributes(both, (size_t[]){4, 4}, (int[]){1, 4}, 2, managed, 64));
  CHECK(place == 0 && number == 0);
  GIVES(cudaErrorInvalidDevice, cudaDeviceGetP2PAttribute(&place, 1, 0, 0));
  WORKS(cudaStreamSetAttribute(NULL, 3, &policy));
  policy.pad[0] = 0;
  WORKS(cudaStreamGetAttribute(NULL, 3, &policy));
  CHECK(policy.pad[0] == 3);
  GIVES(cudaErrorInvalidValue, cudaMemAdvise_v2(managed, 65, 1, there));
  WORKS(cudaMemAdvise_v2((char *)managed + 60, 4, 1, there));
  GIVES(cudaErrorInvalidValue, cudaMemAdvise_v2((char *)managed + 60, 5, 1, there));
  GIVES(cudaErrorInvalidValue, cudaMemAdvise_v2(NOBODY, 1, 1, there));
  GIVES(cudaErrorInvalidValue, cudaMalloc3D(NULL, (struct cudaExtent){1, 1, 1}));
  struct cudaPitchedPtr box;
  GIVES(cudaErrorInvalidValue, cudaMalloc3D(&box, (struct cudaExtent){1, (size_t)-1, 2}));
  WORKS(cudaMalloc3D(&box, (struct cudaExtent){4, 3, 2}));
  CHECK(box.pitch == 512 && box.xsize == 4 && box.ysize == 3);

  /* Sets of rows and boxes, and what stands around them. */
  static unsigned char all[2 * 3 * 512];
  WORKS(cudaMemset(box.ptr, 1, sizeof all));
  WORKS(cudaMemset2D((char *)box.ptr + 1, 512, 2, 2, 2));
  WORKS(cudaMemset2DAsync((char *)box.ptr + 5, 512, 3, 1, 3, NULL));
  GIVES(cudaErrorInvalidPitchValue, cudaMemset2D(box.ptr, 1, 2, 2, 2));
  WORKS(cudaMemset2D(box.ptr, 1, 2, 0, 2));
  WORKS(cudaMemset2D(box.ptr, 1, 2, 2, 0));
  struct cudaPitchedPtr inner = {(char *)box.ptr + 8, 512, 4, 3};
  WORKS(cudaMemset3D(inner, 4, (struct cudaExtent){2, 2, 2}));
  inner.ptr = (char *)box.ptr + 12;
  WORKS(cudaMemset3DAsync(inner, 5, (struct cudaExtent){1, 3, 1}, NULL));
  GIVES(cudaErrorInvalidResourceHandle, cudaMemset3DAsync(inner, 5, (struct cudaExtent){1, 1, 1}, NOBODY));
  WORKS(cudaMemcpy(all, box.ptr, sizeof all, cudaMemcpyDeviceToHost));
  static const char *rows_of[] = {"122113114411511", "122113114411511", "111113111111511",
                                  "111111114411111", "111111114411111", "111111111111111"};
  for (int row = 0; row < 6; row++)
    for (int x = 0; x < 15; x++) CHECK(all[512 * row + x] == rows_of[row][x] - '0');

  /* Copies of rows, of a box, to oneself. */
  unsigned char to[3][4] = {{0}};
  WORKS(cudaMemcpy2DAsync(to, 4, (char *)box.ptr + 1, 512, 3, 3, cudaMemcpyDeviceToHost, NULL));
  CHECK(to[0][0] == 2 && to[0][2] == 1 && to[0][3] == 0 && to[2][0] == 1);
  WORKS(cudaMemcpyPeer((char *)box.ptr + 20, 0, (char *)box.ptr + 1, 0, 2));
  GIVES(cudaErrorInvalidDevice, cudaMemcpyPeer(box.ptr, 1, box.ptr, 0, 2));
  GIVES(cudaErrorInvalidDevice, cudaMemcpyPeer(box.ptr, 0, box.ptr, 1, 2));
  WORKS(cudaMemcpyPeerAsync((char *)box.ptr + 22, 0, (char *)box.ptr + 8, 0, 1, NULL));
  WORKS(cudaMemcpyAsync(to, (char *)box.ptr + 20, 3, cudaMemcpyDefault, NULL));
  CHECK(to[0][0] == 2 && to[0][1] == 2 && to[0][2] == 4);
  struct cudaMemcpy3DPeerParms peer = {.srcPtr = box, .srcPos = {8, 0, 1}, .dstPtr = {to, 4, 4, 3}, .dstPos = {1, 1, 0}, .extent = {2, 2, 1}};
  memset(to, 0, sizeof to);
  WORKS(cudaMemcpy3DPeer(&peer));
  CHECK(to[0][1] == 0 && to[1][0] == 0 && to[1][1] == 4 && to[1][2] == 4 && to[2][1] == 4 && to[1][3] == 0);
  WORKS(cudaMemcpy3DPeerAsync(&peer, NULL));
  GIVES(cudaErrorInvalidValue, cudaMemcpy3DPeer(NULL));
  peer.srcDevice = 1;
  GIVES(cudaErrorInvalidDevice, cudaMemcpy3DPeer(&peer));
  peer.srcDevice = 0, peer.dstDevice = 1;
  GIVES(cudaErrorInvalidDevice, cudaMemcpy3DPeer(&peer));
}

static void images(void) {
  struct cudaChannelFormatDesc channels = {8, 0, 0, 0, cudaChannelFormatKindUnsigned}, its;
  unsigned char from[4][8], to[4][8] = {{0}};
  for (int i = 0; i < 32; i++) from[i / 8][i % 8] = (unsigned char)(i + 1);
  cudaArray_t array, other, level;
  cudaMipmappedArray_t mipmapped;
  struct cudaExtent extent;
  WORKS(cudaMallocArray(&array, &channels, 8, 4, 0));
  WORKS(cudaMalloc3DArray(&other, &channels, (struct cudaExtent){8, 4, 0}, 2));
  memset(&its, 0xff, sizeof its);
  WORKS(cudaGetChannelDesc(&its, array));
  CHECK(memcmp(&its, &channels, sizeof its) == 0);
  WORKS(cudaMemcpy2DToArrayAsync(array, 0, 0, from, 8, 8, 4, cudaMemcpyHostToDevice, NULL));
  WORKS(cudaMemcpy2DArrayToArray(other, 2, 1, array, 0, 0, 4, 2, cudaMemcpyDeviceToDevice));
  GIVES(cudaErrorInvalidMemcpyDirection, cudaMemcpy2DArrayToArray(other, 2, 1, array, 0, 0, 4, 2, cudaMemcpyHostToDevice));
  WORKS(cudaMemcpy2DFromArrayAsync(to, 8, other, 2, 1, 4, 2, cudaMemcpyDeviceToHost, NULL));
  CHECK(memcmp(to[0], from[0], 4) == 0 && memcmp(to[1], from[1], 4) == 0 && to[0][4] == 0 && to[2][0] == 0);
  WORKS(cudaMemcpyToArrayAsync(other, 1, 3, from, 7, cudaMemcpyHostToDevice, NULL));
  WORKS(cudaMemcpyFromArrayAsync(to, other, 1, 3, 7, cudaMemcpyDeviceToHost, NULL));
  CHECK(memcmp(to[0], from[0], 7) == 0 && to[0][7] == 0);
  GIVES(cudaErrorInvalidPitchValue, cudaMemcpy2DToArray(array, 0, 0, from, 7, 8, 2, cudaMemcpyHostToDevice));
  GIVES(cudaErrorInvalidPitchValue, cudaMemcpy2DFromArray(to, 7, array, 0, 0, 8, 2, cudaMemcpyDeviceToHost));
  GIVES(cudaErrorInvalidMemcpyDirection, cudaMemcpyToArray(array, 0, 0, from, 1, (cudaMemcpyKind)5));
  GIVES(cudaErrorInvalidMemcpyDirection, cudaMemcpyFromArray(to, array, 0, 0, 1, (cudaMemcpyKind)5));
  GIVES(cudaErrorInvalidMemcpyDirection, cudaMemcpyArrayToArray(other, 0, 0, array, 0, 0, 1, cudaMemcpyHostToHost));
  GIVES(cudaErrorInvalidValue, cudaMemcpyFromArray(to, array, 0, 4, 1, cudaMemcpyDeviceToHost));
  GIVES(cudaErrorInvalidValue, cudaMemcpyFromArray(to, array, 9, 0, 1, cudaMemcpyDeviceToHost));
  /* An array of one dimension has one row. */
  cudaArray_t line;
  WORKS(cudaMallocArray(&line, &channels, 8, 0, 0));
  WORKS(cudaMemcpyToArray(line, 1, 0, from, 7, cudaMemcpyHostToDevice));
  WORKS(cudaMemcpyFromArray(to, line, 2, 0, 6, cudaMemcpyDeviceToHost));
  CHECK(memcmp(to[0], &from[0][1], 6) == 0);
  GIVES(cudaErrorInvalidValue, cudaMemcpyToArray(line, 0, 1, from, 1, cudaMemcpyHostToDevice));
  WORKS(cudaFreeArray(line));
  GIVES(cudaErrorInvalidValue, cudaMallocMipmappedArray(NULL, &channels, (struct cudaExtent){8, 4, 0}, 3, 0));
  WORKS(cudaMallocMipmappedArray(&mipmapped, &channels, (struct cudaExtent){8, 4, 0}, 9, 0));
  /* 8 x 4, 4 x 2, 2 x 1, 1 x 1: a level is half as large, and 1 at least. */
  for (unsigned i = 0; i < 4; i++) {
    WORKS(cudaGetMipmappedArrayLevel(&level, mipmapped, i));
    WORKS(cudaArrayGetInfo(NULL, &extent, NULL, level));
    CHECK(extent.width == 8u >> i && extent.height == (i < 3 ? 4u >> i : 1) && extent.depth == 0);
  }
  GIVES(cudaErrorInvalidValue, cudaGetMipmappedArrayLevel(&level, mipmapped, 4));
  WORKS(cudaFreeMipmappedArray(mipmapped));
  WORKS(cudaFreeMipmappedArray(NULL));
  GIVES(cudaErrorInvalidResourceHandle, cudaGetMipmappedArrayLevel(&level, mipmapped, 0));
  struct cudaResourceDesc resource = {.resType = 0, .res.array.array = other}, given;
  cudaSurfaceObject_t surface;
  WORKS(cudaCreateSurfaceObject(&surface, &resource));
  WORKS(cudaGetSurfaceObjectResourceDesc(&given, surface));
  CHECK(given.resType == 0 && given.res.array.array == other);
  WORKS(cudaDestroySurfaceObject(surface));
  WORKS(cudaDestroySurfaceObject(0));
  GIVES(cudaErrorInvalidValue, cudaDestroySurfaceObject(surface));
  WORKS(cudaFreeArray(NULL));
}

static void libraries(void) {
  cudaLibrary_t library;
  cudaKernel_t kernel, all[3] = {NULL};
  unsigned count = 0;
  void *address = NULL;
  size_t bytes = 0, offset = 7;
  int value = 7;
  GIVES(cudaErrorInvalidValue, cudaLibraryLoadData(NULL, stepping, NULL, NULL, 0, NULL, NULL, 0));
  GIVES(cudaErrorFileNotFound, cudaLibraryLoadFromFile(&library, "/none/at/all", NULL, NULL, 0, NULL, NULL, 0));
  WORKS(cudaLibraryLoadData(&library, stepping, NULL, NULL, 0, NULL, NULL, 0));
  WORKS(cudaLibraryGetKernelCount(&count, library));
  CHECK(count == 2);
  WORKS(cudaLibraryGetKernel(&kernel, library, "second"));
  WORKS(cudaLibraryEnumerateKernels(all, 3, library));
  CHECK(all[0] != all[1] && (all[0] == kernel || all[1] == kernel) && all[2] == NULL);
  WORKS(cudaLibraryGetGlobal(&address, &bytes, library, "seen"));
  CHECK(address != NULL && bytes == 16);
  WORKS(cudaLibraryGetGlobal(NULL, &bytes, library, "step"));
  CHECK(bytes == 4);
  WORKS(cudaKernelSetAttributeForDevice(kernel, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, 9, 0));
  GIVES(cudaErrorInvalidDevice, cudaKernelSetAttributeForDevice(kernel, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, 9, 1));
  struct cudaFuncAttributes is;
  WORKS(cudaFuncGetAttributes(&is, kernel));
  CHECK(is.preferredShmemCarveout == 9 && is.maxDynamicSharedSizeBytes == 49152 && is.sharedSizeBytes == 0);
  WORKS(cudaFuncSetCacheConfig(kernel, 1));
  WORKS(cudaFuncGetParamInfo(kernel, 2, &offset, &bytes));
  CHECK(offset == 16 && bytes == 12);
  GIVES(cudaErrorInvalidValue, cudaFuncGetParamInfo(kernel, 3, &offset, &bytes));
  WORKS(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&value, kernel, 1024, 0));
  CHECK(value == 2);
  WORKS(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&value, kernel, 64, 0, 1));
  CHECK(value == 32);
  WORKS(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, kernel, 2, 1024));
  CHECK(bytes == 113 * 1024);
  cudaLaunchConfig_t config = {{1, 1, 1}, {16, 8, 8}, 0, NULL, NULL, 0};
  WORKS(cudaOccupancyMaxActiveClusters(&value, kernel, &config));
  CHECK(value == 2 * 16);
  WORKS(cudaOccupancyMaxPotentialClusterSize(&value, kernel, &config));
  CHECK(value == 8);
  GIVES(cudaErrorInvalidValue, cudaOccupancyMaxActiveClusters(NULL, kernel, &config));
  GIVES(cudaErrorInvalidValue, cudaOccupancyMaxPotentialClusterSize(&value, kernel, NULL));
  WORKS(cudaLibraryUnload(library));
  GIVES(cudaErrorInvalidResourceHandle, cudaLibraryGetKernelCount(&count, library));
}

/* What a kernel of 4 threads stores. */
static void *looked_up(const void *stub) {
  static unsigned out[4];
  unsigned *to;
  void *parameters[] = {&to};
  WORKS(cudaMalloc((void **)&to, sizeof out));
  WORKS(cudaLaunchKernel(stub, (dim3){1, 1, 1}, (dim3){4, 1, 1}, parameters, 0, NULL));
  WORKS(cudaMemcpy(out, to, sizeof out, cudaMemcpyDeviceToHost));
  WORKS(cudaFree(to));
  return out;
}

/* What nvcc 11 makes of `texture<...>` and `surface<...>` variables. */
static void references(void) {
  static struct textureReference plane = {.addressMode = {1, 1, 1}, .channelDesc = {8, 0, 0, 0, cudaChannelFormatKindUnsigned}};
  static struct textureReference line = {.channelDesc = {32, 0, 0, 0, cudaChannelFormatKindUnsigned}}, other;
  static struct surfaceReference canvas;
  static char look, fetch, paint;
  static const unsigned char bytes[] = {0, 51, 102, 255};
  static const unsigned words[] = {7, 8, 9, 10, 11};
  const struct textureReference *given;
  const struct surfaceReference *surface;
  void **handle = __cudaRegisterFatBinary((void *)(uintptr_t)referring);
  __cudaRegisterFunction(handle, &look, "look", "look", -1, NULL, NULL, NULL, NULL, NULL);
  __cudaRegisterFunction(handle, &fetch, "fetch", "fetch", -1, NULL, NULL, NULL, NULL, NULL);
  __cudaRegisterFunction(handle, &paint, "paint", "paint", -1, NULL, NULL, NULL, NULL, NULL);
  __cudaRegisterTexture(handle, &plane, NULL, "plane", 2, 1, 0);
  __cudaRegisterTexture(handle, &line, NULL, "line", 1, 0, 0);
  __cudaRegisterSurface(handle, &canvas, NULL, "canvas", 1, 0);
  __cudaRegisterFatBinaryEnd(handle);

  WORKS(cudaGetTextureReference(&given, &plane));
  CHECK(given == &plane);
  WORKS(cudaGetSurfaceReference(&surface, &canvas));
  CHECK(surface == &canvas);
  GIVES(cudaErrorInvalidTexture, cudaGetTextureReference(&given, &other));
  GIVES(cudaErrorInvalidSurface, cudaGetSurfaceReference(&surface, &plane));
  cudaArray_t array, painted;
  WORKS(cudaMallocArray(&array, &plane.channelDesc, 4, 1, 0));
  WORKS(cudaMemcpy2DToArray(array, 0, 0, bytes, 4, 4, 1, cudaMemcpyHostToDevice));
  WORKS(cudaBindTextureToArray(&plane, array, &plane.channelDesc));
  const float *fractions = looked_up(&look);
  CHECK(fractions[0] == 0 && fractions[1] == 0.2f && fractions[3] == 1);
  /* Coordinates that run from 0 to 1 are all clamped to the last texel but the first. */
  plane.normalized = 1;
  WORKS(cudaBindTextureToArray(&plane, array, &plane.channelDesc));
  fractions = looked_up(&look);
  CHECK(fractions[0] == 0.4f && fractions[1] == 1);

  unsigned *memory;
  size_t offset = 7;
  WORKS(cudaMalloc((void **)&memory, sizeof words));
  WORKS(cudaMemcpy(memory, words, sizeof words, cudaMemcpyHostToDevice));
  GIVES(cudaErrorInvalidValue, cudaBindTexture(NULL, &line, memory + 1, &line.channelDesc, 16));
  WORKS(cudaBindTexture(&offset, &line, memory + 1, &line.channelDesc, 0xffffffff));
  CHECK(offset == 4);
  offset = 7;
  WORKS(cudaGetTextureAlignmentOffset(&offset, &line));
  CHECK(offset == 4);
  CHECK(memcmp(looked_up(&fetch), words, 16) == 0);
  WORKS(cudaBindTexture2D(&offset, &plane, memory, &line.channelDesc, 4, 1, 32));
  CHECK(offset == 0);

  WORKS(cudaMallocArray(&painted, &line.channelDesc, 4, 0, 2));
  WORKS(cudaMemcpy2DToArray(painted, 0, 0, words, 16, 16, 1, cudaMemcpyHostToDevice));
  GIVES(cudaErrorInvalidValue, cudaBindSurfaceToArray(&canvas, array, &line.channelDesc));
  WORKS(cudaBindSurfaceToArray(&canvas, painted, &line.channelDesc));
  WORKS(cudaLaunchKernel(&paint, (dim3){1, 1, 1}, (dim3){4, 1, 1}, NULL, 0, NULL));
  unsigned out[4];
  WORKS(cudaMemcpy2DFromArray(out, 16, painted, 0, 0, 16, 1, cudaMemcpyDeviceToHost));
  CHECK(out[0] == 107 && out[3] == 110);
  WORKS(cudaUnbindTexture(&line));
  void *parameters[] = {&memory};
  cudaLaunchKernel(&fetch, (dim3){1, 1, 1}, (dim3){4, 1, 1}, parameters, 0, NULL);
  GIVES(cudaErrorLaunchFailure, cudaDeviceSynchronize());
}

static const struct part_of_test parts[] = {
    {"devices", devices}, {"flows", flows}, {"pools", pools}, {"memory", memory}, {"images", images}, {"libraries", libraries},
    {"references", references},
};

int main(int argc, char **argv) { return run_part(parts, COUNT(parts), argc, argv); }
