#include <cstdint>
#include "../check.cuh"
__global__ void k(const unsigned* in, unsigned* o, int n) {
  int i = threadIdx.x;
  unsigned a = in[i], b = in[(i + 1) % n], c = in[(i + 2) % n];
  unsigned* r = o + i * 16;
  r[0] = __brev(a);
  r[1] = __popc(a);
  r[2] = __clz(a);
  r[3] = __ffs(a);
  r[4] = __byte_perm(a, b, 0x5163);
  r[5] = __funnelshift_l(a, b, c);
  r[6] = __umulhi(a, b);
  r[7] = __mulhi((int)a, (int)b);
  r[8] = __sad(a, b, c);
  r[9] = __vadd4(a, b);
  r[10] = __vabsdiffu4(a, b);
  r[11] = __dp4a(a, b, c);
  r[12] = __usad(a, b, c);
  r[13] = __rhadd(a, b);
  r[14] = __float_as_uint(__uint2float_rz(a));
  r[15] = __double2uint_rn(__hiloint2double(0x41000000 | (a >> 12), b));
}
int main() {
  const int n = 64;
  unsigned h[n], o[n * 16];
  unsigned x = 12345;
  for (auto& v : h) v = x = x * 1664525 + 1013904223;
  unsigned *a, *b;
  WORKS(cudaMalloc(&a, sizeof h));
  WORKS(cudaMalloc(&b, sizeof o));
  WORKS(cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice));
  k<<<1, 64>>>(a, b, n);
  WORKS(cudaMemcpy(o, b, sizeof o, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; i++) {
    unsigned a = h[i], b = h[(i + 1) % n], c = h[(i + 2) % n], *r = o + 16 * i, v = 0;
    for (int k = 0; k < 32; k++) v |= ((a >> k) & 1) << (31 - k);
    CHECK(r[0] == v);
    CHECK(r[1] == (unsigned)__builtin_popcount(a));
    CHECK(r[2] == (unsigned)__builtin_clz(a));
    CHECK(r[3] == (unsigned)__builtin_ffs(a));
    uint64_t ab = ((uint64_t)b << 32) | a;
    v = 0;
    int sel[] = {3, 6, 1, 5};
    for (int k = 0; k < 4; k++) v |= ((ab >> (8 * sel[k])) & 255) << (8 * k);
    CHECK(r[4] == v);
    CHECK(r[5] == (unsigned)((ab << (c & 31)) >> 32));
    CHECK(r[6] == (unsigned)(((uint64_t)a * b) >> 32));
    CHECK(r[7] == (unsigned)(((int64_t)(int)a * (int)b) >> 32));
    CHECK(r[8] == (unsigned)llabs((int64_t)(int)a - (int)b) + c);
    v = 0;
    unsigned w = 0;
    int d = c;
    for (int k = 0; k < 4; k++) {
      unsigned p = (a >> 8 * k) & 255, q = (b >> 8 * k) & 255;
      v |= ((p + q) & 255) << 8 * k;
      w |= (p > q ? p - q : q - p) << 8 * k;
      d += (int)p * (int)q;
    }
    CHECK(r[9] == v && r[10] == w && r[11] == (unsigned)d);
    CHECK(r[12] == (a > b ? a - b : b - a) + c);
    CHECK(r[13] == (unsigned)(((int64_t)(int)a + (int)b + 1) >> 1));
  }
  puts("ok");
}
