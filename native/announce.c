#include "announce.h"

#include <stdlib.h>
#include <string.h>

#include "protocol.h"

struct range {
  uint64_t address;
  uint64_t bytes;
  char *name;
};

static struct range *ranges;
static size_t count;
static size_t room;

static struct range *find(uint64_t address) {
  for (size_t i = 0; i < count; i++)
    if (ranges[i].address == address) return &ranges[i];
  return NULL;
}

bool announce(uint64_t address, uint64_t bytes, const char *name) {
  size_t length = strlen(name) + 1;
  char *copy = malloc(length);
  if (copy == NULL) return false;
  memcpy(copy, name, length);
  struct range *range = find(address);
  if (range != NULL) {
    free(range->name);
  } else {
    if (count == room) {
      size_t more = room == 0 ? 16 : 2 * room;
      struct range *larger = realloc(ranges, more * sizeof *ranges);
      if (larger == NULL) {
        free(copy);
        return false;
      }
      ranges = larger;
      room = more;
    }
    range = &ranges[count++];
  }
  *range = (struct range){.address = address, .bytes = bytes, .name = copy};
  return true;
}

bool renounce(uint64_t address) {
  struct range *range = find(address);
  if (range == NULL) return false;
  free(range->name);
  *range = ranges[--count];
  return true;
}

enum delivery send_announced(struct channel *channel, uint64_t address, uint64_t bytes, const char *name) {
  uint64_t numbers[2] = {address, bytes};
  struct part parts[] = {{numbers, sizeof numbers}, {name, strlen(name)}};
  return channel_send(channel, MESSAGE_REGISTER, parts, 2);
}

enum delivery send_renounced(struct channel *channel, uint64_t address) {
  struct part part = {&address, sizeof address};
  return channel_send(channel, MESSAGE_UNREGISTER, &part, 1);
}

enum delivery send_all_announced(struct channel *channel) {
  enum delivery sent = DELIVERED;
  for (size_t i = 0; i < count && sent == DELIVERED; i++)
    sent = send_announced(channel, ranges[i].address, ranges[i].bytes, ranges[i].name);
  return sent;
}
