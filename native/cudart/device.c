#include "channels.h"
#include "registry.h"
#include "runtime.h"

API cudaError_t cudaGetDeviceCount(int *count) {
  BEGIN;
  return end(cuDeviceGetCount(count));
}

API cudaError_t cudaGetDevice(int *device) {
  BEGIN;
  NEEDS(device != NULL);
  *device = 0;
  return cudaSuccess;
}

static cudaError_t needs_device(int device) { return fails(device == 0 ? cudaSuccess : cudaErrorInvalidDevice); }

API cudaError_t cudaSetDevice(int device) {
  BEGIN;
  return needs_device(device);
}

API cudaError_t cudaInitDevice(int device, unsigned device_flags, unsigned flags) {
  (void)device_flags, (void)flags;
  return cudaSetDevice(device);
}

API cudaError_t cudaSetValidDevices(int *devices, int count) {
  BEGIN;
  NEEDS(count >= 0 && (count == 0 || devices != NULL));
  for (int i = 0; i < count; i++)
    if (devices[i] != 0) return fails(cudaErrorInvalidDevice);
  return cudaSuccess;
}

API cudaError_t cudaChooseDevice(int *device, const void *properties) {
  NEEDS(properties != NULL);
  return cudaGetDevice(device);
}

API cudaError_t cudaSetDeviceFlags(unsigned flags) {
  BEGIN;
  return end(cuDevicePrimaryCtxSetFlags_v2(0, flags));
}

API cudaError_t cudaGetDeviceFlags(unsigned *flags) {
  BEGIN;
  return end(cuCtxGetFlags(flags));
}

API cudaError_t cudaDeviceGetAttribute(int *value, int attribute, int device) {
  BEGIN;
  return end(cuDeviceGetAttribute(value, attribute, device));
}

API cudaError_t cudaDeviceSynchronize(void) {
  BEGIN;
  return end(cuCtxSynchronize());
}
ALSO(cudaDeviceSynchronize, cudaThreadSynchronize);

API cudaError_t cudaDeviceReset(void) {
  BEGIN;
  unload_all();
  return end(reset_primary());
}
ALSO(cudaDeviceReset, cudaThreadExit);

API cudaError_t cudaDeviceSetLimit(int limit, size_t value) {
  BEGIN;
  return end(cuCtxSetLimit(limit, value));
}
ALSO(cudaDeviceSetLimit, cudaThreadSetLimit);

API cudaError_t cudaDeviceGetLimit(size_t *value, int limit) {
  BEGIN;
  return end(cuCtxGetLimit(value, limit));
}
ALSO(cudaDeviceGetLimit, cudaThreadGetLimit);

API cudaError_t cudaDeviceGetCacheConfig(int *config) {
  BEGIN;
  return end(cuCtxGetCacheConfig(config));
}
ALSO(cudaDeviceGetCacheConfig, cudaThreadGetCacheConfig);

API cudaError_t cudaDeviceSetCacheConfig(int config) {
  BEGIN;
  return end(cuCtxSetCacheConfig(config));
}
ALSO(cudaDeviceSetCacheConfig, cudaThreadSetCacheConfig);

API cudaError_t cudaDeviceGetSharedMemConfig(int *config) {
  BEGIN;
  return end(cuCtxGetSharedMemConfig(config));
}

API cudaError_t cudaDeviceSetSharedMemConfig(int config) {
  BEGIN;
  return end(cuCtxSetSharedMemConfig(config));
}

API cudaError_t cudaCtxResetPersistingL2Cache(void) {
  BEGIN;
  return end(cuCtxResetPersistingL2Cache());
}

API cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest) {
  BEGIN;
  return end(cuCtxGetStreamPriorityRange(least, greatest));
}

API cudaError_t cudaDeviceGetPCIBusId(char *text, int room, int device) {
  BEGIN;
  return end(cuDeviceGetPCIBusId(text, room, device));
}

API cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *text) {
  BEGIN;
  return end(cuDeviceGetByPCIBusId(device, text));
}

API cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer) {
  BEGIN;
  return end(cuDeviceCanAccessPeer(can, device, peer));
}

/* There is no other device. */
API cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags) {
  BEGIN;
  (void)peer, (void)flags;
  return fails(cudaErrorInvalidDevice);
}

API cudaError_t cudaDeviceDisablePeerAccess(int peer) { return cudaDeviceEnablePeerAccess(peer, 0); }

API cudaError_t cudaDriverGetVersion(int *version) { return end(cuDriverGetVersion(version)); }

API cudaError_t cudaRuntimeGetVersion(int *version) {
  NEEDS(version != NULL);
  *version = CUDART_VERSION;
  return cudaSuccess;
}

API cudaError_t cudaProfilerStart(void) {
  BEGIN;
  return end(cuProfilerStart());
}

API cudaError_t cudaProfilerStop(void) {
  BEGIN;
  return end(cuProfilerStop());
}

API cudaError_t cudaDeviceGetP2PAttribute(int *value, int attribute, int device, int peer) {
  BEGIN;
  return end(cuDeviceGetP2PAttribute(value, attribute, device, peer));
}

API cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(size_t *width, const struct cudaChannelFormatDesc *channels, int device) {
  CUarray_format format;
  unsigned count;
  BEGIN;
  NEEDS(channels != NULL);
  if (!texel_of(channels, &format, &count)) return fails(cudaErrorInvalidChannelDescriptor);
  return end(cuDeviceGetTexture1DLinearMaxWidth(width, format, count, device));
}

API cudaError_t cudaProfilerInitialize(const char *configuration, const char *output, int mode) {
  BEGIN;
  return end(cuProfilerInitialize(configuration, output, mode));
}
