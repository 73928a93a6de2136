#include "serve.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "protocol.h"
#include "report.h"

static enum delivery give_memory(struct channel *channel, const struct message *asked) {
  uint64_t address = 0;
  uint32_t count = 0;
  if (asked->count == sizeof address + sizeof count) {
    memcpy(&address, asked->bytes, sizeof address);
    memcpy(&count, asked->bytes + sizeof address, sizeof count);
  }
  return channel_send_memory(channel, MESSAGE_BYTES, address, count < MOST_READ ? count : MOST_READ);
}

/* A launch that went well, but for what this process does not let itself write. */
static void note_refused(uint64_t refused, struct message *last) {
  uint32_t code;
  bool ends = last->kind == MESSAGE_FINISHED || last->kind == MESSAGE_ANSWER;
  if (!ends || last->count < sizeof code) return;
  memcpy(&code, last->bytes, sizeof code);
  char words[200];
  int length = snprintf(words, sizeof words,
                        "ptxrun: what was stored from 0x%llx on cannot be written there: the memory is read-only, or is "
                        "not mapped any more\n",
                        (unsigned long long)refused);
  unsigned char *more = realloc(last->bytes, (size_t)last->count + (size_t)length + 1);
  if (more == NULL) return;
  last->bytes = more;
  memcpy(more + last->count, words, (size_t)length + 1);
  last->count += (uint32_t)length;
  if (code == 0) code = last->kind == MESSAGE_ANSWER ? WRITE_REFUSED : EXIT_FAULT;
  memcpy(more, &code, sizeof code);
}

enum delivery serve(struct channel *channel, struct message *last, enum effect *effect) {
  /* Of all that could not be written, the first address. */
  uint64_t refused, first_refused = 0;
  bool has_refused = false;
  for (;;) {
    enum delivery went = channel_receive_head(channel, last);
    if (went != DELIVERED) return went;
    if (last->kind == MESSAGE_WRITE && last->count >= sizeof refused) {
      *effect = STORED;
      const uint64_t none = refused = UINT64_MAX;
      went = channel_receive_memory(channel, last->count, &refused);
      if (went != DELIVERED) return went;
      if (refused != none && !has_refused) first_refused = refused;
      has_refused = has_refused || refused != none;
      continue;
    }
    went = channel_receive_rest(channel, last);
    if (went != DELIVERED) return went;
    switch (last->kind) {
      case MESSAGE_PRINT:
        /* By way of the program's own stream, so behind what it has printed itself. */
        fwrite(last->bytes, 1, last->count, stdout);
        fflush(stdout);
        if (*effect == NO_EFFECT) *effect = PRINTED;
        break;
      case MESSAGE_NOTE:
        say("%s", (const char *)last->bytes);
        break;
      case MESSAGE_READ:
        went = give_memory(channel, last);
        break;
      default:
        if (has_refused) note_refused(first_refused, last);
        return DELIVERED;
    }
    free(last->bytes);
    last->bytes = NULL;
    if (went != DELIVERED) return went;
  }
}
