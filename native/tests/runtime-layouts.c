/* Sizes, offsets and values of the runtime API: of our types, and with THEIRS of the toolkit's, which must be the same. */
#ifdef THEIRS
#include <cuda_runtime_api.h>
#else
#include "types.h"
#endif
#include <stddef.h>

#define SIZE(type, bytes) _Static_assert(sizeof(type) == (bytes), #type)
#define AT(type, field, offset) _Static_assert(offsetof(type, field) == (offset), #type "." #field)
#define IS(name, value) _Static_assert((int)(name) == (value), #name)

SIZE(struct dim3, 12);
SIZE(struct cudaPitchedPtr, 32);
SIZE(struct cudaExtent, 24);
SIZE(struct cudaMemcpy3DParms, 160);
AT(struct cudaMemcpy3DParms, srcPtr, 32);
AT(struct cudaMemcpy3DParms, dstArray, 64);
AT(struct cudaMemcpy3DParms, extent, 128);
AT(struct cudaMemcpy3DParms, kind, 152);
AT(struct cudaMemcpy3DPeerParms, srcDevice, 64);
AT(struct cudaMemcpy3DPeerParms, dstDevice, 136);
AT(struct cudaMemcpy3DPeerParms, extent, 144);
AT(struct cudaPointerAttributes, device, 4);
AT(struct cudaPointerAttributes, devicePointer, 8);
AT(struct cudaPointerAttributes, hostPointer, 16);
AT(struct cudaFuncAttributes, localSizeBytes, 16);
AT(struct cudaFuncAttributes, ptxVersion, 32);
AT(struct cudaFuncAttributes, preferredShmemCarveout, 48);
AT(struct cudaFuncAttributes, nonPortableClusterSizeAllowed, 72);
SIZE(cudaLaunchConfig_t, 56);
AT(cudaLaunchConfig_t, dynamicSmemBytes, 24);
AT(cudaLaunchConfig_t, stream, 32);
AT(cudaLaunchConfig_t, attrs, 40);
AT(cudaLaunchConfig_t, numAttrs, 48);
SIZE(cudaLaunchAttribute, 72);
SIZE(struct cudaChannelFormatDesc, 20);
IS(cudaMemcpyDefault, 4);
IS(cudaMemoryTypeManaged, 3);
IS(cudaErrorInvalidConfiguration, 9);
IS(cudaErrorInvalidDeviceFunction, 98);
IS(cudaErrorIllegalAddress, 700);
IS(cudaErrorUnknown, 999);
AT(struct cudaResourceDesc, res.linear.sizeInBytes, 40);
AT(struct cudaResourceDesc, res.pitch2D.pitchInBytes, 56);
AT(struct cudaTextureDesc, readMode, 16);
AT(struct cudaTextureDesc, borderColor, 24);
AT(struct cudaTextureDesc, maxMipmapLevelClamp, 60);
AT(struct cudaTextureDesc, disableTrilinearOptimization, 64);
AT(struct cudaResourceViewDesc, firstMipmapLevel, 32);
AT(struct cudaResourceViewDesc, lastLayer, 44);
IS(cudaChannelFormatKindFloat, 2);
SIZE(struct cudaKernelNodeParams, 56);
AT(struct cudaKernelNodeParams, gridDim, 8);
AT(struct cudaKernelNodeParams, kernelParams, 40);
SIZE(struct cudaMemsetParams, 40);
SIZE(struct cudaHostNodeParams, 16);
AT(struct cudaMemAllocNodeParams, dptr, 112);
SIZE(struct cudaGraphNodeParams, 256);
AT(struct cudaGraphNodeParams, memcpy.copyParams, 32);
AT(struct cudaGraphNodeParams, conditional.phGraph_out, 32);
SIZE(cudaGraphEdgeData, 8);
SIZE(cudaGraphExecUpdateResultInfo, 24);
