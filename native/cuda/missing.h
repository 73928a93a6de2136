/* Public functions that are not there; X(name). */
#ifndef PTXRUN_CUDA_MISSING_H
#define PTXRUN_CUDA_MISSING_H

#define MISSING(X) \
  X(name) X(cuArray3DCreate) X(cuArray3DGetDescriptor) X(cuArrayCreate) X(cuArrayGetDescriptor) \
  X(cuArrayGetMemoryRequirements) X(cuArrayGetPlane) X(cuArrayGetSparseProperties) X(cuCheckpointProcessCheckpoint) \
  X(cuCheckpointProcessGetRestoreThreadId) X(cuCheckpointProcessGetState) X(cuCheckpointProcessLock) \
  X(cuCheckpointProcessRestore) X(cuCheckpointProcessUnlock) X(cuCoredumpGetAttribute) X(cuCoredumpGetAttributeGlobal) \
  X(cuCoredumpSetAttribute) X(cuCoredumpSetAttributeGlobal) X(cuCtxDisablePeerAccess) X(cuCtxFromGreenCtx) \
  X(cuCtxGetDevResource) X(cuCtxGetExecAffinity) X(cuCtxRecordEvent) X(cuCtxWaitEvent) X(cuDestroyExternalMemory) \
  X(cuDestroyExternalSemaphore) X(cuDevResourceGenerateDesc) X(cuDevSmResourceSplitByCount) X(cuDeviceGetDevResource) \
  X(cuDeviceGetExecAffinitySupport) X(cuDeviceGetHostAtomicCapabilities) X(cuDeviceGetLuid) \
  X(cuDeviceGetNvSciSyncAttributes) X(cuDeviceGetP2PAtomicCapabilities) X(cuDeviceGetP2PAttribute) \
  X(cuDeviceGetTexture1DLinearMaxWidth) X(cuDeviceRegisterAsyncNotification) X(cuDeviceTotalMem) \
  X(cuDeviceUnregisterAsyncNotification) X(cuEGLApiInit) X(cuEGLStreamConsumerAcquireFrame) \
  X(cuEGLStreamConsumerConnect) X(cuEGLStreamConsumerConnectWithFlags) X(cuEGLStreamConsumerDisconnect) \
  X(cuEGLStreamConsumerReleaseFrame) X(cuEGLStreamProducerConnect) X(cuEGLStreamProducerDisconnect) \
  X(cuEGLStreamProducerPresentFrame) X(cuEGLStreamProducerReturnFrame) X(cuEventCreateFromEGLSync) \
  X(cuExternalMemoryGetMappedBuffer) X(cuExternalMemoryGetMappedMipmappedArray) X(cuFlushGPUDirectRDMAWrites) \
  X(cuGLCtxCreate) X(cuGLCtxCreate_v2) X(cuGLGetDevices) X(cuGLGetDevices_v2) X(cuGLInit) X(cuGLMapBufferObject) \
  X(cuGLMapBufferObjectAsync) X(cuGLMapBufferObjectAsync_v2) X(cuGLMapBufferObjectAsync_v2_ptsz) \
  X(cuGLMapBufferObject_v2) X(cuGLMapBufferObject_v2_ptds) X(cuGLRegisterBufferObject) X(cuGLSetBufferObjectMapFlags) \
  X(cuGLUnmapBufferObject) X(cuGLUnmapBufferObjectAsync) X(cuGLUnregisterBufferObject) X(cuGetProcAddress_v2_ptsz) \
  X(cuGraphAddBatchMemOpNode) X(cuGraphAddExternalSemaphoresSignalNode) X(cuGraphAddExternalSemaphoresWaitNode) \
  X(cuGraphBatchMemOpNodeGetParams) X(cuGraphBatchMemOpNodeSetParams) X(cuGraphExecBatchMemOpNodeSetParams) \
  X(cuGraphExecExternalSemaphoresSignalNodeSetParams) X(cuGraphExecExternalSemaphoresWaitNodeSetParams) \
  X(cuGraphExternalSemaphoresSignalNodeGetParams) X(cuGraphExternalSemaphoresSignalNodeSetParams) \
  X(cuGraphExternalSemaphoresWaitNodeGetParams) X(cuGraphExternalSemaphoresWaitNodeSetParams) \
  X(cuGraphicsEGLRegisterImage) X(cuGraphicsGLRegisterBuffer) X(cuGraphicsGLRegisterImage) X(cuGraphicsMapResources) \
  X(cuGraphicsMapResources_ptsz) X(cuGraphicsResourceGetMappedEglFrame) X(cuGraphicsResourceGetMappedMipmappedArray) \
  X(cuGraphicsResourceGetMappedPointer) X(cuGraphicsResourceGetMappedPointer_v2) X(cuGraphicsResourceSetMapFlags) \
  X(cuGraphicsResourceSetMapFlags_v2) X(cuGraphicsSubResourceGetMappedArray) X(cuGraphicsUnmapResources) \
  X(cuGraphicsUnmapResources_ptsz) X(cuGraphicsUnregisterResource) X(cuGraphicsVDPAURegisterOutputSurface) \
  X(cuGraphicsVDPAURegisterVideoSurface) X(cuGreenCtxCreate) X(cuGreenCtxDestroy) X(cuGreenCtxGetDevResource) \
  X(cuGreenCtxGetId) X(cuGreenCtxRecordEvent) X(cuGreenCtxStreamCreate) X(cuGreenCtxWaitEvent) \
  X(cuImportExternalMemory) X(cuImportExternalSemaphore) X(cuIpcCloseMemHandle) X(cuIpcGetEventHandle) \
  X(cuIpcGetMemHandle) X(cuIpcOpenEventHandle) X(cuIpcOpenMemHandle) X(cuIpcOpenMemHandle_v2) \
  X(cuLaunchCooperativeKernelMultiDevice) X(cuLibraryGetUnifiedFunction) X(cuLogsCurrent) X(cuLogsDumpToFile) \
  X(cuLogsDumpToMemory) X(cuLogsRegisterCallback) X(cuLogsUnregisterCallback) X(cuMemAddressFree) \
  X(cuMemAddressReserve) X(cuMemAlloc) X(cuMemAllocPitch) X(cuMemBatchDecompressAsync) \
  X(cuMemBatchDecompressAsync_ptsz) X(cuMemCreate) X(cuMemDiscardAndPrefetchBatchAsync) \
  X(cuMemDiscardAndPrefetchBatchAsync_ptsz) X(cuMemDiscardBatchAsync) X(cuMemDiscardBatchAsync_ptsz) \
  X(cuMemExportToShareableHandle) X(cuMemFree) X(cuMemGetAccess) X(cuMemGetAddressRange) \
  X(cuMemGetAllocationGranularity) X(cuMemGetAllocationPropertiesFromHandle) X(cuMemGetAttribute) \
  X(cuMemGetAttribute_v2) X(cuMemGetDefaultMemPool) X(cuMemGetHandleForAddressRange) X(cuMemGetInfo) \
  X(cuMemGetMemPool) X(cuMemHostGetDevicePointer) X(cuMemImportFromShareableHandle) X(cuMemMap) X(cuMemMapArrayAsync) \
  X(cuMemMapArrayAsync_ptsz) X(cuMemPoolExportPointer) X(cuMemPoolExportToShareableHandle) X(cuMemPoolGetAccess) \
  X(cuMemPoolImportFromShareableHandle) X(cuMemPoolImportPointer) X(cuMemPrefetchBatchAsync) \
  X(cuMemPrefetchBatchAsync_ptsz) X(cuMemRangeGetAttribute) X(cuMemRangeGetAttributes) X(cuMemRelease) \
  X(cuMemRetainAllocationHandle) X(cuMemSetAccess) X(cuMemSetMemPool) X(cuMemUnmap) X(cuMemcpy2D) X(cuMemcpy2DAsync) \
  X(cuMemcpy2DUnaligned) X(cuMemcpy3D) X(cuMemcpy3DAsync) X(cuMemcpy3DBatchAsync) X(cuMemcpy3DBatchAsync_ptsz) \
  X(cuMemcpy3DBatchAsync_v2) X(cuMemcpy3DBatchAsync_v2_ptsz) X(cuMemcpyAtoA) X(cuMemcpyAtoD) X(cuMemcpyAtoH) \
  X(cuMemcpyAtoHAsync) X(cuMemcpyBatchAsync) X(cuMemcpyBatchAsync_ptsz) X(cuMemcpyBatchAsync_v2) \
  X(cuMemcpyBatchAsync_v2_ptsz) X(cuMemcpyDtoA) X(cuMemcpyDtoD) X(cuMemcpyDtoDAsync) X(cuMemcpyDtoH) \
  X(cuMemcpyDtoHAsync) X(cuMemcpyHtoA) X(cuMemcpyHtoAAsync) X(cuMemcpyHtoD) X(cuMemcpyHtoDAsync) X(cuMemsetD16) \
  X(cuMemsetD2D16) X(cuMemsetD2D32) X(cuMemsetD2D8) X(cuMemsetD32) X(cuMemsetD8) \
  X(cuMipmappedArrayGetMemoryRequirements) X(cuMipmappedArrayGetSparseProperties) X(cuModuleGetGlobal) \
  X(cuModuleGetSurfRef) X(cuModuleGetTexRef) X(cuMulticastAddDevice) X(cuMulticastBindAddr) X(cuMulticastBindMem) \
  X(cuMulticastCreate) X(cuMulticastGetGranularity) X(cuMulticastUnbind) X(cuParamSetTexRef) X(cuProfilerInitialize) \
  X(cuSignalExternalSemaphoresAsync) X(cuSignalExternalSemaphoresAsync_ptsz) X(cuStreamBatchMemOp) \
  X(cuStreamBatchMemOp_ptsz) X(cuStreamBatchMemOp_v2) X(cuStreamBatchMemOp_v2_ptsz) X(cuStreamCopyAttributes) \
  X(cuStreamCopyAttributes_ptsz) X(cuStreamGetAttribute) X(cuStreamGetAttribute_ptsz) X(cuStreamGetCtx_v2) \
  X(cuStreamGetCtx_v2_ptsz) X(cuStreamGetGreenCtx) X(cuStreamSetAttribute) X(cuStreamSetAttribute_ptsz) \
  X(cuStreamWaitValue32) X(cuStreamWaitValue32_ptsz) X(cuStreamWaitValue32_v2) X(cuStreamWaitValue32_v2_ptsz) \
  X(cuStreamWaitValue64) X(cuStreamWaitValue64_ptsz) X(cuStreamWaitValue64_v2) X(cuStreamWaitValue64_v2_ptsz) \
  X(cuStreamWriteValue32) X(cuStreamWriteValue32_ptsz) X(cuStreamWriteValue32_v2) X(cuStreamWriteValue32_v2_ptsz) \
  X(cuStreamWriteValue64) X(cuStreamWriteValue64_ptsz) X(cuStreamWriteValue64_v2) X(cuStreamWriteValue64_v2_ptsz) \
  X(cuSurfRefGetArray) X(cuSurfRefSetArray) X(cuTensorMapEncodeIm2col) X(cuTensorMapEncodeIm2colWide) \
  X(cuTensorMapReplaceAddress) X(cuTexRefCreate) X(cuTexRefDestroy) X(cuTexRefGetAddress) X(cuTexRefGetAddressMode) \
  X(cuTexRefGetAddress_v2) X(cuTexRefGetArray) X(cuTexRefGetBorderColor) X(cuTexRefGetFilterMode) X(cuTexRefGetFlags) \
  X(cuTexRefGetFormat) X(cuTexRefGetMaxAnisotropy) X(cuTexRefGetMipmapFilterMode) X(cuTexRefGetMipmapLevelBias) \
  X(cuTexRefGetMipmapLevelClamp) X(cuTexRefGetMipmappedArray) X(cuTexRefSetAddress) X(cuTexRefSetAddress2D) \
  X(cuTexRefSetAddress2D_v2) X(cuTexRefSetAddress2D_v3) X(cuTexRefSetAddressMode) X(cuTexRefSetAddress_v2) \
  X(cuTexRefSetArray) X(cuTexRefSetBorderColor) X(cuTexRefSetFilterMode) X(cuTexRefSetFlags) X(cuTexRefSetFormat) \
  X(cuTexRefSetMaxAnisotropy) X(cuTexRefSetMipmapFilterMode) X(cuTexRefSetMipmapLevelBias) \
  X(cuTexRefSetMipmapLevelClamp) X(cuTexRefSetMipmappedArray) X(cuVDPAUCtxCreate) X(cuVDPAUCtxCreate_v2) \
  X(cuVDPAUGetDevice) X(cuWaitExternalSemaphoresAsync) X(cuWaitExternalSemaphoresAsync_ptsz)

#endif
