// A program whose loops OpenMP offloads: products, functions, atomics, reductions, and the device's own malloc and printf.
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 48, COUNT = 1000 };

static int wrong(const char *what, int failed) {
  printf("%s %s\n", what, failed ? "WRONG" : "ok");
  return failed;
}

#pragma omp declare target
static double table[4] = {1, 2, 4, 8};
static double horner(double x) {
  double sum = 0;
  for (int i = 0; i < 4; i++) sum = sum * x + table[i];
  return sum;
}
#pragma omp end declare target

int main(void) {
  static int a[N][N], b[N][N], c[N][N];
  static double x[COUNT], y[COUNT];
  int failed = 0, host = 1, bins[8] = {0}, wanted[8] = {0};
  if (omp_get_num_devices() == 0) return puts("there is no device"), 2;
#pragma omp target map(from : host)
  host = omp_is_initial_device();
  failed |= wrong("runs on the device", host);

  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) a[i][j] = i * j % 7, b[i][j] = i - j;
#pragma omp target teams distribute parallel for collapse(2) map(to : a, b) map(from : c)
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      int sum = 0;
      for (int k = 0; k < N; k++) sum += a[i][k] * b[k][j];
      c[i][j] = sum;
    }
  int off = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      int sum = 0;
      for (int k = 0; k < N; k++) sum += a[i][k] * b[k][j];
      off |= c[i][j] != sum;
    }
  failed |= wrong("a product", off);

  for (int i = 0; i < COUNT; i++) x[i] = (i + 1) / 100.0;
#pragma omp target teams distribute parallel for map(to : x) map(from : y)
  for (int i = 0; i < COUNT; i++) y[i] = sin(x[i]) + exp(-x[i]) * pow(x[i], 1.5) + horner(x[i]);
  double most = 0;
  for (int i = 0; i < COUNT; i++)
    most = fmax(most, fabs(y[i] / (sin(x[i]) + exp(-x[i]) * pow(x[i], 1.5) + horner(x[i])) - 1));
  failed |= wrong("functions within 1e-11", !(most <= 1e-11));

#pragma omp target teams distribute parallel for map(tofrom : bins)
  for (int i = 0; i < COUNT; i++) {
#pragma omp atomic
    bins[i * i % 8]++;
  }
  for (int i = 0; i < COUNT; i++) wanted[i * i % 8]++;
  off = 0;
  for (int i = 0; i < 8; i++) off |= bins[i] != wanted[i];
  failed |= wrong("atomics", off);

  long sum = 0;
#pragma omp target teams distribute parallel for reduction(+ : sum)
  for (int i = 0; i < COUNT; i++) sum += i;
  failed |= wrong("a reduction", sum != (long)COUNT * (COUNT - 1) / 2);

  int kept = 0;
#pragma omp target map(from : kept)
  {
    int *own = malloc(10 * sizeof *own);
    for (int i = 0; i < 10; i++) own[i] = i * i;
    kept = own[7];
    free(own);
    printf("said on the device: %d\n", kept);
  }
  failed |= wrong("malloc on the device", kept != 49);

  int *device = omp_target_alloc(sizeof(int) * COUNT, omp_get_default_device());
#pragma omp target teams distribute parallel for is_device_ptr(device)
  for (int i = 0; i < COUNT; i++) device[i] = 3 * i;
  int back[COUNT];
  omp_target_memcpy(back, device, sizeof back, 0, 0, omp_get_initial_device(), omp_get_default_device());
  omp_target_free(device, omp_get_default_device());
  off = 0;
  for (int i = 0; i < COUNT; i++) off |= back[i] != 3 * i;
  failed |= wrong("memory of the device", off);
  return failed;
}
