/*
 * The one worker of this process: started at the first question, again after it has died, and again in a child that a fork
 * made. Whatever has questions for it (`ptx_run`, and libraries beside it) asks here.
 */
#ifndef PTXRUN_WORKER_H
#define PTXRUN_WORKER_H

#include <stdbool.h>
#include <stdint.h>

#include "channel.h"

/* What came of a question. */
struct answer {
  /* As `ptxrun run` would exit: 0 where all went well. */
  uint32_t code;
  /* Why not, in words that end with a line end; empty where there are none. Belongs to the holder. */
  char *text;
  /* Of a call: the numbers of the answer, which belong to the holder, too, and how many those are. */
  uint64_t *words;
  uint32_t count;
  /* Of a call: there is no answer. What the worker knew is lost. */
  bool lost;
};

/* Sends one message and does what the worker asks for until it has FINISHED, died, or taken longer than PTXRUN_TIMEOUT. */
struct answer worker_ask(uint32_t kind, const struct part *parts, int count);

/*
 * Sends one call of the driver API, to a worker that keeps what earlier calls have made: where that one is gone, the call
 * fails, unless it is the `first` of all. The code is the answer's status.
 */
struct answer worker_call(bool first, const struct part *parts, int count);

/* Keeps the list of announced allocations, and tells the worker, if there is one. False where there is no room. */
bool worker_announce(uint64_t address, uint64_t bytes, const char *name);
void worker_renounce(uint64_t address);

#endif
