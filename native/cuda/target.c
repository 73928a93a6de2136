#include "target.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../report.h"

#define KIB 1024

static const struct target targets[] = {
    {50, 2048, 32, 64 * KIB, 48 * KIB, 0},   {52, 2048, 32, 96 * KIB, 48 * KIB, 0},   {53, 2048, 32, 64 * KIB, 48 * KIB, 0},
    {60, 2048, 32, 64 * KIB, 48 * KIB, 0},   {61, 2048, 32, 96 * KIB, 48 * KIB, 0},   {62, 2048, 32, 64 * KIB, 48 * KIB, 0},
    {70, 2048, 32, 96 * KIB, 96 * KIB, 0},   {72, 2048, 32, 96 * KIB, 96 * KIB, 0},   {75, 1024, 16, 64 * KIB, 64 * KIB, 0},
    {80, 2048, 32, 164 * KIB, 163 * KIB, 0}, {86, 1536, 16, 100 * KIB, 99 * KIB, 0},  {87, 1536, 16, 164 * KIB, 163 * KIB, 0},
    {88, 1536, 16, 164 * KIB, 163 * KIB, 0}, {89, 1536, 24, 100 * KIB, 99 * KIB, 0},  {90, 2048, 32, 228 * KIB, 227 * KIB, 1},
    {100, 2048, 32, 228 * KIB, 227 * KIB, 1}, {103, 2048, 32, 228 * KIB, 227 * KIB, 1}, {110, 1536, 24, 228 * KIB, 227 * KIB, 1},
    {120, 1536, 24, 100 * KIB, 99 * KIB, 1}, {121, 1536, 24, 100 * KIB, 99 * KIB, 1},
};
#define COUNT (sizeof targets / sizeof *targets)

static const struct target *find(int number) {
  for (size_t i = 0; i < COUNT; i++)
    if (targets[i].number == number) return &targets[i];
  return NULL;
}

const struct target *target(void) {
  static const struct target *chosen;
  if (chosen != NULL) return chosen;
  const char *name = getenv("PTXRUN_TARGET");
  chosen = find(90);
  if (name == NULL || *name == 0) return chosen;
  char *end = NULL;
  long number = strncmp(name, "sm_", 3) == 0 ? strtol(name + 3, &end, 10) : 0;
  /* sm_90a is what an sm_90 has. */
  const char *rest = end == NULL ? "?" : *end == 'a' || *end == 'f' ? end + 1 : end;
  const struct target *asked = *rest == 0 && number < 1000 ? find((int)number) : NULL;
  if (asked == NULL)
    say("ptxrun: PTXRUN_TARGET is %s, and no target from sm_50 to sm_121: the device is sm_90\n", name);
  else
    chosen = asked;
  return chosen;
}

/* Half of the machine's memory, because each byte that is touched takes a second one, and no more than MOST_MEMORY. */
static unsigned long long most_memory(void) {
  long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
  unsigned long long half = pages > 0 && size > 0 ? (unsigned long long)pages / 2 * (unsigned long long)size : MOST_MEMORY;
  return half < MOST_MEMORY ? half : MOST_MEMORY;
}

unsigned long long device_memory(void) {
  static unsigned long long most;
  if (most == 0) most = most_memory();
  const char *text = getenv("PTXRUN_MAX_MEM");
  if (text == NULL || *text == 0) return most;
  char *end;
  unsigned long long bytes = strtoull(text, &end, 0);
  const char *unit = *end == 0 ? NULL : strchr("KMG", *end & ~0x20);
  if (unit != NULL) bytes <<= *unit == 'K' ? 10 : *unit == 'M' ? 20 : 30;
  return bytes > 0 && bytes < most ? bytes : most;
}
