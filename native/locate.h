/* Where Node and the worker's script are. */
#ifndef PTXRUN_LOCATE_H
#define PTXRUN_LOCATE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

struct places {
  char node[PATH_MAX];
  char script[PATH_MAX];
};

/* False where something is not there; `why` then says what, and what to do. */
bool find_places(struct places *places, char *why, size_t room);

#endif
