/* Every error of the runtime API with its name and what it means; X(name, value, text). */
#ifndef PTXRUN_RUNTIME_ERRORS_H
#define PTXRUN_RUNTIME_ERRORS_H

#define RUNTIME_ERRORS(X) \
  X(cudaSuccess, 0, "no error") \
  X(cudaErrorInvalidValue, 1, "invalid argument") \
  X(cudaErrorMemoryAllocation, 2, "out of memory") \
  X(cudaErrorInitializationError, 3, "initialization error") \
  X(cudaErrorCudartUnloading, 4, "driver shutting down") \
  X(cudaErrorProfilerDisabled, 5, "profiler disabled") \
  X(cudaErrorProfilerNotInitialized, 6, "profiler not initialized") \
  X(cudaErrorProfilerAlreadyStarted, 7, "profiler already started") \
  X(cudaErrorProfilerAlreadyStopped, 8, "profiler already stopped") \
  X(cudaErrorInvalidConfiguration, 9, "invalid configuration argument") \
  X(cudaErrorInvalidPitchValue, 12, "invalid pitch argument") \
  X(cudaErrorInvalidSymbol, 13, "invalid device symbol") \
  X(cudaErrorInvalidHostPointer, 16, "invalid host pointer") \
  X(cudaErrorInvalidDevicePointer, 17, "invalid device pointer") \
  X(cudaErrorInvalidTexture, 18, "invalid texture reference") \
  X(cudaErrorInvalidTextureBinding, 19, "texture is not bound to a pointer") \
  X(cudaErrorInvalidChannelDescriptor, 20, "invalid channel descriptor") \
  X(cudaErrorInvalidMemcpyDirection, 21, "invalid copy direction for memcpy") \
  X(cudaErrorAddressOfConstant, 22, "attempt to take the address of a constant") \
  X(cudaErrorTextureFetchFailed, 23, "fetch from texture failed") \
  X(cudaErrorTextureNotBound, 24, "cannot fetch from a texture that is not bound") \
  X(cudaErrorSynchronizationError, 25, "incorrect use of __syncthreads()") \
  X(cudaErrorInvalidFilterSetting, 26, "linear filtering is not supported for this type") \
  X(cudaErrorInvalidNormSetting, 27, "read as normalized float is not supported for this type") \
  X(cudaErrorMixedDeviceExecution, 28, "device emulation mode and device execution mode cannot be mixed") \
  X(cudaErrorNotYetImplemented, 31, "feature not yet implemented") \
  X(cudaErrorMemoryValueTooLarge, 32, "memory size or pointer value too large to fit in 32 bits") \
  X(cudaErrorStubLibrary, 34, "stub library") \
  X(cudaErrorInsufficientDriver, 35, "CUDA driver version is insufficient for CUDA runtime version") \
  X(cudaErrorCallRequiresNewerDriver, 36, "call requires newer driver") \
  X(cudaErrorInvalidSurface, 37, "invalid surface reference") \
  X(cudaErrorDuplicateVariableName, 43, "duplicate global variable") \
  X(cudaErrorDuplicateTextureName, 44, "duplicate texture") \
  X(cudaErrorDuplicateSurfaceName, 45, "duplicate surface") \
  X(cudaErrorDevicesUnavailable, 46, "device unavailable") \
  X(cudaErrorIncompatibleDriverContext, 49, "incompatible driver context") \
  X(cudaErrorMissingConfiguration, 52, "__global__ function call is not configured") \
  X(cudaErrorPriorLaunchFailure, 53, "unspecified launch failure in prior launch") \
  X(cudaErrorLaunchMaxDepthExceeded, 65, "launch would exceed maximum depth of nested launches") \
  X(cudaErrorLaunchFileScopedTex, 66, "launch failed because of file-scoped textures") \
  X(cudaErrorLaunchFileScopedSurf, 67, "launch failed because of file-scoped surfaces") \
  X(cudaErrorSyncDepthExceeded, 68, "cudaDeviceSynchronize failed because caller's grid depth exceeds the limit") \
  X(cudaErrorLaunchPendingCountExceeded, 69, "launch failed because launch would exceed the limit of pending launches") \
  X(cudaErrorInvalidDeviceFunction, 98, "invalid device function") \
  X(cudaErrorNoDevice, 100, "no CUDA-capable device is detected") \
  X(cudaErrorInvalidDevice, 101, "invalid device ordinal") \
  X(cudaErrorDeviceNotLicensed, 102, "device not licensed") \
  X(cudaErrorSoftwareValidityNotEstablished, 103, "integrity checks failed") \
  X(cudaErrorStartupFailure, 127, "startup failure in cuda runtime") \
  X(cudaErrorInvalidKernelImage, 200, "device kernel image is invalid") \
  X(cudaErrorDeviceUninitialized, 201, "invalid device context") \
  X(cudaErrorMapBufferObjectFailed, 205, "map failed") \
  X(cudaErrorUnmapBufferObjectFailed, 206, "unmap failed") \
  X(cudaErrorArrayIsMapped, 207, "array is mapped") \
  X(cudaErrorAlreadyMapped, 208, "already mapped") \
  X(cudaErrorNoKernelImageForDevice, 209, "no kernel image is available for execution on the device") \
  X(cudaErrorAlreadyAcquired, 210, "already acquired") \
  X(cudaErrorNotMapped, 211, "not mapped") \
  X(cudaErrorNotMappedAsArray, 212, "not mapped as array") \
  X(cudaErrorNotMappedAsPointer, 213, "not mapped as pointer") \
  X(cudaErrorECCUncorrectable, 214, "ecc uncorrectable") \
  X(cudaErrorUnsupportedLimit, 215, "unsupported limit") \
  X(cudaErrorDeviceAlreadyInUse, 216, "context already in use") \
  X(cudaErrorPeerAccessUnsupported, 217, "peer access unsupported") \
  X(cudaErrorInvalidPtx, 218, "a PTX JIT compilation failed") \
  X(cudaErrorInvalidGraphicsContext, 219, "invalid graphics context") \
  X(cudaErrorNvlinkUncorrectable, 220, "nvlink uncorrectable") \
  X(cudaErrorJitCompilerNotFound, 221, "jit compiler not found") \
  X(cudaErrorUnsupportedPtxVersion, 222, "the provided PTX was compiled with an unsupported toolchain") \
  X(cudaErrorJitCompilationDisabled, 223, "jit compilation disabled") \
  X(cudaErrorUnsupportedExecAffinity, 224, "unsupported exec affinity") \
  X(cudaErrorUnsupportedDevSideSync, 225, "unsupported devside sync") \
  X(cudaErrorContained, 226, "contained") \
  X(cudaErrorInvalidSource, 300, "device kernel image is invalid") \
  X(cudaErrorFileNotFound, 301, "file not found") \
  X(cudaErrorSharedObjectSymbolNotFound, 302, "shared object symbol not found") \
  X(cudaErrorSharedObjectInitFailed, 303, "shared object init failed") \
  X(cudaErrorOperatingSystem, 304, "operating system") \
  X(cudaErrorInvalidResourceHandle, 400, "invalid resource handle") \
  X(cudaErrorIllegalState, 401, "illegal state") \
  X(cudaErrorLossyQuery, 402, "lossy query") \
  X(cudaErrorSymbolNotFound, 500, "named symbol not found") \
  X(cudaErrorNotReady, 600, "device not ready") \
  X(cudaErrorIllegalAddress, 700, "an illegal memory access was encountered") \
  X(cudaErrorLaunchOutOfResources, 701, "too many resources requested for launch") \
  X(cudaErrorLaunchTimeout, 702, "the launch timed out and was terminated") \
  X(cudaErrorLaunchIncompatibleTexturing, 703, "launch incompatible texturing") \
  X(cudaErrorPeerAccessAlreadyEnabled, 704, "peer access already enabled") \
  X(cudaErrorPeerAccessNotEnabled, 705, "peer access not enabled") \
  X(cudaErrorSetOnActiveProcess, 708, "cannot set while device is active in this process") \
  X(cudaErrorContextIsDestroyed, 709, "context is destroyed") \
  X(cudaErrorAssert, 710, "device-side assert triggered") \
  X(cudaErrorTooManyPeers, 711, "too many peers") \
  X(cudaErrorHostMemoryAlreadyRegistered, 712, "part or all of the requested memory range is already mapped") \
  X(cudaErrorHostMemoryNotRegistered, 713, "pointer does not correspond to a registered memory region") \
  X(cudaErrorHardwareStackError, 714, "hardware stack error") \
  X(cudaErrorIllegalInstruction, 715, "an illegal instruction was encountered") \
  X(cudaErrorMisalignedAddress, 716, "misaligned address") \
  X(cudaErrorInvalidAddressSpace, 717, "operation not supported on global/shared address space") \
  X(cudaErrorInvalidPc, 718, "invalid pc") \
  X(cudaErrorLaunchFailure, 719, "unspecified launch failure") \
  X(cudaErrorCooperativeLaunchTooLarge, 720, "too many blocks in cooperative launch") \
  X(cudaErrorTensorMemoryLeak, 721, "tensor memory leak") \
  X(cudaErrorNotPermitted, 800, "operation not permitted") \
  X(cudaErrorNotSupported, 801, "operation not supported") \
  X(cudaErrorSystemNotReady, 802, "system not ready") \
  X(cudaErrorSystemDriverMismatch, 803, "system driver mismatch") \
  X(cudaErrorCompatNotSupportedOnDevice, 804, "compat not supported on device") \
  X(cudaErrorMpsConnectionFailed, 805, "mps connection failed") \
  X(cudaErrorMpsRpcFailure, 806, "mps rpc failure") \
  X(cudaErrorMpsServerNotReady, 807, "mps server not ready") \
  X(cudaErrorMpsMaxClientsReached, 808, "mps max clients reached") \
  X(cudaErrorMpsMaxConnectionsReached, 809, "mps max connections reached") \
  X(cudaErrorMpsClientTerminated, 810, "mps client terminated") \
  X(cudaErrorCdpNotSupported, 811, "cdp not supported") \
  X(cudaErrorCdpVersionMismatch, 812, "cdp version mismatch") \
  X(cudaErrorStreamCaptureUnsupported, 900, "stream capture unsupported") \
  X(cudaErrorStreamCaptureInvalidated, 901, "stream capture invalidated") \
  X(cudaErrorStreamCaptureMerge, 902, "stream capture merge") \
  X(cudaErrorStreamCaptureUnmatched, 903, "stream capture unmatched") \
  X(cudaErrorStreamCaptureUnjoined, 904, "stream capture unjoined") \
  X(cudaErrorStreamCaptureIsolation, 905, "stream capture isolation") \
  X(cudaErrorStreamCaptureImplicit, 906, "stream capture implicit") \
  X(cudaErrorCapturedEvent, 907, "captured event") \
  X(cudaErrorStreamCaptureWrongThread, 908, "stream capture wrong thread") \
  X(cudaErrorTimeout, 909, "timeout") \
  X(cudaErrorGraphExecUpdateFailure, 910, "graph exec update failure") \
  X(cudaErrorExternalDevice, 911, "external device") \
  X(cudaErrorInvalidClusterSize, 912, "invalid cluster size") \
  X(cudaErrorFunctionNotLoaded, 913, "function not loaded") \
  X(cudaErrorInvalidResourceType, 914, "invalid resource type") \
  X(cudaErrorInvalidResourceConfiguration, 915, "invalid resource configuration") \
  X(cudaErrorUnknown, 999, "unknown error") \
  X(cudaErrorApiFailureBase, 10000, "api failure base")

typedef enum {
#define RUNTIME_ERROR(name, value, text) name = value,
  RUNTIME_ERRORS(RUNTIME_ERROR)
#undef RUNTIME_ERROR
} cudaError_t;

#endif
