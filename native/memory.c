#include "memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/syscall.h>
#endif

#include "report.h"

/* A step within which memory is all there or not at all, and which every pipe has room for. */
#define STEP 4096

int open_memory(void) {
  const char *how = getenv("PTXRUN_MEMORY");
  if (how == NULL || *how == 0 || strcmp(how, "requests") == 0) return -1;
  if (strcmp(how, "descriptor") != 0) {
    say("ptxrun: PTXRUN_MEMORY is %s, and neither requests nor descriptor: it counts for nothing\n", how);
    return -1;
  }
#ifdef __linux__
  return open("/proc/self/mem", O_RDONLY | O_CLOEXEC);
#else
  return -1;
#endif
}

/* System calls, past the functions of the same name: a sanitizer would look at the memory that these are asked for. */
static ssize_t raw_write(int file, const void *bytes, size_t count) {
  ssize_t done;
  do
#ifdef __linux__
    done = syscall(SYS_write, file, bytes, count);
#else
    done = write(file, bytes, count);
#endif
  while (done < 0 && errno == EINTR);
  return done;
}

static ssize_t raw_read(int file, void *bytes, size_t count) {
  ssize_t done;
  do
#ifdef __linux__
    done = syscall(SYS_read, file, bytes, count);
#else
    done = read(file, bytes, count);
#endif
  while (done < 0 && errno == EINTR);
  return done;
}

bool passage_open(struct passage *passage) {
  int ends[2];
#ifdef __linux__
  if (pipe2(ends, O_CLOEXEC) < 0) return false;
#else
  if (pipe(ends) < 0) return false;
  fcntl(ends[0], F_SETFD, FD_CLOEXEC);
  fcntl(ends[1], F_SETFD, FD_CLOEXEC);
#endif
  passage->from = ends[0];
  passage->to = ends[1];
  return true;
}

void passage_close(struct passage *passage) {
  if (passage->from >= 0) close(passage->from);
  if (passage->to >= 0) close(passage->to);
  passage->from = passage->to = -1;
}

/* Bytes until the end of the step that an address lies in. */
static size_t step_at(uint64_t address, size_t count) {
  size_t left = STEP - (size_t)(address % STEP);
  return left < count ? left : count;
}

size_t copy_from(struct passage *passage, uint64_t address, unsigned char *into, size_t count) {
  size_t done = 0;
  while (done < count) {
    size_t step = step_at(address + done, count - done);
    ssize_t sent = raw_write(passage->to, (const void *)(uintptr_t)(address + done), step);
    if (sent <= 0) break;
    if (raw_read(passage->from, into + done, (size_t)sent) != sent) break;
    done += (size_t)sent;
    if ((size_t)sent < step) break;
  }
  return done;
}
