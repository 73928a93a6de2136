#include "life.h"

/* More than there are files that keep something of the worker. */
#define MOST 8

static uint64_t life = 1;
static void (*mourners[MOST])(CUresult why);
static int count;

uint64_t worker_life(void) { return life; }

void when_lost(void (*mourn)(CUresult why)) { mourners[count++] = mourn; }

void worker_lost(CUresult why) {
  life++;
  for (int i = 0; i < count; i++) mourners[i](why);
}
