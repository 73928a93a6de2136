#include "jit_log.h"

#include <string.h>

struct log {
  char *at;
  size_t room;
  void **size;
};

static struct log log_of(CUjit_option buffer, CUjit_option size, unsigned count, const CUjit_option *options, void **values) {
  struct log log = {NULL, 0, NULL};
  for (unsigned i = 0; i < count; i++) {
    if (options[i] == buffer) log.at = values[i];
    if (options[i] == size) {
      /* A number of 32 bits where a pointer would be. */
      log.room = (uint32_t)(uintptr_t)values[i];
      log.size = &values[i];
    }
  }
  return log;
}

static bool write_log(struct log log, const char *text) {
  size_t length = 0;
  bool there = log.at != NULL && log.room > 0;
  if (there) {
    length = strlen(text);
    if (length > log.room - 1) length = log.room - 1;
    memcpy(log.at, text, length);
    log.at[length] = 0;
  }
  if (log.size != NULL) *log.size = (void *)(uintptr_t)(length == 0 ? 0 : length + 1);
  return there;
}

bool jit_log(const char *text, unsigned count, const CUjit_option *options, void **values) {
  if (options == NULL || values == NULL) return false;
  write_log(log_of(CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, count, options, values), "");
  return write_log(log_of(CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, count, options, values), text);
}
