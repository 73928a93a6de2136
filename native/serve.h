/* Does what the worker asks for while it works on a question. */
#ifndef PTXRUN_SERVE_H
#define PTXRUN_SERVE_H

#include <stdbool.h>

#include "channel.h"

/*
 * Serves until a message comes that asks for nothing: `last`, whose bytes belong to the holder. `effect` says what can be seen
 * of it already. A FINISHED that reports success becomes a failure where something could not be written.
 */
enum effect { NO_EFFECT, PRINTED, STORED };
enum delivery serve(struct channel *channel, struct message *last, enum effect *effect);

#endif
