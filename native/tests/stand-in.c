/*
 * Stands in for Node and the worker: speaks the protocol, and starts in a millisecond, so that hundreds of them can be
 * killed. It knows one kernel, that stores its second argument where its first points to. STAND_IN makes it behave worse.
 */
#include <stdint.h>
#include <unistd.h>

#include "check.h"
#include "protocol.h"

static void take(void *into, size_t count) {
  for (size_t got = 0; got < count;) {
    ssize_t more = read(SOCKET_DESCRIPTOR, (char *)into + got, count - got);
    if (more <= 0) exit(0);
    got += (size_t)more;
  }
}

static void tell(uint32_t kind, const void *bytes, uint32_t count) {
  uint32_t head[2] = {kind, count};
  if (write(SOCKET_DESCRIPTOR, head, sizeof head) < 0 || (count > 0 && write(SOCKET_DESCRIPTOR, bytes, count) < 0)) exit(0);
}

static unsigned char message[1 << 16];

static uint32_t receive(void) {
  uint32_t head[2];
  take(head, sizeof head);
  CHECK(head[1] <= sizeof message);
  take(message, head[1]);
  return head[0];
}

static void launch(const char *how) {
  uint64_t args[2], found;
  memcpy(args, message + 32, sizeof args);
  uint32_t word = (uint32_t)args[1];
  static int launches;
  if (strcmp(how, "hang") == 0 && launches++ > 0)
    for (;;) pause();
  if (strcmp(how, "lie") == 0) tell(1000, "", 0);
  if (strcmp(how, "cut") == 0) {
    uint32_t head[2] = {MESSAGE_FINISHED, 4096};
    CHECK(write(SOCKET_DESCRIPTOR, head, sizeof head) == sizeof head);
    exit(3);
  }
  unsigned char question[12], answer[12];
  memcpy(question, &args[0], 8);
  memcpy(question + 8, &(uint32_t){8}, 4);
  tell(MESSAGE_READ, question, sizeof question);
  CHECK(receive() == MESSAGE_BYTES);
  memcpy(&found, message, sizeof found);
  memcpy(answer, &args[0], 8);
  memcpy(answer + 8, &word, 4);
  tell(MESSAGE_WRITE, answer, sizeof answer);
  tell(MESSAGE_FINISHED, &(uint32_t){0}, 4);
}

int main(void) {
  const char *how = getenv("STAND_IN");
  if (how == NULL) how = "";
  if (strcmp(how, "leave") == 0) return 5;
  if (receive() != MESSAGE_HELLO) return 1;
  if (strcmp(how, "mute") == 0)
    for (;;) pause();
  tell(MESSAGE_HELLO, &(uint32_t){strcmp(how, "other") == 0 ? 99 : PROTOCOL_VERSION}, 4);
  if (strcmp(how, "deaf") == 0) {
    uint32_t head[2];
    take(head, sizeof head);
    usleep(50000);
    return 3;
  }
  for (;;)
    if (receive() == MESSAGE_LAUNCH) launch(how);
}
