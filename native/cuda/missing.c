#include "missing.h"

#include <stdatomic.h>

#include "../report.h"
#include "state.h"

static CUresult missing(const char *name, atomic_flag *said) {
  if (!atomic_flag_test_and_set(said)) say("ptxrun: %s is not supported\n", name);
  return CUDA_ERROR_NOT_SUPPORTED;
}

/* Whatever they are called with, they look at nothing. */
#define FUNCTION_OF(name)                          \
  API CUresult name(void);                         \
  API CUresult name(void) {                        \
    static atomic_flag said = ATOMIC_FLAG_INIT;    \
    return missing(#name, &said);                  \
  }
MISSING(FUNCTION_OF)
