#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "array.h"
#include "driver.h"
#include "state.h"
#include "target.h"

/* What the device has of multiprocessors: enough that programs which divide their work by it have some of each kind. */
#define MULTIPROCESSORS 16
/* Texels of linear memory at most. */
#define WIDEST_LINE (1 << 28)

static CUresult device_is(CUdevice device) { return device == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE; }

API CUresult cuDriverGetVersion(int *version) {
  NEEDS(version != NULL);
  *version = 13000;
  return CUDA_SUCCESS;
}

API CUresult cuDeviceGetCount(int *count) {
  NEEDS_INIT;
  NEEDS(count != NULL);
  *count = 1;
  return CUDA_SUCCESS;
}

API CUresult cuDeviceGet(CUdevice *device, int ordinal) {
  NEEDS_INIT;
  NEEDS(device != NULL);
  TRY(device_is(ordinal));
  *device = 0;
  return CUDA_SUCCESS;
}

API CUresult cuDeviceGetName(char *name, int room, CUdevice device) {
  NEEDS_INIT;
  NEEDS(name != NULL && room > 0);
  TRY(device_is(device));
  snprintf(name, (size_t)room, "ptxrun sm_%d", target()->number);
  return CUDA_SUCCESS;
}

API CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice device) {
  NEEDS_INIT;
  NEEDS(uuid != NULL);
  TRY(device_is(device));
  memset(uuid, 0, sizeof *uuid);
  memcpy(uuid->bytes, "ptxrun device 0", 15);
  return CUDA_SUCCESS;
}
ALSO(cuDeviceGetUuid, cuDeviceGetUuid_v2);

API CUresult cuDeviceTotalMem_v2(size_t *bytes, CUdevice device) {
  NEEDS_INIT;
  NEEDS(bytes != NULL);
  TRY(device_is(device));
  *bytes = device_memory();
  return CUDA_SUCCESS;
}

API CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice device) {
  NEEDS_INIT;
  NEEDS(major != NULL && minor != NULL);
  TRY(device_is(device));
  *major = target()->number / 10;
  *minor = target()->number % 10;
  return CUDA_SUCCESS;
}

/* By number of CU_DEVICE_ATTRIBUTE_; what is not here is 0: the device has none of it. */
static int attribute_of(const struct target *t, int which) {
  /* Sizes of textures and surfaces: as of an sm_80, although larger ones work. */
  static const int images[] = {
      [21] = 131072, [22] = 131072, [23] = 65536, [24] = 16384, [25] = 16384, [26] = 16384, [27] = 32768, [28] = 32768,
      [29] = 2048, [42] = 32768, [43] = 2048, [45] = 32768, [46] = 32768, [47] = 8192, [48] = 8192, [49] = 32768,
      [52] = 32768, [53] = 32768, [54] = 2046, [55] = 32768, [56] = 131072, [57] = 65536, [58] = 16384, [59] = 16384,
      [60] = 16384, [61] = 32768, [62] = 2048, [63] = 32768, [64] = 32768, [65] = 2048, [66] = 32768, [67] = 32768,
      [68] = 2046, [69] = WIDEST_LINE, [70] = 131072, [71] = 65000, [72] = 2097120, [73] = 32768, [74] = 32768, [77] = 32768};
  if (which < (int)(sizeof images / sizeof *images) && images[which] != 0) return images[which];
  switch (which) {
    case 1: case 2: case 3: return 1024; /* threads of a block, in x and y */
    case 4: return 64;
    case 5: return INT_MAX; /* blocks of a grid */
    case 6: case 7: return 65535;
    case 8: return 49152; /* shared memory of a block */
    case 9: return 65536; /* constant memory */
    case 10: return 32;
    case 11: return INT_MAX; /* pitch of copies */
    case 12: return 65536; /* registers of a block: not counted */
    case 13: case 36: return 1000000; /* kHz */
    case 14: case 30: return 512;
    case 51: return 32;
    case 15: case 19: case 31: case 41: return 1; /* overlap, mapped host memory, concurrent kernels, unified addressing */
    case 16: return MULTIPROCESSORS;
    case 37: return 64; /* bits of the bus */
    case 38: return 1 << 20; /* L2 */
    case 39: return t->threads;
    case 40: return 1; /* engines of copies */
    case 75: return t->number / 10;
    case 76: return t->number % 10;
    case 78: case 79: case 80: return 1;
    case 81: return t->shared;
    case 82: return 65536;
    case 83: return 1; /* managed memory */
    case 87: return 2;
    case 89: return 0; /* the host must not touch managed memory while a kernel runs; and cannot: launches are waited for */
    case 91: return 1; /* registered memory has one address */
    case 92: case 93: case 94: case 98: case 122: case 123: return 1; /* words that streams write and wait for */
    case 95: return 1; /* cooperative launches */
    case 97: return t->shared_block;
    case 99: return 1; /* registered host memory */
    case 102: case 103: return 1; /* addresses apart from memory, which has descriptors of files */
    case 106: return t->blocks;
    case 111: return t->number >= 80 ? 1024 : 0;
    case 113: return 1;
    case 115: case 119: return 1; /* pools, which have descriptors of files */
    case 120: return t->clusters;
    case 125: return 1; /* events between processes */
    case 127: return t->clusters; /* tensor maps */
    default: return 0;
  }
}

API CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device) {
  NEEDS_INIT;
  NEEDS(value != NULL && attribute > 0 && attribute < 148);
  TRY(device_is(device));
  *value = attribute_of(target(), attribute);
  return CUDA_SUCCESS;
}

API CUresult cuDeviceGetProperties(CUdevprop *properties, CUdevice device) {
  NEEDS_INIT;
  NEEDS(properties != NULL);
  TRY(device_is(device));
  *properties = (CUdevprop){1024, {1024, 1024, 64}, {INT_MAX, 65535, 65535}, 49152, 65536, 32, INT_MAX, 65536, 1000000, 512};
  return CUDA_SUCCESS;
}

API CUresult cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer) {
  NEEDS_INIT;
  NEEDS(can != NULL);
  TRY(device_is(device));
  TRY(device_is(peer));
  *can = 0;
  return CUDA_SUCCESS;
}

API CUresult cuDeviceGetPCIBusId(char *text, int room, CUdevice device) {
  NEEDS_INIT;
  NEEDS(text != NULL && room > 0);
  TRY(device_is(device));
  snprintf(text, (size_t)room, "0000:00:00.0");
  return CUDA_SUCCESS;
}

API CUresult cuDeviceGetByPCIBusId(CUdevice *device, const char *text) {
  NEEDS_INIT;
  NEEDS(device != NULL && text != NULL);
  if (strcmp(text, "0000:00:00.0") != 0) return CUDA_ERROR_INVALID_DEVICE;
  *device = 0;
  return CUDA_SUCCESS;
}

/* There is no other device. */
API CUresult cuDeviceGetP2PAttribute(int *value, int attribute, CUdevice device, CUdevice peer) {
  NEEDS_INIT;
  NEEDS(value != NULL);
  (void)attribute, (void)device, (void)peer;
  return CUDA_ERROR_INVALID_DEVICE;
}

API CUresult cuDeviceGetTexture1DLinearMaxWidth(size_t *width, CUarray_format format, unsigned channels, CUdevice device) {
  NEEDS_INIT;
  NEEDS(width != NULL);
  TRY(device_is(device));
  TRY(check_texels(format, channels));
  *width = WIDEST_LINE;
  return CUDA_SUCCESS;
}

/* Contexts have all multiprocessors. */
API CUresult cuDeviceGetExecAffinitySupport(int *supported, int type, CUdevice device) {
  NEEDS_INIT;
  NEEDS(supported != NULL && type == 0);
  TRY(device_is(device));
  *supported = 0;
  return CUDA_SUCCESS;
}

API CUresult cuCtxGetExecAffinity(CUexecAffinityParam *affinity, int type) {
  NEEDS_CONTEXT(context);
  NEEDS(affinity != NULL);
  if (type != 0) return CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY;
  *affinity = (CUexecAffinityParam){.type = type, .smCount = MULTIPROCESSORS};
  return CUDA_SUCCESS;
}
