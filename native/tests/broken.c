/* A message that cannot be sent whole: its sender learns that, its worker ends, and the next one begins anew. */
#include <stdint.h>
#include <sys/mman.h>

#include "check.h"
#include "children.h"
#include "protocol.h"
#include "worker.h"

static void expect(struct answer answer, uint32_t code, const char *words) {
  if (answer.code != code || answer.text == NULL || strstr(answer.text, words) == NULL)
    fprintf(stderr, "%u: %s\n", (unsigned)answer.code, answer.text == NULL ? "" : answer.text);
  CHECK(answer.code == code && answer.text != NULL && strstr(answer.text, words) != NULL);
  free(answer.text);
}

static void ask(size_t count, size_t mapped, const char *words) {
  unsigned char *bytes = mmap(NULL, mapped + 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(bytes != MAP_FAILED && munmap(bytes + mapped, 4096) == 0);
  struct part part = {bytes, count};
  expect(worker_ask(MESSAGE_LAUNCH, &part, 1), EXIT_BUG, words);
  CHECK(worker_process() == 0 && zombies() == 0);
  munmap(bytes, mapped);
}

static void run_unmapped(void) {
  /* In the middle of its first piece, behind more than the socket holds, and right behind the head. */
  ask(1u << 30, 4096, "(Bad address), and ends: process ");
  ask(1u << 30, 64u << 20, "(Bad address), and ends: a message of the program broke off after ");
  ask(3u << 16, 2u << 16, "(Bad address), and ends: a message of the program broke off after ");
}

static void run_long(void) { ask((size_t)1 << 33, 4096, "(Message too long), and ends: process "); }

int main(int argc, char **argv) {
  static const struct part_of_test parts[] = {{"unmapped", run_unmapped}, {"long", run_long}};
  return run_part(parts, COUNT(parts), argc, argv);
}
