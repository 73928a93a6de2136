/* Launches that go well, and what they do to the memory of this process. */
#include <pthread.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"
#include "kernels.h"
#include "ptxrun.h"

#define AS_ARGUMENT(value) ((void *)(uintptr_t)(value))

static void add(float *c, const float *a, const float *b, unsigned n) {
  void *args[] = {c, (void *)(uintptr_t)a, (void *)(uintptr_t)b, AS_ARGUMENT(n)};
  ptx_run(vector_add, 4, args, 64, 1, 1, (int)((n + 63) / 64), 1, 1, 0);
}

/* Three arrays in the middle of one piece of heap, with bytes between them that are somebody else's. */
static void run_vector_add(void) {
  enum { N = 1000, GAP = 52, SIZE = 3 * (4 * N + GAP) + GAP };
  unsigned char *heap = malloc(SIZE), *before = malloc(SIZE);
  for (int i = 0; i < SIZE; i++) heap[i] = (unsigned char)(i * 7);
  float *a = (float *)(heap + GAP), *b = (float *)(heap + 4 * N + 2 * GAP), *c = (float *)(heap + 8 * N + 3 * GAP);
  for (int i = 0; i < N; i++) a[i] = (float)i, b[i] = 0.5f * (float)i;
  memcpy(before, heap, SIZE);
  add(c, a, b, N - 8);
  for (int i = 0; i < N - 8; i++) CHECK(c[i] == 1.5f * (float)i);
  memcpy(heap + 8 * N + 3 * GAP, before + 8 * N + 3 * GAP, 4 * (N - 8));
  CHECK(memcmp(heap, before, SIZE) == 0);
  free(heap);
  free(before);
}

static void run_reduction(void) {
  uint32_t from[256], sum = 7, wanted = 0;
  for (uint32_t i = 0; i < 256; i++) wanted += from[i] = i * i + 1;
  void *args[] = {&sum, from};
  ptx_run(reduction, 2, args, 256, 1, 1, 1, 1, 1, 0);
  CHECK(sum == wanted);
}

struct node {
  uint32_t value;
  struct node *next;
};

/* Nodes of a list in all kinds of memory. */
static void run_pointers_in_memory(void) {
  static struct node fixed = {10, NULL};
  struct node local = {20, &fixed}, *heap = malloc(sizeof *heap);
  struct node *mapped = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(mapped != MAP_FAILED);
  mapped += 1000;
  *heap = (struct node){30, &local};
  *mapped = (struct node){40, heap};
  void *args[] = {mapped};
  for (int i = 0; i < 3; i++) ptx_run(each_node, 1, args, 1, 1, 1, 1, 1, 1, 0);
  CHECK(fixed.value == 13 && local.value == 23 && heap->value == 33 && mapped->value == 43);
  CHECK(mapped->next == heap && heap->next == &local && local.next == &fixed && fixed.next == NULL);
  free(heap);
}

/* What lies behind the width of a parameter is not the parameter's. */
static void run_parameters(void) {
  struct {
    int32_t s8;
    uint32_t u16;
    int32_t s32;
    float f32;
    uint64_t u64;
  } got;
  union {
    float value;
    uint32_t bits;
  } f = {.value = 2.5f};
  void *args[] = {&got,
                  AS_ARGUMENT(0x1234567812345680u),
                  AS_ARGUMENT(0xffffffffffff8001u),
                  AS_ARGUMENT((uint64_t)(int64_t)-5),
                  AS_ARGUMENT(0xabcd000000000000u | f.bits),
                  AS_ARGUMENT(0xfedcba9876543210u)};
  ptx_run(parameters, 6, args, 1, 1, 1, 1, 1, 1, 0);
  CHECK(got.s8 == -128 && got.u16 == 0x8001 && got.s32 == -5 && got.f32 == 2.5f && got.u64 == 0xfedcba9876543210u);
}

/* Variables of a module are new in each launch, whatever ran between. */
static void run_variables(void) {
  uint32_t count = 0, word = 0;
  void *args[] = {&count}, *others[] = {&word, AS_ARGUMENT(5)};
  for (int i = 0; i < 5; i++) {
    ptx_run(counter, 1, args, 1, 1, 1, 1, 1, 1, 0);
    ptx_run(store_word, 2, others, 1, 1, 1, 1, 1, 1, 0);
    CHECK(count == 42 && word == 5);
    count = word = 0;
  }
}

static void run_printf(void) {
  printf("before\n");
  ptx_run(hello, 0, NULL, 2, 1, 1, 1, 1, 1, 0);
  printf("after\n");
}

/* A page at a time is read at first, then more: all of a large buffer, and nothing behind its end. */
static void run_large(void) {
  enum { N = 1 << 18, PAGE = 4096 };
  size_t bytes = (size_t)N * 4;
  unsigned char *whole = mmap(NULL, 3 * (bytes + PAGE), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(whole != MAP_FAILED);
  float *arrays[3];
  for (int i = 0; i < 3; i++) {
    arrays[i] = (float *)(whole + (size_t)i * (bytes + PAGE));
    CHECK(munmap((unsigned char *)arrays[i] + bytes, PAGE) == 0);
  }
  for (int i = 0; i < N; i++) arrays[0][i] = (float)i, arrays[1][i] = 1;
  void *args[] = {arrays[2], arrays[0], arrays[1], AS_ARGUMENT(N)};
  ptx_run(vector_add, 4, args, 1024, 1, 1, N / 1024, 1, 1, 0);
  for (int i = 0; i < N; i++) CHECK(arrays[2][i] == (float)i + 1);
}

static void *launch_some(void *argument) {
  float a[40], b[40], c[40];
  float base = (float)*(int *)argument;
  for (int round = 0; round < 25; round++) {
    for (int i = 0; i < 40; i++) a[i] = base + (float)round, b[i] = (float)i, c[i] = -1;
    add(c, a, b, 40);
    CHECK(ptxrun_error() == NULL);
    for (int i = 0; i < 40; i++) CHECK(c[i] == base + (float)(round + i));
  }
  return NULL;
}

static void run_threads(void) {
  pthread_t threads[8];
  int bases[8];
  for (int i = 0; i < 8; i++) {
    bases[i] = 1000 * i;
    CHECK(pthread_create(&threads[i], NULL, launch_some, &bases[i]) == 0);
  }
  for (int i = 0; i < 8; i++) CHECK(pthread_join(threads[i], NULL) == 0);
}

/* As a framework's test does: many small kernels, some of them the same. */
static void run_many(void) {
  float a[64], b[64], c[64];
  for (int round = 0; round < 1000; round++) {
    for (int i = 0; i < 64; i++) a[i] = (float)round, b[i] = (float)i;
    add(c, a, b, 64);
    CHECK(c[63] == (float)(round + 63));
  }
  for (int kernel = 0; kernel < 300; kernel++) {
    char text[1000];
    uint32_t word = 0;
    snprintf(text, sizeof text, "%s// kernel %d\n", store_word, kernel);
    void *args[] = {&word, AS_ARGUMENT(kernel)};
    ptx_run(text, 2, args, 1, 1, 1, 1, 1, 1, 0);
    CHECK(word == (uint32_t)kernel);
  }
}

int main(int argc, char **argv) {
  static const struct part_of_test parts[] = {
      {"vector_add", run_vector_add}, {"reduction", run_reduction}, {"pointers_in_memory", run_pointers_in_memory},
      {"parameters", run_parameters}, {"variables", run_variables}, {"printf", run_printf},
      {"large", run_large},           {"threads", run_threads},     {"many", run_many},
  };
  return run_part(parts, COUNT(parts), argc, argv);
}
