/* Functions of the runtime APIs of CUDA 11, 12 and 13 that are not there; X(name). */
#ifndef PTXRUN_CUDART_MISSING_H
#define PTXRUN_CUDART_MISSING_H

#define MISSING(X) \
  X(name) X(__cudaGetProcAddress) X(__cudaRegisterHostVar) X(__cudaRegisterSurface) X(__cudaRegisterTexture) \
  X(__cudaRegisterUnifiedTable) X(cudaArrayGetMemoryRequirements) X(cudaArrayGetPlane) X(cudaArrayGetSparseProperties) \
  X(cudaBindSurfaceToArray) X(cudaBindTexture) X(cudaBindTexture2D) X(cudaBindTextureToArray) \
  X(cudaBindTextureToMipmappedArray) X(cudaConfigureCall) X(cudaDestroyExternalMemory) X(cudaDestroyExternalSemaphore) \
  X(cudaDeviceFlushGPUDirectRDMAWrites) X(cudaDeviceGetHostAtomicCapabilities) X(cudaDeviceGetNvSciSyncAttributes) \
  X(cudaDeviceGetP2PAtomicCapabilities) X(cudaDeviceGetP2PAttribute) X(cudaDeviceGetTexture1DLinearMaxWidth) \
  X(cudaDeviceRegisterAsyncNotification) X(cudaDeviceUnregisterAsyncNotification) X(cudaEGLStreamConsumerAcquireFrame) \
  X(cudaEGLStreamConsumerConnect) X(cudaEGLStreamConsumerConnectWithFlags) X(cudaEGLStreamConsumerDisconnect) \
  X(cudaEGLStreamConsumerReleaseFrame) X(cudaEGLStreamProducerConnect) X(cudaEGLStreamProducerDisconnect) \
  X(cudaEGLStreamProducerPresentFrame) X(cudaEGLStreamProducerReturnFrame) X(cudaEventCreateFromEGLSync) \
  X(cudaExternalMemoryGetMappedBuffer) X(cudaExternalMemoryGetMappedMipmappedArray) X(cudaGLGetDevices) \
  X(cudaGLMapBufferObject) X(cudaGLMapBufferObjectAsync) X(cudaGLRegisterBufferObject) \
  X(cudaGLSetBufferObjectMapFlags) X(cudaGLSetGLDevice) X(cudaGLUnmapBufferObject) X(cudaGLUnmapBufferObjectAsync) \
  X(cudaGLUnregisterBufferObject) X(cudaGetExportTable) X(cudaGetSurfaceReference) X(cudaGetTextureAlignmentOffset) \
  X(cudaGetTextureReference) X(cudaGraphAddExternalSemaphoresSignalNode) X(cudaGraphAddExternalSemaphoresWaitNode) \
  X(cudaGraphExecExternalSemaphoresSignalNodeSetParams) X(cudaGraphExecExternalSemaphoresWaitNodeSetParams) \
  X(cudaGraphExternalSemaphoresSignalNodeGetParams) X(cudaGraphExternalSemaphoresSignalNodeSetParams) \
  X(cudaGraphExternalSemaphoresWaitNodeGetParams) X(cudaGraphExternalSemaphoresWaitNodeSetParams) \
  X(cudaGraphicsEGLRegisterImage) X(cudaGraphicsGLRegisterBuffer) X(cudaGraphicsGLRegisterImage) \
  X(cudaGraphicsMapResources) X(cudaGraphicsResourceGetMappedEglFrame) X(cudaGraphicsResourceGetMappedMipmappedArray) \
  X(cudaGraphicsResourceGetMappedPointer) X(cudaGraphicsResourceSetMapFlags) X(cudaGraphicsSubResourceGetMappedArray) \
  X(cudaGraphicsUnmapResources) X(cudaGraphicsUnregisterResource) X(cudaGraphicsVDPAURegisterOutputSurface) \
  X(cudaGraphicsVDPAURegisterVideoSurface) X(cudaImportExternalMemory) X(cudaImportExternalSemaphore) \
  X(cudaIpcCloseMemHandle) X(cudaIpcGetEventHandle) X(cudaIpcGetMemHandle) X(cudaIpcOpenEventHandle) \
  X(cudaIpcOpenMemHandle) X(cudaLaunch) X(cudaLaunchCooperativeKernelMultiDevice) X(cudaLaunch_ptsz) \
  X(cudaLibraryGetManaged) X(cudaLibraryGetUnifiedFunction) X(cudaLogsCurrent) X(cudaLogsDumpToFile) \
  X(cudaLogsDumpToMemory) X(cudaLogsRegisterCallback) X(cudaLogsUnregisterCallback) \
  X(cudaMemDiscardAndPrefetchBatchAsync) X(cudaMemDiscardAndPrefetchBatchAsync_ptsz) X(cudaMemDiscardBatchAsync) \
  X(cudaMemDiscardBatchAsync_ptsz) X(cudaMemGetDefaultMemPool) X(cudaMemGetMemPool) X(cudaMemPoolExportPointer) \
  X(cudaMemPoolExportToShareableHandle) X(cudaMemPoolGetAccess) X(cudaMemPoolImportFromShareableHandle) \
  X(cudaMemPoolImportPointer) X(cudaMemPrefetchBatchAsync) X(cudaMemPrefetchBatchAsync_ptsz) \
  X(cudaMemRangeGetAttribute) X(cudaMemRangeGetAttributes) X(cudaMemSetMemPool) X(cudaMemcpy3DBatchAsync) \
  X(cudaMemcpy3DBatchAsync_ptsz) X(cudaMemcpyBatchAsync) X(cudaMemcpyBatchAsync_ptsz) \
  X(cudaMipmappedArrayGetMemoryRequirements) X(cudaMipmappedArrayGetSparseProperties) X(cudaPeerGetDevicePointer) \
  X(cudaPeerRegister) X(cudaPeerUnregister) X(cudaProfilerInitialize) X(cudaSetDoubleForDevice) \
  X(cudaSetDoubleForHost) X(cudaSetupArgument) X(cudaSignalExternalSemaphoresAsync) \
  X(cudaSignalExternalSemaphoresAsync_ptsz) X(cudaStreamGetAttribute) X(cudaStreamGetAttribute_ptsz) \
  X(cudaStreamSetFlags) X(cudaStreamSetFlags_ptsz) X(cudaUnbindTexture) X(cudaVDPAUGetDevice) \
  X(cudaVDPAUSetVDPAUDevice) X(cudaWaitExternalSemaphoresAsync) X(cudaWaitExternalSemaphoresAsync_ptsz)

#endif
