/* What the test programs share: a check that says where it failed. */
#ifndef CHECK_H
#define CHECK_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                     \
  do {                                                                       \
    if (!(condition)) {                                                      \
      fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
      exit(99);                                                              \
    }                                                                        \
  } while (0)

#define CHECK_SAID(words)                                                                       \
  do {                                                                                          \
    const char *said = ptxrun_error();                                                          \
    if (said == NULL || strstr(said, words) == NULL) {                                          \
      fprintf(stderr, "%s:%d: not said: %s, but %s\n", __FILE__, __LINE__, words, said ? said : "nothing"); \
      exit(99);                                                                                 \
    }                                                                                           \
  } while (0)

#define COUNT(array) (int)(sizeof(array) / sizeof *(array))

/* By programs of many parts: the name on the command line says which one runs. */
struct part_of_test {
  const char *name;
  void (*run)(void);
};

static inline int run_part(const struct part_of_test *parts, int count, int argc, char **argv) {
  for (int i = 0; i < count; i++)
    if (argc > 1 && strcmp(argv[1], parts[i].name) == 0) {
      parts[i].run();
      printf("%s: done\n", parts[i].name);
      return 0;
    }
  for (int i = 0; i < count; i++) printf("%s\n", parts[i].name);
  return argc > 1 ? 2 : 0;
}

#endif
