// Device printf: every conversion, strings, widths, no arguments at all, and what it returns.

#include <cstdio>

extern "C" __global__ void print(int* returned, double x) {
  const int i = threadIdx.x;
  if (i == 0) printf("block %d of %u\n", blockIdx.x, gridDim.x);
  if (i == 1) returned[blockIdx.x] = printf("%5d|%-5d|%05d|%+d|%x|%#X|%o\n", 42, -42, 42, 42, 0xbeefu, 0xbeefu, 8u);
  if (i == 2) printf("%lld %llu %ld %hd %c%c %%\n", -1234567890123456789ll, ~0ull, -5l, (short)-7, 'o', 'k');
  if (i == 3) printf("%f %.3f %10.2f %e %g %G\n", x, x * 1000, -x, x / 1000, x * 1e10, x);
  if (i == 4) printf("%s and %-8s|%8s|%.2s\n", "one", "two", "three", "four");
  if (i == 5) printf("no arguments\n");
  if (i == 6) printf("%d %d %d %d %d %d %d %d %d\n", 1, 2, 3, 4, 5, 6, 7, 8, 9);
}
