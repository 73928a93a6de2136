/*
 * A program with a runtime inside, as nvcc links one by default: here stand-ins for the real functions, which fail. `ptxrun exec`
 * sends them to the library; what has no counterpart there is the program's own.
 */
#include <stdio.h>

/* Lined up, as compilers do. */
#define INSIDE __attribute__((noinline, used, aligned(16)))
#define FAILS                   \
  {                             \
    __asm__ volatile("");       \
    return 35;                  \
  }

/* Device code, as far as this is asked for. */
__attribute__((section(".nvFatBinSegment"), used)) static int wrapper = 0x466243b1;

INSIDE void **__cudaRegisterFatBinary(void *image) {
  __asm__ volatile("" : : "r"(image));
  return 0;
}
INSIDE int cudaGetDeviceCount(int *count) {
  *count = 0;
  FAILS
}
INSIDE int cudaMalloc(void **address, unsigned long bytes) {
  *address = (void *)bytes;
  FAILS
}
INSIDE int cudaMemcpy(void *to, const void *from, unsigned long bytes, int kind) {
  __asm__ volatile("" : : "r"(to), "r"(from), "r"(bytes), "r"(kind));
  FAILS
}
/* Its bytes end before a jump would. */
INSIDE int cudaDeviceSynchronize(void) FAILS
INSIDE int cudaOfItsOwn(void) FAILS

int main(void) {
  int count = -1, there = 7, back = 0;
  void *address = 0;
  int first = cudaGetDeviceCount(&count);
  int results[] = {first, cudaMalloc(&address, sizeof there), cudaMemcpy(address, &there, sizeof there, 1),
                   cudaDeviceSynchronize(), cudaMemcpy(&back, address, sizeof back, 2), cudaOfItsOwn()};
  for (unsigned i = 0; i < sizeof results / sizeof *results; i++) printf("%d ", results[i]);
  printf("%d %d\n", count, back);
  return 0;
}
