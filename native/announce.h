/* The allocations that this process has announced, which outlive a worker. */
#ifndef PTXRUN_ANNOUNCE_H
#define PTXRUN_ANNOUNCE_H

#include <stdbool.h>
#include <stdint.h>

#include "channel.h"

/* The list belongs to who holds the worker's lock. False where there is no room for one more. */
bool announce(uint64_t address, uint64_t bytes, const char *name);
/* False where nothing was announced at the address. */
bool renounce(uint64_t address);

/* Tells a worker of one, or of all. */
enum delivery send_announced(struct channel *channel, uint64_t address, uint64_t bytes, const char *name);
enum delivery send_renounced(struct channel *channel, uint64_t address);
enum delivery send_all_announced(struct channel *channel);

#endif
