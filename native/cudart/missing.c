#include "missing.h"

#include <stdatomic.h>

#include "../report.h"
#include "state.h"

static cudaError_t missing(const char *name, atomic_flag *said) {
  if (!atomic_flag_test_and_set(said)) say("ptxrun: %s is not supported\n", name);
  return fails(cudaErrorNotSupported);
}

/* Whatever they are called with, they look at nothing. */
#define FUNCTION_OF(name)                       \
  API cudaError_t name(void);                   \
  API cudaError_t name(void) {                  \
    static atomic_flag said = ATOMIC_FLAG_INIT; \
    return missing(#name, &said);               \
  }
MISSING(FUNCTION_OF)
