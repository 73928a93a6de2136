#include "trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../report.h"
#include "driver.h"

/* Letters of a text that are shown. */
#define MOST_LETTERS 80

bool is_traced(void) {
  const char *wanted = getenv("PTXRUN_TRACE");
  return wanted != NULL && strcmp(wanted, "1") == 0;
}

/* Numbers that count something as such, all else in hexadecimal. */
static void show_number(char *line, size_t room, uint64_t value) {
  int32_t low = (int32_t)value;
  if (value < 1u << 31)
    snprintf(line, room, "%u", (unsigned)value);
  else if (value == (uint64_t)(int64_t)low)
    snprintf(line, room, "%d", low);
  else
    snprintf(line, room, "0x%llx", (unsigned long long)value);
}

static void show(char *line, size_t room, const struct shown *argument, bool good) {
  const void *pointer = (const void *)(uintptr_t)argument->value;
  uint32_t word;
  uint64_t value = argument->value;
  bool written = argument->kind >= RESULT4 && pointer != NULL && good;
  snprintf(line, room, "%s%s=", written ? "*" : "", argument->name);
  size_t used = strlen(line);
  if (argument->kind == TEXT && pointer != NULL) {
    snprintf(line + used, room - used, "\"%.*s\"", MOST_LETTERS, (const char *)pointer);
    return;
  }
  if (argument->kind == STRUCT) {
    snprintf(line + used, room - used, "{...}");
    return;
  }
  if (written && argument->kind == RESULT8) memcpy(&value, pointer, sizeof value);
  if (written && argument->kind == RESULT4) {
    memcpy(&word, pointer, sizeof word);
    value = (uint64_t)(int64_t)(int32_t)word;
  }
  show_number(line + used, room - used, value);
}

void trace_call(const char *name, CUresult result, const struct shown *arguments, int count) {
  char line[3000], error[40];
  size_t used = (size_t)snprintf(line, sizeof line, "%s(", name);
  for (int i = 0; i < count && used < sizeof line - 300; i++) {
    if (i > 0) used += (size_t)snprintf(line + used, sizeof line - used, ", ");
    show(line + used, 200, &arguments[i], result == CUDA_SUCCESS);
    used += strlen(line + used);
  }
  const char *text = NULL;
  cuGetErrorName(result, &text);
  snprintf(error, sizeof error, "%d", (int)result);
  snprintf(line + used, sizeof line - used, ") = %s", text == NULL ? error : text);
  const char *path = getenv("PTXRUN_LOG");
  FILE *log = path == NULL || *path == 0 ? NULL : fopen(path, "ae");
  if (log == NULL) {
    say("ptxrun: %s\n", line);
  } else {
    fprintf(log, "%s\n", line);
    fclose(log);
  }
}
