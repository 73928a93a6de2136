#include "../check.cuh"
#include <cuda_fp16.h>
struct S {
  int a;
  unsigned b;
  unsigned long long c;
  float d;
  double e;
  int mn, mx;
  unsigned o, x, n;
  unsigned inc, dec;
  __half2 h;
  int cas;
  unsigned short us;
};
__global__ void k(S* s) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&s->a, i);
  atomicSub(&s->b, 1);
  atomicAdd(&s->c, 1ull << 33);
  atomicAdd(&s->d, 0.5f);
  atomicAdd(&s->e, 0.25);
  atomicMin(&s->mn, -i);
  atomicMax(&s->mx, i);
  atomicOr(&s->o, 1u << (i % 32));
  atomicXor(&s->x, i);
  atomicAnd(&s->n, ~(1u << (i % 8)));
  atomicInc(&s->inc, 9);
  atomicDec(&s->dec, 9);
  atomicAdd(&s->h, __floats2half2_rn(1, 0.5f));
  int old = s->cas, a;
  do {
    a = old;
    old = atomicCAS(&s->cas, a, a + 3);
  } while (a != old);
  unsigned short us = s->us, w;
  do {
    w = us;
    us = atomicCAS(&s->us, w, (unsigned short)(w + 1));
  } while (us != w);
}
int main() {
  S h = {};
  h.b = 1000;
  h.n = ~0u;
  S* d;
  WORKS(cudaMalloc(&d, sizeof h));
  WORKS(cudaMemcpy(d, &h, sizeof h, cudaMemcpyHostToDevice));
  k<<<4, 50>>>(d);
  WORKS(cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost));
  CHECK(h.a == 199 * 100 && h.b == 800 && h.c == 200ull << 33 && h.d == 100 && h.e == 50 && h.mn == -199 &&
        h.mx == 199 && h.o == ~0u && h.n == 0xffffff00u);
  int x = 0;
  for (int i = 0; i < 200; i++) x ^= i;
  CHECK(h.x == (unsigned)x && h.inc == 0 && h.cas == 600 && h.us == 200);
  CHECK(__half2float(h.h.x) == 200 && __half2float(h.h.y) == 100);
  CHECK(h.dec == 0);
  puts("ok");
}
