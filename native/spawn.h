/* Starts the worker's process. */
#ifndef PTXRUN_SPAWN_H
#define PTXRUN_SPAWN_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct spawned {
  pid_t process;
  int socket;
  /* Whether it can read this process's memory by a descriptor. */
  bool has_memory;
};

/* False where it could not be started; `why` then says so in words. */
bool spawn_worker(struct spawned *spawned, char *why, size_t room);

#endif
