// The arithmetic of the kernels in tests/data/bench and of gemm_pipelined, as plain scalar loops: what ptxrun's time is
// compared with. Compiled by `g++ -O3 -march=native -fno-tree-vectorize`; multiplications and additions are fused where the
// PTX fuses them, so that checksums agree.
//
// Reads lines "NAME SECONDS" and repeats the kernel for at least so long; answers "LEAST-CPU-SECONDS CHECKSUM".
#include <time.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#define NOINLINE __attribute__((noinline))

static double now() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

static const int COUNT = 1 << 20;
static std::vector<float> x(COUNT), y(COUNT), out(COUNT);
static std::vector<uint16_t> a(256 * 256), b(256 * 256);

NOINLINE static void saxpy(const float* x, float* y, float a, int n) {
  for (int i = 0; i < n; i++) y[i] = fmaf(a, x[i], y[i]);
}

// As a thread computes it: one sum after the other.
NOINLINE static void sgemm_naive(const float* A, const float* B, float* C, int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      float sum = 0;
      for (int k = 0; k < n; k++) sum = fmaf(A[i * n + k], B[k * n + j], sum);
      C[i * n + j] = sum;
    }
}

NOINLINE static void sgemm_tiled(const float* A, const float* B, float* C, int n) {
  const int T = 16;
  for (int by = 0; by < n; by += T)
    for (int bx = 0; bx < n; bx += T) {
      float sums[T][T] = {}, As[T][T], Bs[T][T];
      for (int t = 0; t < n; t += T) {
        for (int y = 0; y < T; y++)
          for (int x = 0; x < T; x++) {
            As[y][x] = A[(by + y) * n + t + x];
            Bs[y][x] = B[(t + y) * n + bx + x];
          }
        for (int y = 0; y < T; y++)
          for (int k = 0; k < T; k++)
            for (int x = 0; x < T; x++) sums[y][x] = fmaf(As[y][k], Bs[k][x], sums[y][x]);
      }
      for (int y = 0; y < T; y++)
        for (int x = 0; x < T; x++) C[(by + y) * n + bx + x] = sums[y][x];
    }
}

NOINLINE static void reduce(const float* in, float* out, int n) {
  for (int block = 0; block < n / 256; block++) {
    float s[256];
    memcpy(s, in + block * 256, sizeof s);
    for (int half = 128; half > 0; half >>= 1)
      for (int t = 0; t < half; t++) s[t] += s[t + half];
    out[block] = s[0];
  }
}

NOINLINE static void transpose(const float* in, float* out, int n) {
  const int T = 32;
  for (int by = 0; by < n; by += T)
    for (int bx = 0; bx < n; bx += T)
      for (int y = 0; y < T; y++)
        for (int x = 0; x < T; x++) out[(bx + y) * n + by + x] = in[(by + x) * n + bx + y];
}

NOINLINE static void histogram(const uint32_t* in, uint32_t* out, int n) {
  for (int i = 0; i < n; i++) out[in[i] >> 16 & 255]++;
}

NOINLINE static void scan(const uint32_t* in, uint32_t* out, int n) {
  for (int block = 0; block < n; block += 256) {
    uint32_t sum = 0;
    for (int t = 0; t < 256; t++) out[block + t] = sum += in[block + t];
  }
}

NOINLINE static void xorshift(uint32_t* out, int n, int rounds) {
  for (int i = 0; i < n; i++) {
    uint32_t x = i * 2654435761u + 1, sum = 0;
    for (int k = 0; k < rounds; k++) {
      x ^= x << 13;
      x ^= x >> 17;
      x ^= x << 5;
      sum += x;
    }
    out[i] = sum;
  }
}

NOINLINE static void mandel(int* out, int width, int height, int most) {
  for (int py = 0; py < height; py++)
    for (int px = 0; px < width; px++) {
      const float cx = fmaf(px, 3.0f / 512, -2.f), cy = fmaf(py, 3.0f / 512, -1.5f);
      float x = 0, y = 0;
      int rounds = 0;
      while (rounds < most) {
        const float x2 = x * x, y2 = y * y;
        if (x2 + y2 > 4.f) break;
        y = fmaf(x + x, y, cy);
        x = cx + (x2 - y2);
        rounds++;
      }
      out[py * width + px] = rounds;
    }
}

// A finite bf16 or f32 as a whole number, and the exponent of the unit before its point.
struct Number {
  int32_t significand;
  int exponent;
};

template <int FRACTION>
static Number numberOf(uint32_t bits) {
  const int field = bits >> FRACTION & 0xff;
  const int32_t size = (bits & ((1u << FRACTION) - 1)) | (field ? 1u << FRACTION : 0);
  return {bits >> (FRACTION + 8) ? -size : size, size ? (field ? field : 1) - 127 : -1000};
}

// A whole number times 2^shift, cut.
static int64_t shifted(int64_t value, int shift) {
  if (shift >= 0) return value << shift;
  if (shift < -62) return 0;
  return value < 0 ? -(-value >> -shift) : value >> -shift;
}

// One sum of a tensor core of sm_80: C and eight products, each cut to 24 bits below the largest exponent, the sum cut to f32.
static float sumOf8(const Number* a, const Number* b, float c) {
  uint32_t word;
  memcpy(&word, &c, 4);
  const Number carried = numberOf<23>(word);
  int top = carried.exponent;
  for (int k = 0; k < 8; k++) {
    const int exponent = a[k].exponent + b[k].exponent;
    if (exponent > top) top = exponent;
  }
  if (top < -900) return 0;
  int64_t total = shifted(carried.significand, carried.exponent - 23 - top + 24);
  for (int k = 0; k < 8; k++)
    total += shifted(int64_t(a[k].significand) * b[k].significand, a[k].exponent + b[k].exponent - 14 - top + 24);
  const uint64_t size = total < 0 ? -total : total;
  const int more = size >> 24 ? 40 - __builtin_clzll(size) : 0;
  return ldexpf(total < 0 ? -float(size >> more << more) : float(size >> more << more), top - 24);
}

// What gemm_pipelined computes: products of bf16, summed eight at a time as a tensor core does; B by columns.
NOINLINE static void gemm_pipelined(const uint16_t* A, const uint16_t* B, float* C, int n) {
  std::vector<Number> a(n * n), b(n * n);
  for (int i = 0; i < n * n; i++) a[i] = numberOf<7>(A[i]), b[i] = numberOf<7>(B[i]);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      float sum = 0;
      for (int k = 0; k < n; k += 8) sum = sumOf8(&a[i * n + k], &b[j * n + k], sum);
      C[i * n + j] = sum;
    }
}

static void fill(std::vector<uint16_t>& to, uint32_t seed) {
  for (uint32_t i = 0; i < to.size(); i++) {
    const float value = int(((i + seed) * 0x9e3779b1u >> 8) % 9) - 4;
    uint32_t word;
    memcpy(&word, &value, 4);
    to[i] = word >> 16;
  }
}

// Before each run: saxpy and histogram add to what there is.
static void restore() {
  std::fill(out.begin(), out.begin() + 256, 0.f);
  for (int i = 0; i < COUNT; i++) y[i] = (i % 77) * 0.5f;
}

// Runs it once; the buffers are as at the beginning each time.
static bool run(const char* name) {
  if (!strcmp(name, "saxpy")) saxpy(x.data(), y.data(), 2.5f, COUNT);
  else if (!strcmp(name, "sgemm_naive")) sgemm_naive(x.data(), y.data(), out.data(), 256);
  else if (!strcmp(name, "sgemm_tiled")) sgemm_tiled(x.data(), y.data(), out.data(), 256);
  else if (!strcmp(name, "reduce")) reduce(x.data(), out.data(), COUNT);
  else if (!strcmp(name, "transpose")) transpose(x.data(), out.data(), 1024);
  else if (!strcmp(name, "histogram")) histogram((uint32_t*)x.data(), (uint32_t*)out.data(), COUNT);
  else if (!strcmp(name, "scan")) scan((uint32_t*)x.data(), (uint32_t*)out.data(), COUNT);
  else if (!strcmp(name, "xorshift")) xorshift((uint32_t*)out.data(), 65536, 256);
  else if (!strcmp(name, "mandel")) mandel((int*)out.data(), 512, 512, 256);
  else if (!strcmp(name, "gemm_pipelined")) gemm_pipelined(a.data(), b.data(), out.data(), 256);
  else return false;
  return true;
}

int main() {
  for (int i = 0; i < COUNT; i++) x[i] = (i % 1000) * 0.25f;
  fill(a, 1);
  fill(b, 2);
  char name[64];
  double seconds;
  while (scanf("%63s %lf", name, &seconds) == 2) {
    double least = 1e9;
    std::fill(out.begin(), out.end(), 0.f);
    for (const double began = now(); now() - began < seconds || least == 1e9;) {
      restore();
      const double start = now();
      if (!run(name)) return 1;
      const double taken = now() - start;
      if (taken < least) least = taken;
    }
    const bool own = !strcmp(name, "saxpy");
    const int words = !strcmp(name, "gemm_pipelined") ? 256 * 256 : !strcmp(name, "histogram") ? 256 : COUNT;
    uint64_t sum = 0;
    for (int i = 0; i < words; i++) {
      uint32_t word;
      memcpy(&word, own ? &y[i] : &out[i], 4);
      sum = sum * 6364136223846793005ull + word;
    }
    printf("%.9f %016llx\n", least, (unsigned long long)sum);
    fflush(stdout);
  }
}
