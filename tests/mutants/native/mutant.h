/* Which mutant is meant, by PTXRUN_MUTANT; what processes come to is noted in the file that PTXRUN_MUTANTS_SEEN names, a byte each. */
#ifndef MUTANT_H
#define MUTANT_H

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static inline int mutant_hit(int id) {
  static int active = -2;
  static volatile unsigned char *seen = MAP_FAILED;
  if (active == -2) {
    const char *meant = getenv("PTXRUN_MUTANT"), *file = getenv("PTXRUN_MUTANTS_SEEN");
    active = meant == NULL ? 0 : atoi(meant);
    int opened = file == NULL ? -1 : open(file, O_RDWR | O_CLOEXEC);
    if (opened >= 0) {
      seen = mmap(NULL, 65536, PROT_READ | PROT_WRITE, MAP_SHARED, opened, 0);
      close(opened);
    }
  }
  if (seen != MAP_FAILED) seen[id] = 1;
  return id == active;
}

#endif
