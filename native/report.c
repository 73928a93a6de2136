#include "report.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void say(const char *format, ...) {
  va_list arguments;
  /* What was printed before comes before. */
  fflush(stdout);
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fflush(stderr);
}

void fail(uint32_t code, const char *text) {
  say("%s", text);
  const char *wanted = getenv("PTXRUN_ON_ERROR");
  if (wanted == NULL || *wanted == 0) wanted = "abort";
  if (strcmp(wanted, "continue") == 0) return;
  if (strcmp(wanted, "exit") == 0) exit((int)code);
  if (strcmp(wanted, "abort") == 0)
    say("ptxrun: the program is aborted; PTXRUN_ON_ERROR=continue lets it go on, and =exit lets it exit with code %u\n",
        (unsigned)code);
  else
    say("ptxrun: PTXRUN_ON_ERROR is %s, and neither abort, exit nor continue; the program is aborted\n", wanted);
  abort();
}
