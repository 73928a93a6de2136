/* Public functions that are not there; X(name). */
#ifndef PTXRUN_CUDA_MISSING_H
#define PTXRUN_CUDA_MISSING_H

#define MISSING(X) \
  X(cuArray3DCreate) X(cuArray3DGetDescriptor) X(cuArrayCreate) X(cuArrayGetDescriptor) \
  X(cuArrayGetMemoryRequirements) X(cuArrayGetPlane) X(cuArrayGetSparseProperties) X(cuCheckpointProcessCheckpoint) \
  X(cuCheckpointProcessGetRestoreThreadId) X(cuCheckpointProcessGetState) X(cuCheckpointProcessLock) \
  X(cuCheckpointProcessRestore) X(cuCheckpointProcessUnlock) X(cuCoredumpGetAttribute) \
  X(cuCoredumpGetAttributeGlobal) X(cuCoredumpSetAttribute) X(cuCoredumpSetAttributeGlobal) \
  X(cuCtxFromGreenCtx) X(cuCtxGetDevResource) \
  X(cuDestroyExternalMemory) X(cuDestroyExternalSemaphore) X(cuDevResourceGenerateDesc) \
  X(cuDevSmResourceSplitByCount) X(cuDeviceGetDevResource) \
  X(cuDeviceGetGraphMemAttribute) X(cuDeviceGetHostAtomicCapabilities) X(cuDeviceGetLuid) \
  X(cuDeviceGetNvSciSyncAttributes) X(cuDeviceGetP2PAtomicCapabilities) \
  X(cuDeviceGraphMemTrim) X(cuDeviceRegisterAsyncNotification) \
  X(cuDeviceSetGraphMemAttribute) X(cuDeviceTotalMem) X(cuDeviceUnregisterAsyncNotification) X(cuEGLApiInit) \
  X(cuEGLStreamConsumerAcquireFrame) X(cuEGLStreamConsumerConnect) X(cuEGLStreamConsumerConnectWithFlags) \
  X(cuEGLStreamConsumerDisconnect) X(cuEGLStreamConsumerReleaseFrame) X(cuEGLStreamProducerConnect) \
  X(cuEGLStreamProducerDisconnect) X(cuEGLStreamProducerPresentFrame) X(cuEGLStreamProducerReturnFrame) \
  X(cuEventCreateFromEGLSync) X(cuExternalMemoryGetMappedBuffer) X(cuExternalMemoryGetMappedMipmappedArray) \
  X(cuFlushGPUDirectRDMAWrites) X(cuGLCtxCreate) X(cuGLCtxCreate_v2) X(cuGLGetDevices) X(cuGLGetDevices_v2) \
  X(cuGLInit) X(cuGLMapBufferObject) X(cuGLMapBufferObjectAsync) X(cuGLMapBufferObjectAsync_v2) \
  X(cuGLMapBufferObjectAsync_v2_ptsz) X(cuGLMapBufferObject_v2) X(cuGLMapBufferObject_v2_ptds) \
  X(cuGLRegisterBufferObject) X(cuGLSetBufferObjectMapFlags) X(cuGLUnmapBufferObject) X(cuGLUnmapBufferObjectAsync) \
  X(cuGLUnregisterBufferObject) X(cuGraphAddBatchMemOpNode) X(cuGraphAddChildGraphNode) \
  X(cuGraphAddDependencies) X(cuGraphAddDependencies_v2) X(cuGraphAddEmptyNode) X(cuGraphAddEventRecordNode) \
  X(cuGraphAddEventWaitNode) X(cuGraphAddExternalSemaphoresSignalNode) X(cuGraphAddExternalSemaphoresWaitNode) \
  X(cuGraphAddHostNode) X(cuGraphAddKernelNode) X(cuGraphAddKernelNode_v2) X(cuGraphAddMemAllocNode) \
  X(cuGraphAddMemFreeNode) X(cuGraphAddMemcpyNode) X(cuGraphAddMemsetNode) X(cuGraphAddNode) X(cuGraphAddNode_v2) \
  X(cuGraphBatchMemOpNodeGetParams) X(cuGraphBatchMemOpNodeSetParams) X(cuGraphChildGraphNodeGetGraph) \
  X(cuGraphClone) X(cuGraphConditionalHandleCreate) X(cuGraphCreate) X(cuGraphDebugDotPrint) X(cuGraphDestroy) \
  X(cuGraphDestroyNode) X(cuGraphEventRecordNodeGetEvent) X(cuGraphEventRecordNodeSetEvent) \
  X(cuGraphEventWaitNodeGetEvent) X(cuGraphEventWaitNodeSetEvent) X(cuGraphExecBatchMemOpNodeSetParams) \
  X(cuGraphExecChildGraphNodeSetParams) X(cuGraphExecDestroy) X(cuGraphExecEventRecordNodeSetEvent) \
  X(cuGraphExecEventWaitNodeSetEvent) X(cuGraphExecExternalSemaphoresSignalNodeSetParams) \
  X(cuGraphExecExternalSemaphoresWaitNodeSetParams) X(cuGraphExecGetFlags) X(cuGraphExecHostNodeSetParams) \
  X(cuGraphExecKernelNodeSetParams) X(cuGraphExecKernelNodeSetParams_v2) X(cuGraphExecMemcpyNodeSetParams) \
  X(cuGraphExecMemsetNodeSetParams) X(cuGraphExecNodeSetParams) X(cuGraphExecUpdate) X(cuGraphExecUpdate_v2) \
  X(cuGraphExternalSemaphoresSignalNodeGetParams) X(cuGraphExternalSemaphoresSignalNodeSetParams) \
  X(cuGraphExternalSemaphoresWaitNodeGetParams) X(cuGraphExternalSemaphoresWaitNodeSetParams) X(cuGraphGetEdges) \
  X(cuGraphGetEdges_v2) X(cuGraphGetNodes) X(cuGraphGetRootNodes) X(cuGraphHostNodeGetParams) \
  X(cuGraphHostNodeSetParams) X(cuGraphInstantiate) X(cuGraphInstantiateWithFlags) X(cuGraphInstantiateWithParams) \
  X(cuGraphInstantiateWithParams_ptsz) X(cuGraphInstantiate_v2) X(cuGraphKernelNodeCopyAttributes) \
  X(cuGraphKernelNodeGetAttribute) X(cuGraphKernelNodeGetParams) X(cuGraphKernelNodeGetParams_v2) \
  X(cuGraphKernelNodeSetAttribute) X(cuGraphKernelNodeSetParams) X(cuGraphKernelNodeSetParams_v2) X(cuGraphLaunch) \
  X(cuGraphLaunch_ptsz) X(cuGraphMemAllocNodeGetParams) X(cuGraphMemFreeNodeGetParams) X(cuGraphMemcpyNodeGetParams) \
  X(cuGraphMemcpyNodeSetParams) X(cuGraphMemsetNodeGetParams) X(cuGraphMemsetNodeSetParams) \
  X(cuGraphNodeFindInClone) X(cuGraphNodeGetDependencies) X(cuGraphNodeGetDependencies_v2) \
  X(cuGraphNodeGetDependentNodes) X(cuGraphNodeGetDependentNodes_v2) X(cuGraphNodeGetEnabled) X(cuGraphNodeGetType) \
  X(cuGraphNodeSetEnabled) X(cuGraphNodeSetParams) X(cuGraphReleaseUserObject) X(cuGraphRemoveDependencies) \
  X(cuGraphRemoveDependencies_v2) X(cuGraphRetainUserObject) X(cuGraphUpload) X(cuGraphUpload_ptsz) \
  X(cuGraphicsEGLRegisterImage) X(cuGraphicsGLRegisterBuffer) X(cuGraphicsGLRegisterImage) X(cuGraphicsMapResources) \
  X(cuGraphicsMapResources_ptsz) X(cuGraphicsResourceGetMappedEglFrame) X(cuGraphicsResourceGetMappedMipmappedArray) \
  X(cuGraphicsResourceGetMappedPointer) X(cuGraphicsResourceGetMappedPointer_v2) X(cuGraphicsResourceSetMapFlags) \
  X(cuGraphicsResourceSetMapFlags_v2) X(cuGraphicsSubResourceGetMappedArray) X(cuGraphicsUnmapResources) \
  X(cuGraphicsUnmapResources_ptsz) X(cuGraphicsUnregisterResource) X(cuGraphicsVDPAURegisterOutputSurface) \
  X(cuGraphicsVDPAURegisterVideoSurface) X(cuGreenCtxCreate) X(cuGreenCtxDestroy) X(cuGreenCtxGetDevResource) \
  X(cuGreenCtxGetId) X(cuGreenCtxRecordEvent) X(cuGreenCtxStreamCreate) X(cuGreenCtxWaitEvent) \
  X(cuImportExternalMemory) X(cuImportExternalSemaphore) \
  X(cuLaunchCooperativeKernelMultiDevice) X(cuLibraryGetUnifiedFunction) X(cuLogsCurrent) X(cuLogsDumpToFile) \
  X(cuLogsDumpToMemory) X(cuLogsRegisterCallback) X(cuLogsUnregisterCallback) \
  X(cuMemAlloc) X(cuMemAllocPitch) X(cuMemBatchDecompressAsync) \
  X(cuMemBatchDecompressAsync_ptsz) \
  X(cuMemFree) X(cuMemGetAddressRange) \
  X(cuMemGetAttribute) \
  X(cuMemGetAttribute_v2) X(cuMemGetHandleForAddressRange) X(cuMemGetInfo) \
  X(cuMemHostGetDevicePointer) \
  X(cuMemMapArrayAsync) X(cuMemMapArrayAsync_ptsz) \
  X(cuMemcpy2D) X(cuMemcpy2DAsync) \
  X(cuMemcpy2DUnaligned) X(cuMemcpy3D) X(cuMemcpy3DAsync) \
  X(cuMemcpyAtoA) X(cuMemcpyAtoD) X(cuMemcpyAtoH) \
  X(cuMemcpyAtoHAsync) \
  X(cuMemcpyDtoA) X(cuMemcpyDtoD) X(cuMemcpyDtoDAsync) X(cuMemcpyDtoH) \
  X(cuMemcpyDtoHAsync) X(cuMemcpyHtoA) X(cuMemcpyHtoAAsync) X(cuMemcpyHtoD) X(cuMemcpyHtoDAsync) X(cuMemsetD16) \
  X(cuMemsetD2D16) X(cuMemsetD2D32) X(cuMemsetD2D8) X(cuMemsetD32) X(cuMemsetD8) \
  X(cuMipmappedArrayGetMemoryRequirements) X(cuMipmappedArrayGetSparseProperties) X(cuModuleGetGlobal) \
  X(cuMulticastAddDevice) X(cuMulticastBindAddr) X(cuMulticastBindMem) \
  X(cuMulticastCreate) X(cuMulticastGetGranularity) X(cuMulticastUnbind) \
  X(cuSignalExternalSemaphoresAsync) X(cuSignalExternalSemaphoresAsync_ptsz) \
  X(cuStreamBeginCapture) \
  X(cuStreamBeginCaptureToGraph) X(cuStreamBeginCaptureToGraph_ptsz) X(cuStreamBeginCapture_ptsz) \
  X(cuStreamBeginCapture_v2) X(cuStreamBeginCapture_v2_ptsz) \
  X(cuStreamEndCapture) X(cuStreamEndCapture_ptsz) \
  X(cuStreamGetCaptureInfo) X(cuStreamGetCaptureInfo_ptsz) X(cuStreamGetCaptureInfo_v2) \
  X(cuStreamGetCaptureInfo_v2_ptsz) X(cuStreamGetCaptureInfo_v3) X(cuStreamGetCaptureInfo_v3_ptsz) \
  X(cuStreamUpdateCaptureDependencies) X(cuStreamUpdateCaptureDependencies_ptsz) \
  X(cuStreamUpdateCaptureDependencies_v2) X(cuStreamUpdateCaptureDependencies_v2_ptsz) \
  X(cuTexRefGetAddress) \
  X(cuTexRefSetAddress) X(cuTexRefSetAddress2D) \
  X(cuThreadExchangeStreamCaptureMode) \
  X(cuUserObjectCreate) X(cuUserObjectRelease) X(cuUserObjectRetain) X(cuVDPAUCtxCreate) X(cuVDPAUCtxCreate_v2) \
  X(cuVDPAUGetDevice) X(cuWaitExternalSemaphoresAsync) X(cuWaitExternalSemaphoresAsync_ptsz)

#endif
