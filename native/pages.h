/* The pages that a launch is likely to touch first: those that its arguments point to. */
#ifndef PTXRUN_PAGES_H
#define PTXRUN_PAGES_H

#include <stddef.h>
#include <stdint.h>

#define PAGE_BYTES 4096
#define MOST_PAGES 16

/* As a message has them: the count, and then as many pages. */
struct pages {
  uint32_t count;
  unsigned char bytes[MOST_PAGES * (sizeof(uint64_t) + PAGE_BYTES)];
};

/* Those that can be read, for who frees them; NULL where there are none. Any value may be a pointer, or something else. */
struct pages *pages_at(const uint64_t *values, int count);

/* How much of it there is to send. */
size_t pages_size(const struct pages *pages);

#endif
