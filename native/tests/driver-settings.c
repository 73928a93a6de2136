/* What devices, contexts, streams, events, pools and kernels are asked for and told; nothing of it changes what is computed. */
#include <dlfcn.h>
#include <limits.h>

#include "driver-check.h"
#include "driver-kernels.h"

/* No handle at all. */
#define NOBODY ((void *)(uintptr_t)0x10)

static void run_device(void) {
  CUdevice device = 7;
  CUuuid uuid;
  CUdevprop properties;
  char text[32];
  size_t bytes;
  int value, other;
  CUcontext context;
  GIVES(CUDA_ERROR_NOT_INITIALIZED, cuDeviceGetUuid(&uuid, 0));
  GIVES(CUDA_ERROR_NOT_INITIALIZED, cuDevicePrimaryCtxRetain(&context, 0));
  WORKS(cuInit(0));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuDeviceGetUuid(NULL, 0));
  GIVES(CUDA_ERROR_INVALID_DEVICE, cuDeviceGetUuid(&uuid, 1));
  WORKS(cuDeviceGetUuid(&uuid, 0));
  CHECK(memcmp(uuid.bytes, "ptxrun device 0", 16) == 0);
  GIVES(CUDA_ERROR_INVALID_VALUE, cuDeviceGetProperties(NULL, 0));
  GIVES(CUDA_ERROR_INVALID_DEVICE, cuDeviceGetProperties(&properties, 1));
  WORKS(cuDeviceGetProperties(&properties, 0));
  CHECK(properties.maxThreadsPerBlock == 1024 && properties.maxThreadsDim[0] == 1024 && properties.maxThreadsDim[1] == 1024);
  CHECK(properties.maxThreadsDim[2] == 64 && properties.maxGridSize[0] == INT_MAX && properties.maxGridSize[1] == 65535);
  CHECK(properties.maxGridSize[2] == 65535 && properties.sharedMemPerBlock == 49152 && properties.SIMDWidth == 32);
  /* What has an attribute as well: constant memory, pitch, registers, kHz, alignment. */
  const int same[][2] = {{9, properties.totalConstantMemory}, {11, properties.memPitch}, {12, properties.regsPerBlock},
                         {13, properties.clockRate}, {14, properties.textureAlign}};
  for (int i = 0; i < COUNT(same); i++) {
    WORKS(cuDeviceGetAttribute(&value, same[i][0], 0));
    CHECK(value == same[i][1]);
  }
  GIVES(CUDA_ERROR_INVALID_VALUE, cuDeviceGetCount(NULL));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuDeviceGet(NULL, 0));
  GIVES(CUDA_ERROR_INVALID_DEVICE, cuDeviceGet(&device, -1));
  WORKS(cuDeviceGet(&device, 0));
  CHECK(device == 0);
  GIVES(CUDA_ERROR_INVALID_VALUE, cuDeviceGetName(NULL, 9, 0));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuDeviceGetName(text, 0, 0));
  GIVES(CUDA_ERROR_INVALID_DEVICE, cuDeviceGetName(text, 9, 1));
  WORKS(cuDeviceGetName(text, 4, 0));
  CHECK(strcmp(text, "ptx") == 0);
  GIVES(CUDA_ERROR_INVALID_VALUE, cuDeviceTotalMem_v2(NULL, 0));
  GIVES(CUDA_ERROR_INVALID_DEVICE, cuDeviceTotalMem_v2(&bytes, 1));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuDeviceComputeCapability(NULL, &value, 0));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuDeviceComputeCapability(&value, NULL, 0));
  GIVES(CUDA_ERROR_INVALID_DEVICE, cuDeviceComputeCapability(&value, &other, 1));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuDeviceGetAttribute(NULL, 1, 0));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuDeviceGetAttribute(&value, 148, 0));
  WORKS(cuDeviceGetAttribute(&value, 147, 0));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuDeviceCanAccessPeer(NULL, 0, 0));
  GIVES(CUDA_ERROR_INVALID_DEVICE, cuDeviceCanAccessPeer(&value, 1, 0));
  GIVES(CUDA_ERROR_INVALID_DEVICE, cuDeviceCanAccessPeer(&value, 0, 1));
  WORKS(cuDeviceCanAccessPeer(&value, 0, 0));
  CHECK(value == 0);
  GIVES(CUDA_ERROR_INVALID_VALUE, cuDeviceGetPCIBusId(NULL, 13, 0));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuDeviceGetPCIBusId(text, 0, 0));
  GIVES(CUDA_ERROR_INVALID_DEVICE, cuDeviceGetPCIBusId(text, 13, 1));
  WORKS(cuDeviceGetPCIBusId(text, 13, 0));
  device = 7;
  GIVES(CUDA_ERROR_INVALID_VALUE, cuDeviceGetByPCIBusId(NULL, text));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuDeviceGetByPCIBusId(&device, NULL));
  GIVES(CUDA_ERROR_INVALID_DEVICE, cuDeviceGetByPCIBusId(&device, "0000:01:00.0"));
  WORKS(cuDeviceGetByPCIBusId(&device, text));
  CHECK(device == 0);
  GIVES(CUDA_ERROR_INVALID_VALUE, cuDriverGetVersion(NULL));
}

/* The numbers of CU_DEVICE_ATTRIBUTE_ that the programming guide's table of compute capabilities has, and some others. */
static void run_attributes(void) {
  static const int asked[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 16, 39, 75, 76, 81, 82, 97, 106, 111, 120};
  WORKS(cuInit(0));
  for (int i = 0; i < COUNT(asked); i++) {
    int value;
    WORKS(cuDeviceGetAttribute(&value, asked[i], 0));
    printf("%d ", value);
  }
  printf("\n");
  /* Yes or no: overlap, mapped host memory, concurrent kernels, unified addresses, priorities, L1, managed memory, cooperation, pools,
     words of streams, virtual memory, descriptors, events between processes. */
  static const int yes[] = {15, 19, 31, 41, 78, 79, 80, 83, 91, 92, 93, 94, 95, 98, 99, 102, 103, 113, 115, 119, 122, 123, 125};
  static const int no[] = {17, 18, 20, 32, 35, 89, 96, 100, 101, 104, 112, 128};
  for (int i = 0; i < COUNT(yes) + COUNT(no); i++) {
    int value;
    WORKS(cuDeviceGetAttribute(&value, i < COUNT(yes) ? yes[i] : no[i - COUNT(yes)], 0));
    CHECK(value == (i < COUNT(yes)));
  }
  /* Where the system takes no shared memory, a block may have none: as many fit as a multiprocessor has at most. */
  int taken, most, blocks;
  WORKS(cuDeviceGetAttribute(&taken, 111, 0));
  WORKS(cuDeviceGetAttribute(&most, 106, 0));
  if (taken > 0) return;
  begin();
  WORKS(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel_of(stepping, "second"), 32, 0));
  CHECK(blocks == most);
}

static void run_settings(void) {
  CUcontext context, other, found;
  CUdevice device = 7;
  unsigned flags, version;
  unsigned long long id, second;
  int value = 7, least = 7, greatest = 7;
  size_t size;
  WORKS(cuInit(0));
  GIVES(CUDA_ERROR_INVALID_CONTEXT, cuCtxGetDevice(&device));
  GIVES(CUDA_ERROR_INVALID_CONTEXT, cuCtxGetFlags(&flags));
  GIVES(CUDA_ERROR_INVALID_CONTEXT, cuCtxGetId(NULL, &id));
  GIVES(CUDA_ERROR_INVALID_CONTEXT, cuCtxPopCurrent_v2(NULL));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuCtxCreate_v2(NULL, 0, 0));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuCtxCreate_v2(&context, 0x100, 0));
  GIVES(CUDA_ERROR_INVALID_DEVICE, cuCtxCreate_v2(&context, 0, 1));
  GIVES(CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY, cuCtxCreate_v3(&context, NOBODY, 0, 0, 0));
  GIVES(CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY, cuCtxCreate_v3(&context, NULL, 1, 0, 0));
  WORKS(cuCtxCreate_v3(&other, NULL, 0, 0, 0));
  WORKS(cuCtxCreate_v4(&context, NULL, 8, 0));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuCtxGetDevice(NULL));
  WORKS(cuCtxGetDevice(&device));
  CHECK(device == 0);
  GIVES(CUDA_ERROR_INVALID_VALUE, cuCtxGetFlags(NULL));
  WORKS(cuCtxGetFlags(&flags));
  CHECK(flags == 8);
  GIVES(CUDA_ERROR_INVALID_VALUE, cuCtxSetFlags(0x100));
  WORKS(cuCtxSetFlags(0x1f));
  WORKS(cuCtxGetFlags(&flags));
  CHECK(flags == 0x1f);
  GIVES(CUDA_ERROR_INVALID_VALUE, cuCtxGetId(context, NULL));
  GIVES(CUDA_ERROR_INVALID_CONTEXT, cuCtxGetId(NOBODY, &id));
  WORKS(cuCtxGetId(NULL, &id));
  WORKS(cuCtxGetId(context, &second));
  CHECK(id == second);
  WORKS(cuCtxGetId(other, &second));
  CHECK(id != second);
  GIVES(CUDA_ERROR_INVALID_VALUE, cuCtxGetApiVersion(context, NULL));
  GIVES(CUDA_ERROR_INVALID_CONTEXT, cuCtxGetApiVersion(NOBODY, &version));
  WORKS(cuCtxGetApiVersion(context, &version));
  CHECK(version == 3020);
  WORKS(cuCtxGetStreamPriorityRange(NULL, NULL));
  WORKS(cuCtxGetStreamPriorityRange(&least, &greatest));
  CHECK(least == 0 && greatest == 0);
  GIVES(CUDA_ERROR_INVALID_VALUE, cuCtxGetLimit(NULL, 0));
  GIVES(CUDA_ERROR_UNSUPPORTED_LIMIT, cuCtxGetLimit(&size, 10));
  GIVES(CUDA_ERROR_UNSUPPORTED_LIMIT, cuCtxGetLimit(&size, -1));
  GIVES(CUDA_ERROR_UNSUPPORTED_LIMIT, cuCtxSetLimit(10, 1));
  GIVES(CUDA_ERROR_UNSUPPORTED_LIMIT, cuCtxSetLimit(-1, 1));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuCtxSetLimit(0, ((size_t)1 << 30) + 1));
  WORKS(cuCtxSetLimit(2, (size_t)1 << 30));
  WORKS(cuCtxGetLimit(&size, 2));
  CHECK(size == (size_t)1 << 30);
  /* What devices begin with: bytes of a stack, of printf's buffer, of the heap. */
  static const size_t first[] = {1024, 1 << 20, 8 << 20};
  WORKS(cuCtxSetCurrent(other));
  for (int i = 0; i < COUNT(first); i++) {
    WORKS(cuCtxGetLimit(&size, i));
    CHECK(size == first[i]);
  }
  GIVES(CUDA_ERROR_INVALID_VALUE, cuCtxGetCacheConfig(NULL));
  WORKS(cuCtxSetCacheConfig(2));
  WORKS(cuCtxGetCacheConfig(&value));
  CHECK(value == 0);
  GIVES(CUDA_ERROR_INVALID_VALUE, cuCtxGetSharedMemConfig(NULL));
  WORKS(cuCtxSetSharedMemConfig(2));
  WORKS(cuCtxResetPersistingL2Cache());
  GIVES(CUDA_ERROR_INVALID_VALUE, cuCtxEnablePeerAccess(context, 1));
  GIVES(CUDA_ERROR_INVALID_CONTEXT, cuCtxEnablePeerAccess(NOBODY, 0));
  GIVES(CUDA_ERROR_PEER_ACCESS_UNSUPPORTED, cuCtxEnablePeerAccess(context, 0));
  WORKS(cuProfilerStart());
  WORKS(cuProfilerStop());
  GIVES(CUDA_ERROR_INVALID_VALUE, cuCtxGetCurrent(NULL));
  GIVES(CUDA_ERROR_INVALID_CONTEXT, cuCtxSetCurrent(NOBODY));
  GIVES(CUDA_ERROR_INVALID_CONTEXT, cuCtxPushCurrent_v2(NOBODY));
  GIVES(CUDA_ERROR_INVALID_CONTEXT, cuCtxDestroy_v2(NOBODY));
  /* Of CUDA 13, and for those who ask for that: a client that tries NAME_v2 first means something else. */
  CUresult (*synchronize)(CUcontext);
  WORKS(cuGetProcAddress_v2("cuCtxSynchronize", (void **)&synchronize, 13000, 0, NULL));
  GIVES(CUDA_ERROR_INVALID_CONTEXT, synchronize(NOBODY));
  WORKS(synchronize(NULL));
  WORKS(synchronize(context));
  CHECK(dlsym(RTLD_DEFAULT, "cuCtxSynchronize") != NULL && dlsym(RTLD_DEFAULT, "cuCtxSynchronize_v2") == NULL);
  CHECK(dlsym(RTLD_DEFAULT, "cuCtxGetDevice_v2") == NULL);
  WORKS(cuCtxPushCurrent_v2(context));
  WORKS(cuCtxPopCurrent_v2(&found));
  CHECK(found == context);
  WORKS(cuCtxGetCurrent(&found));
  CHECK(found == other);
  /* A stack of contexts has 64 of them. */
  for (int depth = 2; depth < 64; depth++) WORKS(cuCtxPushCurrent_v2(context));
  GIVES(CUDA_ERROR_OUT_OF_MEMORY, cuCtxPushCurrent_v2(context));
  for (int depth = 2; depth < 64; depth++) WORKS(cuCtxPopCurrent_v2(NULL));
  WORKS(cuCtxDestroy_v2(other));
  WORKS(cuCtxSetCurrent(NULL));
  WORKS(cuCtxGetCurrent(&found));
  CHECK(found == NULL);
}

static void run_primary(void) {
  CUcontext context, again;
  unsigned flags = 7;
  int active = 7;
  WORKS(cuInit(0));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuDevicePrimaryCtxGetState(0, NULL, &active));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuDevicePrimaryCtxGetState(0, &flags, NULL));
  GIVES(CUDA_ERROR_INVALID_DEVICE, cuDevicePrimaryCtxGetState(1, &flags, &active));
  WORKS(cuDevicePrimaryCtxGetState(0, &flags, &active));
  CHECK(flags == 0 && active == 0);
  GIVES(CUDA_ERROR_INVALID_CONTEXT, cuDevicePrimaryCtxRelease_v2(0));
  GIVES(CUDA_ERROR_INVALID_DEVICE, cuDevicePrimaryCtxRelease_v2(1));
  GIVES(CUDA_ERROR_INVALID_DEVICE, cuDevicePrimaryCtxReset_v2(1));
  WORKS(cuDevicePrimaryCtxReset_v2(0));
  GIVES(CUDA_ERROR_INVALID_DEVICE, cuDevicePrimaryCtxSetFlags_v2(1, 0));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuDevicePrimaryCtxSetFlags_v2(0, 0x100));
  WORKS(cuDevicePrimaryCtxSetFlags_v2(0, 4));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuDevicePrimaryCtxRetain(NULL, 0));
  GIVES(CUDA_ERROR_INVALID_DEVICE, cuDevicePrimaryCtxRetain(&context, 1));
  WORKS(cuDevicePrimaryCtxRetain(&context, 0));
  WORKS(cuDevicePrimaryCtxRetain(&again, 0));
  CHECK(context == again);
  GIVES(CUDA_ERROR_INVALID_CONTEXT, cuCtxDestroy_v2(context));
  WORKS(cuDevicePrimaryCtxGetState(0, &flags, &active));
  CHECK(flags == 4 && active == 1);
  WORKS(cuCtxSetCurrent(context));
  WORKS(cuCtxGetFlags(&flags));
  CHECK(flags == 4);
  WORKS(cuDevicePrimaryCtxSetFlags_v2(0, 2));
  WORKS(cuCtxGetFlags(&flags));
  CHECK(flags == 2);
  WORKS(cuDevicePrimaryCtxRelease_v2(0));
  WORKS(cuCtxSynchronize());
  WORKS(cuDevicePrimaryCtxReset_v2(0));
  WORKS(cuCtxSynchronize());
  WORKS(cuDevicePrimaryCtxRelease_v2(0));
  GIVES(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuCtxSynchronize());
  WORKS(cuDevicePrimaryCtxGetState(0, &flags, &active));
  CHECK(active == 0);
  WORKS(cuDevicePrimaryCtxRetain(&again, 0));
  CHECK(again == context);
  WORKS(cuCtxSynchronize());
}

static int called;
static void count_call(void *data) { called += *(int *)data; }
static void count_status(CUstream stream, CUresult status, void *data) {
  CHECK(stream == NULL || status == CUDA_SUCCESS);
  called += *(int *)data;
}

static void run_flows(void) {
  CUcontext context = begin(), other, its;
  CUstream stream, foreign;
  CUevent event, timed, late;
  unsigned flags = 7;
  unsigned long long id, second;
  int value = 7, many = 100, device = 7;
  float milliseconds = -1, back;
  GIVES(CUDA_ERROR_INVALID_VALUE, cuStreamCreate(NULL, 0));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuStreamCreate(&stream, 2));
  WORKS(cuStreamCreateWithPriority(&stream, 1, -5));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuStreamGetFlags(stream, NULL));
  WORKS(cuStreamGetFlags(stream, &flags));
  CHECK(flags == 1);
  WORKS(cuStreamGetFlags(NULL, &flags));
  CHECK(flags == 0);
  /* There is one priority, to which all are brought. */
  GIVES(CUDA_ERROR_INVALID_VALUE, cuStreamGetPriority(stream, NULL));
  WORKS(cuStreamGetPriority(stream, &value));
  CHECK(value == 0);
  GIVES(CUDA_ERROR_INVALID_VALUE, cuStreamGetId(stream, NULL));
  WORKS(cuStreamGetId(stream, &id));
  WORKS(cuStreamGetId(NULL, &second));
  CHECK(id != second);
  GIVES(CUDA_ERROR_INVALID_VALUE, cuStreamGetDevice(stream, NULL));
  WORKS(cuStreamGetDevice(stream, &device));
  CHECK(device == 0);
  GIVES(CUDA_ERROR_INVALID_VALUE, cuStreamIsCapturing(stream, NULL));
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_INVALIDATED;
  WORKS(cuStreamIsCapturing(stream, &status));
  CHECK(status == CU_STREAM_CAPTURE_STATUS_NONE);
  GIVES(CUDA_ERROR_INVALID_VALUE, cuStreamGetCtx(stream, NULL));
  WORKS(cuCtxCreate_v2(&other, 0, 0));
  WORKS(cuStreamCreate(&foreign, 0));
  WORKS(cuStreamGetCtx(stream, &its));
  CHECK(its == context);
  WORKS(cuStreamGetCtx(NULL, &its));
  CHECK(its == other);
  WORKS(cuCtxSetCurrent(context));
  WORKS(cuStreamAttachMemAsync(stream, 0, 0, 4));
  WORKS(cuStreamQuery(stream));
  WORKS(cuStreamSynchronize(NULL));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuLaunchHostFunc(stream, NULL, NULL));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuStreamAddCallback(stream, NULL, NULL, 0));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuStreamAddCallback(stream, count_status, &many, 1));
  GIVES(CUDA_ERROR_INVALID_HANDLE, cuLaunchHostFunc(NOBODY, count_call, &many));
  GIVES(CUDA_ERROR_INVALID_HANDLE, cuStreamAddCallback(NOBODY, count_status, &many, 0));
  WORKS(cuLaunchHostFunc(stream, count_call, &(int){1}));
  WORKS(cuStreamAddCallback(stream, count_status, &(int){2}, 0));
  CHECK(called == 3);

  GIVES(CUDA_ERROR_INVALID_VALUE, cuEventCreate(NULL, 0));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuEventCreate(&event, 8));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuEventCreate(&event, 4));
  WORKS(cuEventCreate(&event, 6));
  WORKS(cuEventCreate(&timed, 1));
  WORKS(cuEventCreate(&late, 0));
  GIVES(CUDA_ERROR_INVALID_HANDLE, cuEventElapsedTime_v2(&milliseconds, timed, late));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuEventRecordWithFlags(timed, stream, 2));
  GIVES(CUDA_ERROR_INVALID_HANDLE, cuEventRecord(timed, NOBODY));
  GIVES(CUDA_ERROR_INVALID_HANDLE, cuEventRecord(timed, foreign));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuEventRecordWithFlags(timed, stream, 1));
  WORKS(cuEventRecordWithFlags(timed, stream, 0));
  GIVES(CUDA_ERROR_INVALID_HANDLE, cuEventElapsedTime_v2(&milliseconds, timed, late));
  GIVES(CUDA_ERROR_INVALID_HANDLE, cuEventElapsedTime_v2(&milliseconds, late, timed));
  WORKS(cuEventRecord(late, CU_STREAM_LEGACY));
  WORKS(cuEventRecord(event, CU_STREAM_PER_THREAD));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuEventElapsedTime_v2(NULL, timed, late));
  GIVES(CUDA_ERROR_INVALID_HANDLE, cuEventElapsedTime_v2(&milliseconds, event, late));
  GIVES(CUDA_ERROR_INVALID_HANDLE, cuEventElapsedTime_v2(&milliseconds, timed, event));
  GIVES(CUDA_ERROR_INVALID_HANDLE, cuEventElapsedTime_v2(&milliseconds, NOBODY, late));
  GIVES(CUDA_ERROR_INVALID_HANDLE, cuEventElapsedTime_v2(&milliseconds, timed, NOBODY));
  WORKS(cuEventElapsedTime_v2(&milliseconds, timed, late));
  WORKS(cuEventElapsedTime_v2(&back, late, timed));
  CHECK(milliseconds >= 0 && milliseconds < 3600000 && back == -milliseconds);
  WORKS(cuEventQuery(event));
  WORKS(cuEventSynchronize(timed));
  GIVES(CUDA_ERROR_INVALID_HANDLE, cuEventSynchronize(NOBODY));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuStreamWaitEvent(stream, timed, 2));
  GIVES(CUDA_ERROR_INVALID_HANDLE, cuStreamWaitEvent(stream, NOBODY, 0));
  GIVES(CUDA_ERROR_INVALID_HANDLE, cuStreamWaitEvent(NOBODY, timed, 0));
  WORKS(cuStreamWaitEvent(stream, timed, 0));
  WORKS(cuEventDestroy_v2(timed));
  GIVES(CUDA_ERROR_INVALID_HANDLE, cuEventDestroy_v2(timed));
  WORKS(cuStreamDestroy_v2(stream));
  GIVES(CUDA_ERROR_INVALID_HANDLE, cuStreamDestroy_v2(stream));
  GIVES(CUDA_ERROR_INVALID_HANDLE, cuStreamDestroy_v2(NULL));
  GIVES(CUDA_ERROR_INVALID_HANDLE, cuStreamSynchronize(stream));
  GIVES(CUDA_ERROR_INVALID_HANDLE, cuStreamGetFlags(stream, &flags));
  GIVES(CUDA_ERROR_INVALID_HANDLE, cuStreamGetPriority(stream, &value));
  GIVES(CUDA_ERROR_INVALID_HANDLE, cuStreamGetId(stream, &id));
  GIVES(CUDA_ERROR_INVALID_HANDLE, cuStreamGetDevice(stream, &device));
  GIVES(CUDA_ERROR_INVALID_HANDLE, cuStreamGetCtx(stream, &its));
  GIVES(CUDA_ERROR_INVALID_HANDLE, cuStreamIsCapturing(stream, &status));
  GIVES(CUDA_ERROR_INVALID_HANDLE, cuStreamAttachMemAsync(stream, 0, 0, 4));
  /* A callback hears that its context is gone. */
  for (int depth = 0; depth < 2; depth++) WORKS(cuCtxSetCurrent(NULL));
  GIVES(CUDA_ERROR_INVALID_CONTEXT, cuLaunchHostFunc(NULL, count_call, &many));
  GIVES(CUDA_ERROR_INVALID_CONTEXT, cuEventElapsedTime_v2(&milliseconds, late, late));
  WORKS(cuStreamAddCallback(NULL, count_status, &(int){4}, 0));
  CHECK(called == 7);
}

/* Copies in streams and between contexts, planes of texels, and launches that are refused. */
static void run_transfers(void) {
  CUcontext context = begin();
  unsigned char from[8] = {1, 2, 3, 4, 5, 6, 7, 8}, to[8] = {0};
  CUdeviceptr data = device_copy(to, 8), other = device_copy(to, 8);
  int mode = 0;
  WORKS(cuMemcpyHtoDAsync_v2(data, from, 8, NULL));
  WORKS(cuMemcpyDtoDAsync_v2(other, data, 3, NULL));
  WORKS(cuMemcpyPeer(other + 3, context, data, context, 2));
  WORKS(cuMemcpyPeerAsync(other + 5, context, data, context, 1, NULL));
  WORKS(cuMemcpyAsync((CUdeviceptr)(uintptr_t)to, other, 7, NULL));
  CHECK(memcmp(to, (unsigned char[]){1, 2, 3, 1, 2, 1, 0, 0}, 8) == 0);
  GIVES(CUDA_ERROR_INVALID_CONTEXT, cuMemcpyPeer(other, NOBODY, data, context, 2));
  GIVES(CUDA_ERROR_INVALID_CONTEXT, cuMemcpyPeer(other, context, data, NOBODY, 2));
  GIVES(CUDA_ERROR_INVALID_HANDLE, cuMemcpyHtoDAsync_v2(data, from, 8, NOBODY));
  GIVES(CUDA_ERROR_INVALID_HANDLE, cuMemcpyDtoDAsync_v2(other, data, 3, NOBODY));
  GIVES(CUDA_ERROR_INVALID_HANDLE, cuMemcpyAsync(other, data, 3, NOBODY));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuModuleGetLoadingMode(NULL));
  WORKS(cuModuleGetLoadingMode(&mode));
  CHECK(mode == 1 || mode == 2);

  CUarray array, flat;
  CUDA_ARRAY_DESCRIPTOR plane = {3, 2, CU_AD_FORMAT_UNSIGNED_INT16, 4}, its;
  CUDA_ARRAY3D_DESCRIPTOR whole;
  GIVES(CUDA_ERROR_INVALID_VALUE, cuArrayCreate_v2(NULL, &plane));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuArrayCreate_v2(&array, NULL));
  WORKS(cuArrayCreate_v2(&array, &plane));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuArrayGetDescriptor_v2(NULL, array));
  GIVES(CUDA_ERROR_INVALID_HANDLE, cuArrayGetDescriptor_v2(&its, NOBODY));
  WORKS(cuArrayGetDescriptor_v2(&its, array));
  CHECK(its.Width == 3 && its.Height == 2 && its.Format == CU_AD_FORMAT_UNSIGNED_INT16 && its.NumChannels == 4);
  GIVES(CUDA_ERROR_INVALID_VALUE, cuArray3DGetDescriptor_v2(NULL, array));
  WORKS(cuArray3DGetDescriptor_v2(&whole, array));
  CHECK(whole.Width == 3 && whole.Height == 2 && whole.Depth == 0 && whole.Flags == 0);
  whole.Height = 0, whole.NumChannels = 1;
  GIVES(CUDA_ERROR_INVALID_VALUE, cuArray3DCreate_v2(NULL, &whole));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuArray3DCreate_v2(&flat, NULL));
  WORKS(cuArray3DCreate_v2(&flat, &whole));
  /* Six bytes: all of a line, from its beginning or behind it, some in its middle, and not beyond its end. */
  WORKS(cuMemcpyHtoA_v2(flat, 0, from, 6));
  WORKS(cuMemcpyAtoH_v2(to, flat, 2, 4));
  CHECK(to[0] == 3 && to[3] == 6);
  WORKS(cuMemcpyHtoA_v2(flat, 2, from, 2));
  WORKS(cuMemcpyAtoH_v2(to, flat, 0, 6));
  CHECK(memcmp(to, (unsigned char[]){1, 2, 1, 2, 5, 6}, 6) == 0);
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpyAtoH_v2(to, flat, 2, 5));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoA_v2(flat, 0, from, 7));
  WORKS(cuArrayDestroy(flat));
  GIVES(CUDA_ERROR_INVALID_HANDLE, cuArrayDestroy(flat));

  CUfunction function = kernel_of(clustered, "clustered");
  CUdeviceptr words = device_copy((unsigned[8]){0}, 32);
  void *parameters[] = {&words};
  CUlaunchAttribute cluster = {.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION};
  CUlaunchConfig config = {4, 2, 2, 1, 1, 1, 0, NULL, &cluster, 1};
  for (int axis = 0; axis < 3; axis++) {
    unsigned sizes[] = {1, 1, 1};
    sizes[axis] = 0;
    cluster.value.clusterDim.x = sizes[0], cluster.value.clusterDim.y = sizes[1], cluster.value.clusterDim.z = sizes[2];
    GIVES(CUDA_ERROR_INVALID_VALUE, cuLaunchKernelEx(&config, function, parameters, NULL));
    sizes[axis] = 3;
    cluster.value.clusterDim.x = sizes[0], cluster.value.clusterDim.y = sizes[1], cluster.value.clusterDim.z = sizes[2];
    GIVES(CUDA_ERROR_INVALID_CLUSTER_SIZE, cuLaunchKernelEx(&config, function, parameters, NULL));
  }
  config.attrs = NULL;
  GIVES(CUDA_ERROR_INVALID_VALUE, cuLaunchKernelEx(&config, function, parameters, NULL));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuLaunchKernelEx(NULL, function, parameters, NULL));
}

/* Words that streams write and wait for, their attributes, and many copies at once. */
static void run_streams(void) {
  CUcontext context = begin(), its;
  CUstream stream, other;
  CUdeviceptr memory, shared, to[2], from[2];
  CUlaunchAttributeValue value = {.pad = {7}}, given;
  uint64_t words[2] = {0, 0};
  size_t sizes[2] = {8, 8}, zero = 0, failed = 7;
  void *green = &green;
  WORKS(cuStreamCreate(&stream, 1));
  WORKS(cuStreamCreate(&other, 1));
  WORKS(cuMemAlloc_v2(&memory, 32));
  WORKS(cuMemsetD8_v2(memory, 0, 32));
  WORKS(cuMemAllocManaged(&shared, 32, 1));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuStreamWriteValue32_v2(stream, memory + 2, 1, 0));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuStreamWriteValue32_v2(stream, 0, 1, 0));
  GIVES(CUDA_ERROR_INVALID_HANDLE, cuStreamWriteValue32_v2(NOBODY, memory, 1, 0));
  WORKS(cuStreamWriteValue32_v2(stream, memory, 0xfffffff0, 0));
  WORKS(cuStreamWriteValue64_v2(NULL, memory + 8, 0x1234567890, 1));
  WORKS(cuMemcpyDtoH_v2(words, memory, 16));
  CHECK(words[0] == 0xfffffff0 && words[1] == 0x1234567890);
  /* Greater or equal as numbers that go round, equal, a bit of it, a bit of neither. */
  WORKS(cuStreamWaitValue32_v2(stream, memory, 0xffffffe0, 0));
  WORKS(cuStreamWaitValue32_v2(stream, memory, 0x80000000, 0));
  GIVES(CUDA_ERROR_NOT_SUPPORTED, cuStreamWaitValue32_v2(stream, memory, 1, 0));
  WORKS(cuStreamWaitValue32_v2(stream, memory, 0xfffffff0, 1));
  GIVES(CUDA_ERROR_NOT_SUPPORTED, cuStreamWaitValue32_v2(stream, memory, 0xfffffff1, 1));
  WORKS(cuStreamWaitValue32_v2(stream, memory, 0x10, 2));
  GIVES(CUDA_ERROR_NOT_SUPPORTED, cuStreamWaitValue32_v2(stream, memory, 0xf, 2));
  WORKS(cuStreamWaitValue32_v2(stream, memory, 0x7, 3 | 1u << 30));
  GIVES(CUDA_ERROR_NOT_SUPPORTED, cuStreamWaitValue32_v2(stream, memory, 0xf, 3));
  WORKS(cuStreamWaitValue64_v2(stream, memory + 8, 0x1234567890, 1));
  GIVES(CUDA_ERROR_NOT_SUPPORTED, cuStreamWaitValue64_v2(stream, memory + 8, 0x1234567891, 0));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuStreamWaitValue64_v2(stream, memory + 4, 0, 0));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuStreamWaitValue64_v2(stream, memory, 0, 4));
  CUstreamBatchMemOpParams all[4] = {{.value = {2, shared, 5, 0, 0}}, {.value = {1, shared, 5, 1, 0}}, {.operation = 6},
                                     {.value = {5, shared + 8, 6, 0, 0}}};
  WORKS(cuStreamBatchMemOp_v2(stream, 4, all, 0));
  CHECK(*(uint32_t *)(uintptr_t)shared == 5 && *(uint64_t *)(uintptr_t)(shared + 8) == 6);
  all[3].operation = 7;
  GIVES(CUDA_ERROR_INVALID_VALUE, cuStreamBatchMemOp_v2(stream, 4, all, 0));

  GIVES(CUDA_ERROR_INVALID_VALUE, cuStreamSetAttribute(stream, 2, &value));
  WORKS(cuStreamSetAttribute(stream, 3, &value));
  WORKS(cuStreamGetAttribute(other, 3, &given));
  CHECK(given.pad[0] == 0);
  WORKS(cuStreamCopyAttributes(other, stream));
  WORKS(cuStreamGetAttribute(other, 3, &given));
  CHECK(given.pad[0] == 7);
  WORKS(cuStreamGetCtx_v2(stream, &its, &green));
  CHECK(its == context && green == NULL);

  to[0] = memory + 16, to[1] = shared + 16, from[0] = shared, from[1] = memory + 8;
  GIVES(CUDA_ERROR_INVALID_HANDLE, cuMemcpyBatchAsync_v2(to, from, sizes, 2, &value, &zero, 1, NULL));
  WORKS(cuMemcpyBatchAsync_v2(to, from, sizes, 2, &value, &zero, 1, stream));
  WORKS(cuMemcpyDtoH_v2(words, memory + 16, 8));
  CHECK(words[0] == 5 && *(uint64_t *)(uintptr_t)(shared + 16) == 0x1234567890);
  to[1] = memory + 28;
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpyBatchAsync(to, from, sizes, 2, &value, &zero, 1, &failed, stream));
  CHECK(failed == 1);
}

/* Boxes of bytes, and of texels where there is an array: 2 of 3 in both directions. */
static void run_batches(void) {
  begin();
  static const uint16_t texels[2][3] = {{1, 2, 3}, {4, 5, 6}};
  uint16_t back[4] = {0};
  CUstream stream;
  CUarray array;
  CUdeviceptr memory;
  size_t failed = 7;
  CUDA_ARRAY_DESCRIPTOR is = {3, 2, CU_AD_FORMAT_UNSIGNED_INT16, 1};
  WORKS(cuStreamCreate(&stream, 1));
  WORKS(cuArrayCreate_v2(&array, &is));
  WORKS(cuMemAlloc_v2(&memory, 32));
  CUDA_MEMCPY3D_BATCH_OP all[3] = {{.width = 3, .height = 2, .depth = 1}, {.width = 2, .height = 2, .depth = 1},
                                   {.width = 4, .height = 2, .depth = 1}};
  all[0].src = (CUmemcpy3DOperand){.type = CU_MEMCPY_OPERAND_TYPE_POINTER, .op.ptr = {.ptr = (CUdeviceptr)(uintptr_t)texels}};
  all[0].dst = (CUmemcpy3DOperand){.type = CU_MEMCPY_OPERAND_TYPE_ARRAY, .op.array = {.array = array}};
  all[1].src = (CUmemcpy3DOperand){.type = CU_MEMCPY_OPERAND_TYPE_ARRAY, .op.array = {.array = array, .x = 1}};
  all[1].dst = (CUmemcpy3DOperand){.type = CU_MEMCPY_OPERAND_TYPE_POINTER, .op.ptr = {.ptr = memory, .rowLength = 4}};
  all[2].src = (CUmemcpy3DOperand){.type = CU_MEMCPY_OPERAND_TYPE_POINTER, .op.ptr = {.ptr = memory, .rowLength = 8}};
  all[2].dst =
      (CUmemcpy3DOperand){.type = CU_MEMCPY_OPERAND_TYPE_POINTER, .op.ptr = {.ptr = (CUdeviceptr)(uintptr_t)back}};
  GIVES(CUDA_ERROR_INVALID_HANDLE, cuMemcpy3DBatchAsync_v2(3, all, 0, NULL));
  WORKS(cuMemcpy3DBatchAsync_v2(3, all, 0, stream));
  CHECK(back[0] == 2 && back[1] == 3 && back[2] == 5 && back[3] == 6);
  all[1].src.op.array.x = 2;
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpy3DBatchAsync(3, all, &failed, 0, stream));
  CHECK(failed == 1);
  all[1].src.op.array.array = NOBODY;
  GIVES(CUDA_ERROR_INVALID_HANDLE, cuMemcpy3DBatchAsync(3, all, &failed, 0, stream));
}

/* What is said of managed memory is known later; of one device there are few facts. */
static void run_advice(void) {
  CUcontext context = begin();
  CUdeviceptr shared, plain;
  CUmemLocation host = {2, 0};
  CUexecAffinityParam affinity;
  CUevent event;
  int place = 7, places[3] = {7, 7, 7}, able = 7;
  size_t size = 4096, zero = 0, width;
  WORKS(cuMemAllocManaged(&shared, 4096, 1));
  const int first[] = {0, 0, -2, 0, -2, 0, 0, 0, 0};
  for (int which = 1; which <= 8; which++) {
    if (which == 3) continue;
    WORKS(cuMemRangeGetAttribute(&place, sizeof place, which, shared, 4096));
    CHECK(place == first[which]);
  }
  WORKS(cuMemAdvise(shared, 4096, 1, 0));
  WORKS(cuMemAdvise(shared, 4096, 3, -1));
  WORKS(cuMemAdvise(shared, 4096, 5, 0));
  WORKS(cuMemAdvise_v2(shared, 4096, 5, host));
  WORKS(cuMemPrefetchAsync(shared, 4096, 0, NULL));
  GIVES(CUDA_ERROR_INVALID_DEVICE, cuMemPrefetchAsync(shared, 4096, 1, NULL));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemAdvise(shared, 4096, 7, 0));
  const int then[] = {0, 1, -1, 0, 0, 2, 0, 1, 0};
  for (int which = 1; which <= 8; which++) {
    if (which == 3) continue;
    WORKS(cuMemRangeGetAttribute(&place, sizeof place, which, shared + 8, 8));
    CHECK(place == then[which]);
  }
  WORKS(cuMemRangeGetAttribute(places, sizeof places, 3, shared, 4096));
  CHECK(places[0] == 0 && places[1] == -1 && places[2] == -2);
  WORKS(cuMemAdvise(shared, 4096, 6, 0));
  WORKS(cuMemPrefetchBatchAsync(&shared, &size, 1, &host, &zero, 1, 0, NULL));
  void *both[] = {places, &place};
  size_t sizes[] = {sizeof places, sizeof place};
  int which[] = {3, 4};
  WORKS(cuMemRangeGetAttributes(both, sizes, which, 2, shared, 4096));
  CHECK(places[0] == -1 && places[1] == -2 && place == -1);
  WORKS(cuMemDiscardBatchAsync(&shared, &size, 1, 0, NULL));
  WORKS(cuMemAlloc_v2(&plain, 64));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemRangeGetAttribute(&place, sizeof place, 1, plain, 64));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemRangeGetAttribute(&place, sizeof place, 1, shared, 4097));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemRangeGetAttribute(&place, 2, 1, shared, 4096));

  WORKS(cuDeviceGetTexture1DLinearMaxWidth(&width, CU_AD_FORMAT_FLOAT, 4, 0));
  CHECK(width == 1 << 28);
  WORKS(cuDeviceGetAttribute(&able, 21, 0));
  CHECK(able == 131072);
  WORKS(cuDeviceGetExecAffinitySupport(&able, 0, 0));
  CHECK(able == 0);
  WORKS(cuCtxGetExecAffinity(&affinity, 0));
  CHECK(affinity.type == 0 && affinity.smCount == 16);
  GIVES(CUDA_ERROR_INVALID_DEVICE, cuDeviceGetP2PAttribute(&able, 1, 0, 0));
  GIVES(CUDA_ERROR_PEER_ACCESS_NOT_ENABLED, cuCtxDisablePeerAccess(context));
  WORKS(cuEventCreate(&event, 0));
  WORKS(cuCtxRecordEvent(context, event));
  WORKS(cuCtxWaitEvent(context, event));
  GIVES(CUDA_ERROR_INVALID_CONTEXT, cuCtxRecordEvent(NOBODY, event));
  GIVES(CUDA_ERROR_INVALID_HANDLE, cuCtxWaitEvent(context, NOBODY));
  WORKS(cuProfilerInitialize("none", "none", 0));
}

static const struct part_of_test parts[] = {
    {"device", run_device}, {"attributes", run_attributes}, {"settings", run_settings},
    {"primary", run_primary}, {"flows", run_flows}, {"transfers", run_transfers},
    {"words", run_streams}, {"batches", run_batches}, {"advice", run_advice},
};

int main(int argc, char **argv) { return run_part(parts, COUNT(parts), argc, argv); }
