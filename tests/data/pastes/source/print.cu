#include <cassert>
#include <cstdio>
__global__ void report(int* p, int n) {
  assert(n > 0);
  int* copy = (int*)malloc(n * sizeof(int));
  for (int i = 0; i < n; i++) copy[i] = p[i];
  for (int i = 0; i < n; i++) p[i] = copy[n - 1 - i];
  free(copy);
  printf("%d turned, first %d\n", n, p[0]);
}
