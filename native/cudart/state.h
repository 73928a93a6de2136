/* What every function of the runtime API begins and ends with. */
#ifndef PTXRUN_CUDART_STATE_H
#define PTXRUN_CUDART_STATE_H

#include <stdbool.h>

#include "../cuda/driver.h"
#include "types.h"

/* Of which version of CUDA this library stands for the runtime: 11, 12 or 13. */
#ifndef CUDART_MAJOR
#define CUDART_MAJOR 13
#endif
/* The last minor version of each, as cudaRuntimeGetVersion gives it. */
#define CUDART_VERSION (CUDART_MAJOR == 11 ? 11080 : CUDART_MAJOR == 12 ? 12090 : 13000)

#define API __attribute__((visibility("default")))
/* The same function under another name: of another version, or for streams of each thread. */
#define ALSO(name, other) API extern __typeof__(name) other __attribute__((alias(#name)))
#define PER_THREAD(name) ALSO(name, name##_ptsz)
#define PER_THREAD_SYNC(name) ALSO(name, name##_ptds)

/*
 * Starts the driver on the first call, and makes the primary context this thread's where the program has set none. A fault of
 * a kernel is told by each call from then on, for as long as the process lives.
 */
cudaError_t begin(void);
/* What the driver says, as the runtime's error; it is this thread's last error unless it is a success. */
cudaError_t end(CUresult result);
cudaError_t fails(cudaError_t error);
/* The context that the runtime has made is empty again: everything in it is gone. */
CUresult reset_primary(void);

/* One thread at a time changes or searches the tables. The lock may be taken again by who has it. */
int tables_lock(void);
void tables_unlock(int *locked);
#define LOCKED __attribute__((cleanup(tables_unlock), unused)) int locked_ = tables_lock()

#define BEGIN                                          \
  do {                                                 \
    cudaError_t begun_ = begin();                      \
    if (begun_ != cudaSuccess) return fails(begun_);   \
  } while (0)
#define NEEDS(condition) \
  do {                   \
    if (!(condition)) return fails(cudaErrorInvalidValue); \
  } while (0)

/* Everything in a stream has happened when a call returns; what is wrong with the stream is told all the same. */
CUresult check_stream(cudaStream_t stream);
#define IN_STREAM(stream)                               \
  BEGIN;                                                \
  do {                                                  \
    CUresult checked_ = check_stream(stream);           \
    if (checked_ != CUDA_SUCCESS) return end(checked_); \
  } while (0)

#define DEVICE_ADDRESS(pointer) ((CUdeviceptr)(uintptr_t)(pointer))

#endif
