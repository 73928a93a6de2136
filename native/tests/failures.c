/* Calls and launches that fail; PTXRUN_ON_ERROR=continue unless the part is about it. */
#include <fcntl.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"
#include "kernels.h"
#include "ptxrun.h"

#define AS_ARGUMENT(value) ((void *)(uintptr_t)(value))

static uint32_t word;

static void store(uint32_t *to, uint32_t value) {
  void *args[] = {to, AS_ARGUMENT(value)};
  ptx_run(store_word, 2, args, 1, 1, 1, 1, 1, 1, 0);
}

static void copy(uint32_t *to, const uint32_t *from) {
  void *args[] = {to, (void *)(uintptr_t)from};
  ptx_run(copy_word, 2, args, 1, 1, 1, 1, 1, 1, 0);
}

/* A failure leaves nothing behind. */
static void check_all_is_well(void) {
  store(&word, 17);
  CHECK(ptxrun_error() == NULL && word == 17);
}

static void run_bad_pointer(void) {
  store(NULL, 1);
  CHECK_SAID("PTX3002");
  CHECK_SAID("kernel store_word");
  CHECK_SAID("thread (0,0,0) of block (0,0,0)");
  CHECK_SAID("st.global.u32 [%d], %r;");
  check_all_is_well();
  static const uint64_t nowhere[] = {8, 0x1000, 0x00007ffffffff000u, 0x0000800000000000u, 0x7fffffffffffff00u, UINT64_MAX - 3};
  for (int i = 0; i < COUNT(nowhere); i++) {
    store(AS_ARGUMENT(nowhere[i]), 1);
    CHECK_SAID("PTX300");
    copy(&word, AS_ARGUMENT(nowhere[i]));
    CHECK_SAID("PTX300");
  }
  check_all_is_well();
}

static void run_unmapped(void) {
  uint32_t *pages = mmap(NULL, 3 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(pages != MAP_FAILED && munmap(pages + 1024, 4096) == 0);
  store(pages + 1023, 5);
  CHECK(ptxrun_error() == NULL && pages[1023] == 5);
  store(pages + 1024, 5);
  CHECK_SAID("PTX3002");
  copy(&word, pages + 1024);
  CHECK_SAID("PTX3002");
  store(pages + 2048, 6);
  CHECK(ptxrun_error() == NULL && pages[2048] == 6);
  check_all_is_well();
}

/* The protections of this process hold for its kernels. */
static void run_protected(void) {
  uint32_t *pages = mmap(NULL, 2 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(pages != MAP_FAILED);
  pages[0] = 3;
  CHECK(mprotect(pages, 4096, PROT_READ) == 0);
  copy(&word, pages);
  CHECK(ptxrun_error() == NULL && word == 3);
  store(pages, 4);
  CHECK_SAID("cannot be written");
  CHECK(pages[0] == 3);
  if (getenv("PTXRUN_MEMORY") == NULL) {
    CHECK(mprotect(pages, 4096, PROT_NONE) == 0);
    copy(&word, pages);
    CHECK_SAID("PTX3002");
  }
  check_all_is_well();
}

static void run_announced(void) {
  uint32_t array[8] = {0}, other = 0;
  ptxrun_register(array, 16, "array");
  store(array + 3, 1);
  CHECK(ptxrun_error() == NULL && array[3] == 1);
  store(array + 4, 1);
  CHECK_SAID("PTX3002");
  CHECK_SAID("array");
  store(&other, 1);
  CHECK_SAID("PTX3002");
  ptxrun_register(array, sizeof array, "array");
  store(array + 4, 2);
  CHECK(ptxrun_error() == NULL && array[4] == 2);
  ptxrun_unregister(array + 1);
  ptxrun_unregister(array);
  store(&other, 9);
  CHECK(ptxrun_error() == NULL && other == 9);
  ptxrun_register(NULL, 4, "nothing");
  ptxrun_register(array, 0, "nothing");
  ptxrun_register(array, SIZE_MAX, NULL);
  store(array + 5, 6);
  CHECK(ptxrun_error() == NULL && array[5] == 6);
  ptxrun_unregister(array);
  /* As many as there are. */
  static uint32_t arrays[300][2];
  for (int i = 0; i < COUNT(arrays); i++) {
    char name[16];
    snprintf(name, sizeof name, "array %d", i);
    ptxrun_register(arrays[i], sizeof *arrays[i], name);
  }
  for (int i = 0; i < COUNT(arrays); i += 23) {
    store(arrays[i], 5);
    CHECK(ptxrun_error() == NULL && arrays[i][0] == 5);
  }
  store(arrays[277] + 1, 5);
  CHECK_SAID("just past the end of array 277 (4 bytes)");
  for (int i = 0; i < COUNT(arrays); i++) ptxrun_unregister(arrays[i]);
  check_all_is_well();
}

/* Where a program has closed its input, the lowest descriptors are as good as others; and none stays open. */
static void run_closed_input(void) {
  CHECK(close(0) == 0);
  for (int i = 0; i < 2; i++) {
    uint32_t words[2] = {7, 0};
    copy(words + 1, words);
    CHECK(ptxrun_error() == NULL && words[1] == 7);
    CHECK(open("/dev/null", O_RDONLY) == 0 && close(0) == 0);
  }
}

/* PTXRUN_ONLY_ANNOUNCED=1: from the first launch on, and once all is taken back. */
static void run_only_announced(void) {
  uint32_t array[4] = {0};
  for (int i = 0; i < 2; i++) {
    store(array, 1);
    CHECK_SAID("PTX3002");
    copy(&word, array);
    CHECK_SAID("PTX3002");
    ptxrun_register(array, sizeof array, "array");
    store(array + 3, 7);
    CHECK(ptxrun_error() == NULL && array[3] == 7);
    store(array + 4, 7);
    CHECK_SAID("just past the end of array (16 bytes)");
    ptxrun_unregister(array);
  }
  CHECK(array[0] == 0);
}

static void run_bad_calls(void) {
  void *args[] = {&word, AS_ARGUMENT(1), AS_ARGUMENT(2)};
  ptx_run(NULL, 0, NULL, 1, 1, 1, 1, 1, 1, 0);
  CHECK_SAID("no source");
  ptx_run(store_word, -1, args, 1, 1, 1, 1, 1, 1, 0);
  CHECK_SAID("-1 arguments");
  ptx_run(store_word, 2, NULL, 1, 1, 1, 1, 1, 1, 0);
  CHECK_SAID("NULL");
  ptx_run(store_word, 1, args, 1, 1, 1, 1, 1, 1, 0);
  CHECK_SAID("PTX2205");
  ptx_run(store_word, 3, args, 1, 1, 1, 1, 1, 1, 0);
  CHECK_SAID("PTX2202");
  static const int extents[][6] = {{0, 1, 1, 1, 1, 1}, {1, 1, 1, 1, 0, 1}, {1, 1, -1, 1, 1, 1}, {1025, 1, 1, 1, 1, 1}, {1, 1, 1, 1, 1, 65536}};
  for (int i = 0; i < COUNT(extents); i++) {
    const int *e = extents[i];
    ptx_run(store_word, 2, args, e[0], e[1], e[2], e[3], e[4], e[5], 0);
    CHECK_SAID("PTX2207");
  }
  static const int shared[] = {-1, INT32_MIN};
  for (int i = 0; i < COUNT(shared); i++) {
    ptx_run(store_word, 2, args, 1, 1, 1, 1, 1, 1, shared[i]);
    CHECK_SAID("shared");
  }
  check_all_is_well();
}

static void run_bad_ptx(void) {
  static const struct {
    const char *text, *said;
  } texts[] = {
      {"", "PTX"},
      {"this is a poem, and no program", "PTX1"},
      {"\xff\xfe\x01", "PTX1"},
      {HEAD ".visible .entry k() { add.u32 %r1, %r2; }", "PTX1"},
      {HEAD ".visible .entry k() { frobnicate.u32 %r1, %r2; ret; }", "PTX1201"},
      {HEAD ".func f() { ret; }", "PTX2203"},
  };
  for (int i = 0; i < COUNT(texts); i++) {
    ptx_run(texts[i].text, 0, NULL, 1, 1, 1, 1, 1, 1, 0);
    CHECK_SAID(texts[i].said);
  }
  size_t length = 3u << 20;
  char *spaces = malloc(length + sizeof store_word);
  memset(spaces, ' ', length);
  strcpy(spaces + length, store_word);
  void *args[] = {&word, AS_ARGUMENT(3)};
  ptx_run(spaces, 2, args, 1, 1, 1, 1, 1, 1, 0);
  CHECK(ptxrun_error() == NULL && word == 3);
  free(spaces);
  check_all_is_well();
}

/* Whether this is reached, the variable says. */
static void run_on_error(void) {
  store(NULL, 1);
  printf("it goes on\n");
}

int main(int argc, char **argv) {
  static const struct part_of_test parts[] = {
      {"bad_pointer", run_bad_pointer}, {"unmapped", run_unmapped},   {"protected", run_protected}, {"announced", run_announced},
      {"only_announced", run_only_announced}, {"closed_input", run_closed_input},
      {"bad_calls", run_bad_calls},     {"bad_ptx", run_bad_ptx},     {"on_error", run_on_error},
  };
  return run_part(parts, COUNT(parts), argc, argv);
}
