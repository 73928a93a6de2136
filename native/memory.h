/* This process's memory, at addresses that may be anything: whatever they are, nothing here crashes. */
#ifndef PTXRUN_MEMORY_H
#define PTXRUN_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * With PTXRUN_MEMORY=descriptor, a descriptor by which a child can read this process's memory without leave to trace it; -1
 * otherwise, and where the system has none: then the child asks for what it reads. A descriptor takes a fraction of the
 * time where a kernel goes from page to page all over memory, but reads what this process itself may not: pages that
 * guard the end of a buffer read as zeros.
 */
int open_memory(void);

/*
 * A pipe through which memory is read. The kernel reads it on our behalf, and says EFAULT for what is not mapped, or may not be
 * read, where an access of our own would end the process.
 */
struct passage {
  int from;
  int to;
};

bool passage_open(struct passage *passage);
void passage_close(struct passage *passage);

/* Copies what can be read from `address` on, at most `count` bytes; gives how many those are. */
size_t copy_from(struct passage *passage, uint64_t address, unsigned char *into, size_t count);

#endif
