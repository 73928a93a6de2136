#include "pages.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"

enum { ENTRY = sizeof(uint64_t) + PAGE_BYTES };

static bool is_there(const struct pages *pages, uint64_t page) {
  for (uint32_t i = 0; i < pages->count; i++)
    if (memcmp(pages->bytes + i * ENTRY, &page, sizeof page) == 0) return true;
  return false;
}

static void add(struct pages *pages, struct passage *passage, uint64_t page) {
  unsigned char *entry = pages->bytes + pages->count * ENTRY;
  if (copy_from(passage, page, entry + sizeof page, PAGE_BYTES) != PAGE_BYTES) return;
  memcpy(entry, &page, sizeof page);
  pages->count++;
}

struct pages *pages_at(const uint64_t *values, int count) {
  struct passage passage;
  if (count == 0 || !passage_open(&passage)) return NULL;
  struct pages *pages = malloc(sizeof *pages);
  if (pages != NULL) pages->count = 0;
  for (int i = 0; i < count && pages != NULL && pages->count < MOST_PAGES; i++) {
    uint64_t page = values[i] - values[i] % PAGE_BYTES;
    if (page != 0 && !is_there(pages, page)) add(pages, &passage, page);
  }
  passage_close(&passage);
  return pages;
}

size_t pages_size(const struct pages *pages) {
  return sizeof pages->count + (pages == NULL ? 0 : pages->count * (size_t)ENTRY);
}
