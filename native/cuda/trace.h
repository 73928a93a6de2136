/* What PTXRUN_TRACE tells of a call of the driver API; native/trace.js makes the functions that use this. */
#ifndef PTXRUN_CUDA_TRACE_H
#define PTXRUN_CUDA_TRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "state.h"

/* How an argument is shown: a number or a pointer, a text, not at all, or what a pointer leads to that the call has written: 4
 * or 8 bytes. */
enum shown_kind { WORD, TEXT, STRUCT, RESULT4, RESULT8 };

struct shown {
  const char *name;
  enum shown_kind kind;
  uint64_t value;
};

bool is_traced(void);
/* One line: name, arguments, result. */
void trace_call(const char *name, CUresult result, const struct shown *arguments, int count);

#endif
