/*
 * How long calls of the driver API take, see clients.js. Each line is a name, the least time of its rounds, and its unit; times of the
 * host's own work stand beside them, because machines differ and have other things to do.
 *
 *     calls tiles.ptx [WHAT]
 */
#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "driver-check.h"
#include "kernels.h"

/* Microseconds. */
static double now(void) {
  struct timespec at;
  clock_gettime(CLOCK_MONOTONIC, &at);
  return (double)at.tv_sec * 1e6 + (double)at.tv_nsec / 1e3;
}

/* The least microseconds of `rounds` rounds of `times` times, each. */
#define LEAST(least, rounds, times, work)                  \
  do {                                                     \
    least = 1e18;                                          \
    for (int round_ = 0; round_ < (rounds); round_++) {    \
      double began_ = now();                               \
      for (int time_ = 0; time_ < (times); time_++) work;  \
      double took_ = (now() - began_) / (times);           \
      if (took_ < least) least = took_;                    \
    }                                                      \
  } while (0)

static char *text_of(const char *path) {
  FILE *file = fopen(path, "rb");
  CHECK(file != NULL);
  fseek(file, 0, SEEK_END);
  long size = ftell(file);
  rewind(file);
  char *text = calloc(1, (size_t)size + 1);
  CHECK(fread(text, 1, (size_t)size, file) == (size_t)size);
  fclose(file);
  return text;
}

/* What two processes need to say a word to each other, and to hear one. */
static double of_word(void) {
  int ends[2];
  char word = 0;
  double least;
  CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
  pid_t child = fork();
  if (child == 0) {
    while (read(ends[1], &word, 1) == 1 && write(ends[1], &word, 1) == 1 && word == 0) continue;
    _exit(0);
  }
  LEAST(least, 50, 200, {
    CHECK(write(ends[0], &word, 1) == 1);
    CHECK(read(ends[0], &word, 1) == 1);
  });
  word = 1;
  CHECK(write(ends[0], &word, 1) == 1);
  close(ends[0]);
  close(ends[1]);
  return least;
}

static void measure_launches(void) {
  enum { N = 256 };
  static float a[N];
  double least;
  CUdeviceptr data = device_copy(a, sizeof a);
  CUfunction function = kernel_of(vector_add, "vector_add");
  unsigned n = N;
  void *parameters[] = {&data, &data, &data, &n};
  double first = now();
  WORKS(cuLaunchKernel(function, 1, 1, 1, N, 1, 1, 0, NULL, parameters, NULL));
  printf("first launch %.0f us\n", now() - first);
  LEAST(least, 60, 200, WORKS(cuLaunchKernel(function, 1, 1, 1, N, 1, 1, 0, NULL, parameters, NULL)));
  printf("launch %.1f us\n", least);
  LEAST(least, 60, 200, WORKS(cuCtxSynchronize()));
  size_t available, total;
  LEAST(least, 60, 200, WORKS(cuMemGetInfo_v2(&available, &total)));
  printf("call %.1f us\n", least);
}

static void measure_modules(const char *text) {
  CUmodule module;
  double least;
  WORKS(cuModuleLoadData(&module, text));
  LEAST(least, 60, 10, {
    WORKS(cuModuleLoadData(&module, text));
    WORKS(cuModuleUnload(module));
  });
  printf("module %.1f us\n", least);
}

static void measure_copies(size_t bytes) {
  char *from = malloc(bytes), *to = malloc(bytes);
  double least;
  CUdeviceptr data;
  memset(from, 1, bytes);
  memset(to, 2, bytes);
  LEAST(least, 8, 1, memcpy(to, from, bytes));
  double rate = (double)bytes / 1e3;
  printf("memcpy of %zu %.2f GB/s\n", bytes >> 20, rate / least);
  WORKS(cuMemAlloc_v2(&data, bytes));
  double began = now();
  WORKS(cuMemcpyHtoD_v2(data, from, bytes));
  printf("first to device %.2f GB/s\n", rate / (now() - began));
  LEAST(least, 8, 1, WORKS(cuMemcpyHtoD_v2(data, from, bytes)));
  printf("to device %.2f GB/s\n", rate / least);
  LEAST(least, 8, 1, WORKS(cuMemcpyDtoH_v2(to, data, bytes)));
  printf("from device %.2f GB/s\n", rate / least);
  LEAST(least, 4, 1, WORKS(cuMemsetD8_v2(data, 3, bytes)));
  printf("set %.2f GB/s\n", rate / least);
  CHECK(memcmp(from, to, bytes) == 0);
  WORKS(cuMemFree_v2(data));
  free(from);
  free(to);
}

static void measure_matmul(const char *text, unsigned n) {
  size_t bytes = 4 * (size_t)n * n;
  float *a = malloc(bytes);
  for (size_t i = 0; i < (size_t)n * n; i++) a[i] = (float)(i % 7);
  CUdeviceptr da = device_copy(a, bytes), db = device_copy(a, bytes), dc = device_copy(a, bytes);
  CUmodule module;
  CUfunction function;
  WORKS(cuModuleLoadData(&module, text));
  WORKS(cuModuleGetFunction(&function, module, "tiles"));
  void *parameters[] = {&dc, &da, &db, &n};
  double least, began = now();
  WORKS(cuLaunchKernel(function, n / 16, n / 16, 1, 16, 16, 1, 0, NULL, parameters, NULL));
  printf("first product %u %.1f ms\n", n, (now() - began) / 1e3);
  LEAST(least, n > 300 ? 12 : 200, 1, WORKS(cuLaunchKernel(function, n / 16, n / 16, 1, 16, 16, 1, 0, NULL, parameters, NULL)));
  printf("product %u %.1f ms\n", n, least / 1e3);
  float c;
  WORKS(cuMemcpyDtoH_v2(&c, dc + 4 * (n + 1), 4));
  float wanted = 0;
  for (unsigned k = 0; k < n; k++) wanted += a[n + k] * a[(size_t)k * n + 1];
  CHECK(c == wanted);
}

int main(int count, char **words) {
  CHECK(count > 1);
  const char *which = count > 2 ? words[2] : "all";
  bool all = strcmp(which, "all") == 0;
  char *text = text_of(words[1]);
  printf("word %.1f us\n", of_word());
  begin();
  if (all || strcmp(which, "product") == 0) measure_matmul(text, 128);
  if (all || strcmp(which, "launches") == 0) measure_launches();
  if (all || strcmp(which, "modules") == 0) measure_modules(text);
  if (all || strcmp(which, "copies") == 0) measure_copies((size_t)256 << 20);
  if (all || strcmp(which, "big") == 0) measure_matmul(text, 512), measure_matmul(text, 1024);
  return 0;
}
