/*
 * Runs NVIDIA PTX without a GPU, in a program of C or of whatever calls C: docs/clients.md.
 *
 * Link with -lptxrun, or load libptxrun.so (libptxrun.dylib). All functions may be called by any thread; launches run one
 * after another.
 */
#ifndef PTXRUN_H
#define PTXRUN_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define PTXRUN_API __attribute__((visibility("default")))
#else
#define PTXRUN_API
#endif

/*
 * Runs the first kernel of a PTX module and waits for its end. `args[i]` *is* the 64-bit value of parameter i, not a
 * pointer to it: the low bits of a number, the bits of a float, or a pointer of this process, whose memory the kernel
 * reads and writes at its own addresses. `shared_mem_size`: dynamic shared memory of a block, bytes.
 *
 * A launch that fails prints its diagnostic on standard error and ends the process, unless PTXRUN_ON_ERROR says otherwise.
 */
PTXRUN_API void ptx_run(const char *source, int n_args, void *args[], int block_x, int block_y, int block_z, int grid_x,
                        int grid_y, int grid_z, int shared_mem_size);

/*
 * The same of the kernel that is named, or of the first one by NULL. Prints nothing and ends nothing: returns what `ptxrun run`
 * would exit with, 0 where it went well, and ptxrun_error() says why.
 */
PTXRUN_API int ptxrun_launch(const char *source, const char *kernel, int n_args, void *args[], int block_x, int block_y,
                             int block_z, int grid_x, int grid_y, int grid_z, int shared_mem_size);

/*
 * Announces an allocation. Once there is one, kernels may touch nothing else, and a fault names the nearest. Without any,
 * they may touch whatever this process has mapped, or nothing with PTXRUN_ONLY_ANNOUNCED=1. One that begins at the same
 * address takes the other's place.
 */
PTXRUN_API void ptxrun_register(const void *pointer, size_t size, const char *name);

/* Takes back what was announced at this address; anything else changes nothing. */
PTXRUN_API void ptxrun_unregister(const void *pointer);

/*
 * Why this thread's last launch failed, by ptxrun_launch or with PTXRUN_ON_ERROR=continue; NULL if it went well. Stays as it is
 * until the thread's next launch.
 */
PTXRUN_API const char *ptxrun_error(void);

#ifdef __cplusplus
}
#endif

#endif
