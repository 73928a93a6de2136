// nvcc: -arch=compute_80
#include "../check.cuh"
__global__ void k(unsigned* o) {
  int i = threadIdx.x, l = i % 32;
  unsigned* r = o + i * 12;
  r[0] = __shfl_sync(~0u, i, (l + 3) % 32);
  r[1] = __shfl_up_sync(~0u, i, 2);
  r[2] = __shfl_down_sync(~0u, i, 5, 16);
  r[3] = __shfl_xor_sync(~0u, i, 9);
  r[4] = __ballot_sync(~0u, i % 3 == 0);
  r[5] = __any_sync(~0u, i == 40) + 2 * __all_sync(~0u, i < 32);
  r[6] = __match_any_sync(~0u, i % 5);
  r[7] = __reduce_add_sync(~0u, i);
  r[8] = __reduce_max_sync(~0u, i * 7 % 32);
  r[9] = __activemask();
  if (l < 7)
    r[10] = __popc(__activemask());
  else
    r[10] = __shfl_sync(~0x7fu, i, 20);
  unsigned long long t = __shfl_sync(~0u, (unsigned long long)i << 33, 1);
  r[11] = t >> 33;
  __syncwarp();
}
int main() {
  static unsigned o[64 * 12];
  unsigned* d;
  WORKS(cudaMalloc(&d, sizeof o));
  k<<<1, 64>>>(d);
  WORKS(cudaMemcpy(o, d, sizeof o, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 64; i++) {
    int l = i % 32, w = i - l;
    unsigned* r = o + 12 * i;
    CHECK(r[0] == w + (l + 3) % 32u);
    CHECK(r[1] == (unsigned)(l < 2 ? i : i - 2));
    CHECK(r[2] == (unsigned)(l % 16 + 5 < 16 ? i + 5 : i));
    CHECK(r[3] == (unsigned)(w + (l ^ 9)));
    unsigned b = 0, m = 0, s = 0, x = 0;
    for (int j = 0; j < 32; j++) {
      if ((w + j) % 3 == 0) b |= 1u << j;
      if ((w + j) % 5 == i % 5) m |= 1u << j;
      s += w + j;
      unsigned v = (w + j) * 7 % 32;
      if (v > x) x = v;
    }
    CHECK(r[4] == b && r[6] == m && r[7] == s && r[8] == x);
    CHECK(r[5] == (w ? 1u : 2u));
    CHECK(r[9] == ~0u);
    CHECK(r[10] == (l < 7 ? 7u : w + 20u));
    CHECK(r[11] == (unsigned)w + 1);
  }
  puts("ok");
}
