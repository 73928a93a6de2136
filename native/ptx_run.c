#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pages.h"
#include "protocol.h"
#include "ptxrun.h"
#include "report.h"
#include "worker.h"

/* As many arguments as a parameter block of the largest size could hold, and then some. */
#define MOST_ARGUMENTS 65536
#define COUNT(array) (int)(sizeof(array) / sizeof *(array))

/* By thread: why its last launch failed. */
static pthread_key_t errors;
static pthread_once_t errors_made = PTHREAD_ONCE_INIT;

static void make_errors(void) { pthread_key_create(&errors, free); }

static void keep_error(char *text) {
  pthread_once(&errors_made, make_errors);
  free(pthread_getspecific(errors));
  pthread_setspecific(errors, text);
}

const char *ptxrun_error(void) {
  pthread_once(&errors_made, make_errors);
  return pthread_getspecific(errors);
}

/* A call that cannot be meant. */
#if defined(__GNUC__)
__attribute__((format(printf, 1, 2)))
#endif
static int refuse(const char *format, ...) {
  char words[400];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(words, sizeof words, format, arguments);
  va_end(arguments);
  size_t length = strlen(words) + 1;
  char *text = malloc(length);
  if (text != NULL) memcpy(text, words, length);
  keep_error(text);
  return EXIT_USAGE;
}

int ptxrun_launch(const char *source, const char *kernel, int n_args, void *args[], int block_x, int block_y, int block_z,
                  int grid_x, int grid_y, int grid_z, int shared_mem_size) {
  keep_error(NULL);
  if (source == NULL) return refuse("ptxrun: ptx_run was given no source: the pointer is NULL\n");
  if (n_args < 0 || n_args > MOST_ARGUMENTS) return refuse("ptxrun: ptx_run was given %d arguments\n", n_args);
  if (n_args > 0 && args == NULL)
    return refuse("ptxrun: ptx_run was given %d arguments by a pointer that is NULL\n", n_args);
  int32_t head[8] = {block_x, block_y, block_z, grid_x, grid_y, grid_z, shared_mem_size, n_args};
  uint64_t few[16];
  uint64_t *values = n_args <= 16 ? few : malloc((size_t)n_args * sizeof *values);
  if (values == NULL) return refuse("ptxrun: no memory is left for %d arguments\n", n_args);
  const uint32_t none = 0;
  uint32_t named = kernel == NULL ? 0 : (uint32_t)strlen(kernel);
  for (int i = 0; i < n_args; i++) values[i] = (uint64_t)(uintptr_t)args[i];
  struct pages *pages = pages_at(values, n_args);
  struct part parts[] = {{head, sizeof head},
                         {values, (size_t)n_args * sizeof *values},
                         {pages == NULL ? &none : &pages->count, pages_size(pages)},
                         {&named, sizeof named},
                         {kernel == NULL ? "" : kernel, named},
                         {source, strlen(source)}};
  struct answer answer = worker_ask(MESSAGE_LAUNCH, parts, COUNT(parts));
  free(pages);
  if (values != few) free(values);
  if (answer.code == 0)
    free(answer.text);
  else
    keep_error(answer.text);
  return (int)answer.code;
}

void ptx_run(const char *source, int n_args, void *args[], int block_x, int block_y, int block_z, int grid_x, int grid_y,
             int grid_z, int shared_mem_size) {
  int code = ptxrun_launch(source, NULL, n_args, args, block_x, block_y, block_z, grid_x, grid_y, grid_z, shared_mem_size);
  if (code == 0) return;
  const char *text = ptxrun_error();
  fail((uint32_t)code, text == NULL ? "ptxrun: the launch failed, and no memory is left to say why\n" : text);
}

void ptxrun_register(const void *pointer, size_t size, const char *name) {
  if (pointer == NULL || size == 0 || !worker_announce((uint64_t)(uintptr_t)pointer, size, name == NULL ? "" : name))
    say("ptxrun: ptxrun_register: %zu bytes at %p cannot be announced\n", size, pointer);
}

void ptxrun_unregister(const void *pointer) { worker_renounce((uint64_t)(uintptr_t)pointer); }
