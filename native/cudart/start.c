#include <pthread.h>
#include <stdatomic.h>

#include "runtime.h"
#include "state.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static CUresult started = CUDA_ERROR_NOT_INITIALIZED;
static CUcontext primary;
/* What has ended the primary context. */
static atomic_int broken;
static _Thread_local cudaError_t last;

static void start(void) {
  started = cuInit(0);
  if (started == CUDA_SUCCESS) started = cuDevicePrimaryCtxRetain(&primary, 0);
}

/* Whether the thread's context is dead, and of what. */
static cudaError_t fault(void) {
  CUcontext current;
  CUresult result = cuCtxGetCurrent(&current);
  if (result != CUDA_SUCCESS) return (cudaError_t)result;
  unsigned flags;
  result = cuCtxGetFlags(&flags);
  if (result != CUDA_SUCCESS && current == primary) atomic_store(&broken, (int)result);
  return (cudaError_t)result;
}

cudaError_t begin(void) {
  pthread_once(&once, start);
  if (started != CUDA_SUCCESS) return (cudaError_t)started;
  if (atomic_load(&broken) != 0) return (cudaError_t)atomic_load(&broken);
  CUcontext current;
  CUresult result = cuCtxGetCurrent(&current);
  if (result == CUDA_SUCCESS && current == NULL) result = cuCtxSetCurrent(primary);
  return result == CUDA_SUCCESS ? fault() : (cudaError_t)result;
}

cudaError_t fails(cudaError_t error) {
  if (error != cudaSuccess && error != cudaErrorNotReady) last = error;
  return error;
}

/* The runtime's errors have the numbers of the driver's. */
cudaError_t end(CUresult result) { return fails((cudaError_t)result); }

CUresult reset_primary(void) { return cuDevicePrimaryCtxReset_v2(0); }

API cudaError_t cudaPeekAtLastError(void) {
  if (atomic_load(&broken) != 0) return (cudaError_t)atomic_load(&broken);
  /* A launch that has failed since is told here as well; nothing is started for that. */
  CUcontext current;
  if (cuCtxGetCurrent(&current) == CUDA_SUCCESS && current != NULL && fault() != cudaSuccess) last = fault();
  return last;
}

API cudaError_t cudaGetLastError(void) {
  cudaError_t error = cudaPeekAtLastError();
  last = cudaSuccess;
  return error;
}

static const struct {
  cudaError_t value;
  const char *name;
  const char *text;
} errors[] = {
#define ERROR(name, value, text) {name, #name, text},
    RUNTIME_ERRORS(ERROR)
#undef ERROR
};
#define COUNT (sizeof errors / sizeof *errors)

API const char *cudaGetErrorName(cudaError_t error) {
  for (size_t i = 0; i < COUNT; i++)
    if (errors[i].value == error) return errors[i].name;
  return "unrecognized error code";
}

API const char *cudaGetErrorString(cudaError_t error) {
  for (size_t i = 0; i < COUNT; i++)
    if (errors[i].value == error) return errors[i].text;
  return "unrecognized error code";
}

static pthread_mutex_t mutex;
static pthread_once_t mutex_once = PTHREAD_ONCE_INIT;

static void make_mutex(void) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&mutex, &attributes);
}

int tables_lock(void) {
  pthread_once(&mutex_once, make_mutex);
  return pthread_mutex_lock(&mutex);
}

void tables_unlock(int *locked) {
  (void)locked;
  pthread_mutex_unlock(&mutex);
}
