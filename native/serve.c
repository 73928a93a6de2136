#include "serve.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "protocol.h"
#include "report.h"

/* What a question needs while it is served. */
struct service {
  struct channel *channel;
  struct passage passage;
  /* Memory that was asked for, made when it first is. */
  unsigned char *room;
  /* The first address that could not be written. */
  uint64_t refused;
  bool has_refused;
};

static bool has_passage(struct service *service) {
  return service->passage.from >= 0 || passage_open(&service->passage);
}

static enum delivery give_memory(struct service *service, const struct message *asked) {
  uint64_t address = 0;
  uint32_t count = 0;
  if (asked->count == sizeof address + sizeof count) {
    memcpy(&address, asked->bytes, sizeof address);
    memcpy(&count, asked->bytes + sizeof address, sizeof count);
  }
  if (count > MOST_READ) count = MOST_READ;
  if (service->room == NULL) service->room = malloc(MOST_READ);
  bool able = service->room != NULL && has_passage(service);
  struct part part = {service->room, able ? copy_from(&service->passage, address, service->room, count) : 0};
  return channel_send(service->channel, MESSAGE_BYTES, &part, 1);
}

static void take_memory(struct service *service, const struct message *told) {
  uint64_t address;
  if (told->count < sizeof address) return;
  memcpy(&address, told->bytes, sizeof address);
  const unsigned char *bytes = told->bytes + sizeof address;
  if (has_passage(service) && copy_to(&service->passage, address, bytes, told->count - sizeof address)) return;
  if (!service->has_refused) service->refused = address;
  service->has_refused = true;
}

/* A launch that went well, but for what this process does not let itself write. */
static void note_refused(const struct service *service, struct message *last) {
  uint32_t code;
  bool ends = last->kind == MESSAGE_FINISHED || last->kind == MESSAGE_ANSWER;
  if (!service->has_refused || !ends || last->count < sizeof code) return;
  memcpy(&code, last->bytes, sizeof code);
  char words[200];
  int length = snprintf(words, sizeof words,
                        "ptxrun: what was stored from 0x%llx on cannot be written there: the memory is read-only, or is "
                        "not mapped any more\n",
                        (unsigned long long)service->refused);
  unsigned char *more = realloc(last->bytes, (size_t)last->count + (size_t)length + 1);
  if (more == NULL) return;
  last->bytes = more;
  memcpy(more + last->count, words, (size_t)length + 1);
  last->count += (uint32_t)length;
  if (code == 0) code = last->kind == MESSAGE_ANSWER ? WRITE_REFUSED : EXIT_FAULT;
  memcpy(more, &code, sizeof code);
}

enum delivery serve(struct channel *channel, struct message *last, enum effect *effect) {
  struct service service = {.channel = channel, .passage = {-1, -1}};
  enum delivery went;
  for (;;) {
    went = channel_receive(channel, last);
    if (went != DELIVERED) break;
    bool more = true;
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
        went = give_memory(&service, last);
        break;
      case MESSAGE_WRITE:
        *effect = STORED;
        take_memory(&service, last);
        break;
      default:
        more = false;
    }
    if (!more) break;
    free(last->bytes);
    last->bytes = NULL;
    if (went != DELIVERED) break;
  }
  passage_close(&service.passage);
  free(service.room);
  if (went == DELIVERED) note_refused(&service, last);
  return went;
}
