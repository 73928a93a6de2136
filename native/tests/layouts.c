/* Compares our types with the toolkit's: both headers declare the same names, so each is compiled by itself. */
#include <stddef.h>
#include <stdint.h>

#ifdef THEIRS
#include <cuda.h>
#else
#include "types.h"
#endif

#define OFFSET(type, field, value) _Static_assert(offsetof(type, field) == (value), #type "." #field)
#define SIZE(type, value) _Static_assert(sizeof(type) == (value), #type)
#define VALUE(name, value) _Static_assert((int)(name) == (value), #name)

SIZE(CUdevice, 4);
SIZE(CUdeviceptr, 8);
SIZE(CUuuid, 16);
SIZE(CUdevprop, 56);
SIZE(CUtensorMap, 128);
_Static_assert(_Alignof(CUtensorMap) >= 64, "CUtensorMap");
OFFSET(CUdevprop, SIMDWidth, 36);
OFFSET(CUdevprop, textureAlign, 52);
SIZE(CUmemAllocationProp, 32);
OFFSET(CUmemAllocationProp, location, 8);
OFFSET(CUmemAllocationProp, win32HandleMetaData, 16);
SIZE(CUmemPoolProps, 88);
OFFSET(CUmemPoolProps, maxSize, 24);
SIZE(CUmemPoolPtrExportData, 64);
SIZE(CUmemAccessDesc, 12);
SIZE(CUstreamBatchMemOpParams, 48);
SIZE(CUmemcpy3DOperand, 40);
SIZE(CUDA_MEMCPY3D_BATCH_OP, 112);
OFFSET(CUDA_MEMCPY3D_BATCH_OP, dst, 40);
OFFSET(CUDA_MEMCPY3D_BATCH_OP, flags, 108);
VALUE(CU_MEMCPY_OPERAND_TYPE_ARRAY, 2);
SIZE(CUipcMemHandle, 64);
SIZE(CUipcEventHandle, 64);
OFFSET(CUmemAccessDesc, flags, 8);
VALUE(CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 1);
VALUE(CU_MEM_ACCESS_FLAGS_PROT_READWRITE, 3);
SIZE(CUDA_MEMCPY2D, 128);
OFFSET(CUDA_MEMCPY2D, srcArray, 40);
OFFSET(CUDA_MEMCPY2D, dstMemoryType, 72);
OFFSET(CUDA_MEMCPY2D, dstDevice, 88);
OFFSET(CUDA_MEMCPY2D, Height, 120);
SIZE(CUDA_MEMCPY3D, 200);
OFFSET(CUDA_MEMCPY3D, srcMemoryType, 32);
OFFSET(CUDA_MEMCPY3D, srcHeight, 80);
OFFSET(CUDA_MEMCPY3D, dstMemoryType, 120);
OFFSET(CUDA_MEMCPY3D, dstHeight, 168);
OFFSET(CUDA_MEMCPY3D, Depth, 192);
SIZE(CUlaunchAttributeValue, 64);
SIZE(CUlaunchAttribute, 72);
OFFSET(CUlaunchAttribute, value, 8);
SIZE(CUlaunchConfig, 56);
OFFSET(CUlaunchConfig, hStream, 32);
OFFSET(CUlaunchConfig, attrs, 40);
OFFSET(CUlaunchConfig, numAttrs, 48);
SIZE(CUDA_ARRAY_DESCRIPTOR, 24);
OFFSET(CUDA_ARRAY_DESCRIPTOR, NumChannels, 20);
SIZE(CUDA_ARRAY3D_DESCRIPTOR, 40);
OFFSET(CUDA_ARRAY3D_DESCRIPTOR, Flags, 32);
SIZE(CUDA_RESOURCE_DESC, 144);
OFFSET(CUDA_RESOURCE_DESC, res, 8);
OFFSET(CUDA_RESOURCE_DESC, res.linear.sizeInBytes, 24);
OFFSET(CUDA_RESOURCE_DESC, res.pitch2D.pitchInBytes, 40);
OFFSET(CUDA_RESOURCE_DESC, flags, 136);
SIZE(CUDA_TEXTURE_DESC, 104);
OFFSET(CUDA_TEXTURE_DESC, maxMipmapLevelClamp, 36);
OFFSET(CUDA_TEXTURE_DESC, borderColor, 40);
SIZE(CUDA_RESOURCE_VIEW_DESC, 112);
OFFSET(CUDA_RESOURCE_VIEW_DESC, lastLayer, 44);
SIZE(CUtexObject, 8);
SIZE(CUsurfObject, 8);
VALUE(CU_AD_FORMAT_SIGNED_INT32, 10);
VALUE(CU_AD_FORMAT_FLOAT, 32);
VALUE(CUDA_ARRAY3D_VIDEO_ENCODE_DECODE, 256);
VALUE(CU_RESOURCE_TYPE_PITCH2D, 3);
VALUE(CU_TR_ADDRESS_MODE_BORDER, 3);
VALUE(CU_TR_FILTER_MODE_LINEAR, 1);
VALUE(CU_TRSF_SEAMLESS_CUBEMAP, 64);
VALUE(CU_MEMORYTYPE_UNIFIED, 4);
VALUE(CU_LAUNCH_ATTRIBUTE_COOPERATIVE, 2);
VALUE(CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, 4);
VALUE(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 8);
VALUE(CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 14);
VALUE(CU_POINTER_ATTRIBUTE_MAPPED, 13);
VALUE(CU_POINTER_ATTRIBUTE_MEMORY_BLOCK_ID, 20);
VALUE(CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, 6);
VALUE(CU_LIMIT_MALLOC_HEAP_SIZE, 2);
VALUE(CUDA_ERROR_UNKNOWN, 999);
