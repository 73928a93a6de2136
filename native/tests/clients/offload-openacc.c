// A program whose loops OpenACC offloads: a stencil, a reduction, and work in a queue.
#include <math.h>
#include <openacc.h>
#include <stdio.h>

enum { N = 64, ROUNDS = 5 };

int main(void) {
  static double a[N][N], b[N][N], c[N][N], d[N][N];
  int failed = 0;
  if (acc_get_num_devices(acc_device_nvidia) == 0) return puts("there is no device"), 2;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) c[i][j] = a[i][j] = (i * 37 + j * 11) % 17, b[i][j] = 0;
  double most = 0;
#pragma acc data copy(a) create(b)
  for (int round = 0; round < ROUNDS; round++) {
    most = 0;
#pragma acc parallel loop collapse(2) reduction(max : most)
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1; j++) {
        b[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
        most = fmax(most, fabs(b[i][j] - a[i][j]));
      }
#pragma acc parallel loop collapse(2) async(1)
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1; j++) a[i][j] = b[i][j];
#pragma acc wait(1)
  }
  double wanted = 0;
  for (int round = 0; round < ROUNDS; round++) {
    wanted = 0;
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1; j++) {
        d[i][j] = 0.25 * (c[i - 1][j] + c[i + 1][j] + c[i][j - 1] + c[i][j + 1]);
        wanted = fmax(wanted, fabs(d[i][j] - c[i][j]));
      }
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1; j++) c[i][j] = d[i][j];
  }
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) failed |= a[i][j] != c[i][j];
  printf("a stencil %s\n", failed ? "WRONG" : "ok");
  printf("its reduction %s: %g\n", most != wanted ? "WRONG" : "ok", most);
  failed |= most != wanted;

  float sum = 0;
#pragma acc kernels loop copy(a) reduction(+ : sum)
  for (int i = 0; i < N; i++) sum += i;
  printf("a sum %s\n", sum != N * (N - 1) / 2 ? "WRONG" : "ok");
  return failed | (sum != N * (N - 1) / 2);
}
