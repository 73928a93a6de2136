/* Public functions that are not there; X(name). */
#ifndef PTXRUN_CUDA_MISSING_H
#define PTXRUN_CUDA_MISSING_H

#define MISSING(X) \
  X(cuArray3DCreate) X(cuArray3DGetDescriptor) X(cuArrayCreate) X(cuArrayGetDescriptor) \
  X(cuArrayGetMemoryRequirements) X(cuArrayGetPlane) X(cuArrayGetSparseProperties) X(cuCheckpointProcessCheckpoint) \
  X(cuCheckpointProcessGetRestoreThreadId) X(cuCheckpointProcessGetState) X(cuCheckpointProcessLock) \
  X(cuCheckpointProcessRestore) X(cuCheckpointProcessUnlock) X(cuCoredumpGetAttribute) X(cuCoredumpGetAttributeGlobal) \
  X(cuCoredumpSetAttribute) X(cuCoredumpSetAttributeGlobal) X(cuCtxFromGreenCtx) X(cuCtxGetDevResource) \
  X(cuDestroyExternalMemory) X(cuDestroyExternalSemaphore) X(cuDevResourceGenerateDesc) X(cuDevSmResourceSplitByCount) \
  X(cuDeviceGetDevResource) X(cuDeviceGetHostAtomicCapabilities) X(cuDeviceGetLuid) X(cuDeviceGetNvSciSyncAttributes) \
  X(cuDeviceGetP2PAtomicCapabilities) X(cuDeviceRegisterAsyncNotification) X(cuDeviceTotalMem) \
  X(cuDeviceUnregisterAsyncNotification) X(cuEGLApiInit) X(cuEGLStreamConsumerAcquireFrame) \
  X(cuEGLStreamConsumerConnect) X(cuEGLStreamConsumerConnectWithFlags) X(cuEGLStreamConsumerDisconnect) \
  X(cuEGLStreamConsumerReleaseFrame) X(cuEGLStreamProducerConnect) X(cuEGLStreamProducerDisconnect) \
  X(cuEGLStreamProducerPresentFrame) X(cuEGLStreamProducerReturnFrame) X(cuEventCreateFromEGLSync) \
  X(cuExternalMemoryGetMappedBuffer) X(cuExternalMemoryGetMappedMipmappedArray) X(cuFlushGPUDirectRDMAWrites) \
  X(cuGLCtxCreate) X(cuGLCtxCreate_v2) X(cuGLGetDevices) X(cuGLGetDevices_v2) X(cuGLInit) X(cuGLMapBufferObject) \
  X(cuGLMapBufferObjectAsync) X(cuGLMapBufferObjectAsync_v2) X(cuGLMapBufferObjectAsync_v2_ptsz) \
  X(cuGLMapBufferObject_v2) X(cuGLMapBufferObject_v2_ptds) X(cuGLRegisterBufferObject) X(cuGLSetBufferObjectMapFlags) \
  X(cuGLUnmapBufferObject) X(cuGLUnmapBufferObjectAsync) X(cuGLUnregisterBufferObject) X(cuGraphAddBatchMemOpNode) \
  X(cuGraphAddExternalSemaphoresSignalNode) X(cuGraphAddExternalSemaphoresWaitNode) X(cuGraphBatchMemOpNodeGetParams) \
  X(cuGraphBatchMemOpNodeSetParams) X(cuGraphExecBatchMemOpNodeSetParams) \
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
  X(cuImportExternalMemory) X(cuImportExternalSemaphore) X(cuLaunchCooperativeKernelMultiDevice) \
  X(cuLibraryGetUnifiedFunction) X(cuLogsCurrent) X(cuLogsDumpToFile) X(cuLogsDumpToMemory) X(cuLogsRegisterCallback) \
  X(cuLogsUnregisterCallback) X(cuMemAlloc) X(cuMemAllocPitch) X(cuMemBatchDecompressAsync) \
  X(cuMemBatchDecompressAsync_ptsz) X(cuMemFree) X(cuMemGetAddressRange) X(cuMemGetAttribute) X(cuMemGetAttribute_v2) \
  X(cuMemGetHandleForAddressRange) X(cuMemGetInfo) X(cuMemHostGetDevicePointer) X(cuMemMapArrayAsync) \
  X(cuMemMapArrayAsync_ptsz) X(cuMemcpy2D) X(cuMemcpy2DAsync) X(cuMemcpy2DUnaligned) X(cuMemcpy3D) X(cuMemcpy3DAsync) \
  X(cuMemcpyAtoA) X(cuMemcpyAtoD) X(cuMemcpyAtoH) X(cuMemcpyAtoHAsync) X(cuMemcpyDtoA) X(cuMemcpyDtoD) \
  X(cuMemcpyDtoDAsync) X(cuMemcpyDtoH) X(cuMemcpyDtoHAsync) X(cuMemcpyHtoA) X(cuMemcpyHtoAAsync) X(cuMemcpyHtoD) \
  X(cuMemcpyHtoDAsync) X(cuMemsetD16) X(cuMemsetD2D16) X(cuMemsetD2D32) X(cuMemsetD2D8) X(cuMemsetD32) X(cuMemsetD8) \
  X(cuMipmappedArrayGetMemoryRequirements) X(cuMipmappedArrayGetSparseProperties) X(cuModuleGetGlobal) \
  X(cuMulticastAddDevice) X(cuMulticastBindAddr) X(cuMulticastBindMem) X(cuMulticastCreate) \
  X(cuMulticastGetGranularity) X(cuMulticastUnbind) X(cuSignalExternalSemaphoresAsync) \
  X(cuSignalExternalSemaphoresAsync_ptsz) X(cuTexRefGetAddress) X(cuTexRefSetAddress) X(cuTexRefSetAddress2D) \
  X(cuVDPAUCtxCreate) X(cuVDPAUCtxCreate_v2) X(cuVDPAUGetDevice) X(cuWaitExternalSemaphoresAsync) \
  X(cuWaitExternalSemaphoresAsync_ptsz)

#endif
