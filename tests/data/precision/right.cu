// Kernels that keep the digits that their inputs have. Compiled by nvcc -ptx -arch=sm_80 right.cu
#include <cuda_fp16.h>

extern "C" {

__global__ void dot(const float *x, const float *y, float *out, int n) {
  int row = threadIdx.x;
  float sum = 0;
  for (int i = 0; i < n; i++) sum += x[row * n + i] * y[row * n + i];
  out[row] = sum;
}

__global__ void softmax(const float *x, float *out, int n) {
  int row = threadIdx.x;
  float most = x[row * n];
  for (int i = 1; i < n; i++) most = fmaxf(most, x[row * n + i]);
  float sum = 0;
  for (int i = 0; i < n; i++) sum += expf(x[row * n + i] - most);
  for (int i = 0; i < n; i++) out[row * n + i] = expf(x[row * n + i] - most) / sum;
}

__global__ void welford(const float *x, float *out, int n) {
  int row = threadIdx.x;
  float mean = 0, squares = 0;
  for (int i = 0; i < n; i++) {
    float v = x[row * n + i];
    float d = v - mean;
    mean += d / (i + 1);
    squares += d * (v - mean);
  }
  out[row] = squares / n;
}

__global__ void two_pass_variance(const float *x, float *out, int n) {
  int row = threadIdx.x;
  float sum = 0;
  for (int i = 0; i < n; i++) sum += x[row * n + i];
  float mean = sum / n, squares = 0;
  for (int i = 0; i < n; i++) {
    float d = x[row * n + i] - mean;
    squares += d * d;
  }
  out[row] = squares / n;
}

__global__ void kahan(const float *x, float *out, int n) {
  int row = threadIdx.x;
  float sum = 0, rest = 0;
  for (int i = 0; i < n; i++) {
    float y = x[row * n + i] - rest;
    float t = sum + y;
    rest = (t - sum) - y;
    sum = t;
  }
  out[row] = sum;
}

__global__ void two_sum(const float *x, float *out, int n) {
  int row = threadIdx.x;
  float sum = 0, rest = 0;
  for (int i = 0; i < n; i++) {
    float a = sum, b = x[row * n + i];
    float s = a + b;
    float c = s - a;
    rest += (a - (s - c)) + (b - c);
    sum = s;
  }
  out[row] = sum + rest;
}

__global__ void gelu(const float *x, float *out) {
  float v = x[threadIdx.x];
  out[threadIdx.x] = 0.5f * v * (1.0f + tanhf(0.7978845608f * (v + 0.044715f * v * v * v)));
}

__global__ void gelu_erf(const float *x, float *out) {
  float v = x[threadIdx.x];
  out[threadIdx.x] = 0.5f * v * (1.0f + erff(v * 0.70710678f));
}

__global__ void layernorm(const float *x, float *out, int n) {
  __shared__ float part[32];
  int lane = threadIdx.x;
  float v = x[blockIdx.x * 32 + lane];
  float sum = v;
  for (int d = 16; d > 0; d >>= 1) sum += __shfl_xor_sync(0xffffffff, sum, d);
  float c = v - sum / 32.0f;
  part[lane] = c * c;
  __syncthreads();
  float squares = 0;
  for (int i = 0; i < 32; i++) squares += part[i];
  out[blockIdx.x * 32 + lane] = c * rsqrtf(squares / 32.0f + 1e-5f);
}

__global__ void half_dot(const __half *x, const __half *y, __half *out, int n) {
  float sum = 0;
  for (int i = 0; i < n; i++) sum += __half2float(x[i]) * __half2float(y[i]);
  out[threadIdx.x] = __float2half(sum);
}

__global__ void half_pairs(const __half2 *x, const __half2 *y, __half2 *out) {
  out[threadIdx.x] = __hfma2(x[threadIdx.x], y[threadIdx.x], __float2half2_rn(1.0f));
}

__global__ void log_of_one_plus(const float *x, float *out) { out[threadIdx.x] = log1pf(x[threadIdx.x]); }

__global__ void versine_by_sine(const float *x, float *out) {
  float s = sinf(x[threadIdx.x] * 0.5f);
  out[threadIdx.x] = 2.0f * s * s;
}

__global__ void elementary(const float *x, float *out) {
  float v = x[threadIdx.x];
  out[8 * threadIdx.x] = expf(v);
  out[8 * threadIdx.x + 1] = sinf(v);
  out[8 * threadIdx.x + 2] = cosf(v);
  out[8 * threadIdx.x + 3] = logf(fabsf(v));
  out[8 * threadIdx.x + 4] = powf(fabsf(v), 1.7f);
  out[8 * threadIdx.x + 5] = atanf(v);
  out[8 * threadIdx.x + 6] = cbrtf(v);
  out[8 * threadIdx.x + 7] = hypotf(v, 3.0f);
}

__global__ void elementary_double(const double *x, double *out) {
  double v = x[threadIdx.x];
  out[4 * threadIdx.x] = exp(v);
  out[4 * threadIdx.x + 1] = log(fabs(v));
  out[4 * threadIdx.x + 2] = atan(v);
  out[4 * threadIdx.x + 3] = sin(v);
}

__global__ void stable_quadratic(const float *b, float *out) {
  float h = b[threadIdx.x];
  out[threadIdx.x] = -2.0f / (h + sqrtf(h * h - 4.0f));
}

__global__ void sigmoid(const float *x, float *out) { out[threadIdx.x] = 1.0f / (1.0f + expf(-x[threadIdx.x])); }

__global__ void atomic_sum(const float *x, float *out) { atomicAdd(out, x[threadIdx.x]); }

__global__ void xorshift(float *out) {
  unsigned x = threadIdx.x * 2654435769u + 1u;
  for (int i = 0; i < 8; i++) {
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
  }
  out[threadIdx.x] = x * 2.3283064e-10f;
}

__global__ void lcg(float *out, unsigned long long *sum) {
  unsigned x = threadIdx.x;
  unsigned long long all = 0;
  for (int i = 0; i < 8; i++) {
    x = x * 1664525u + 1013904223u;
    all += x;
  }
  out[threadIdx.x] = (x >> 8) * 5.9604645e-8f;
  sum[threadIdx.x] = all;
}

__global__ void murmur(const unsigned *key, unsigned *out, unsigned size) {
  unsigned h = 0x9747b28c, k = key[threadIdx.x];
  k *= 0xcc9e2d51u;
  k = (k << 15) | (k >> 17);
  k *= 0x1b873593u;
  h ^= k;
  h = (h << 13) | (h >> 19);
  h = h * 5 + 0xe6546b64u;
  h ^= h >> 16;
  h *= 0x85ebca6bu;
  h ^= h >> 13;
  out[threadIdx.x] = h % size;
}

__global__ void fnv(const unsigned char *text, unsigned long long *out, int n) {
  unsigned h = 2166136261u;
  for (int i = 0; i < n; i++) h = (h ^ text[i]) * 16777619u;
  out[threadIdx.x] = h;
}

__global__ void bytes_of(const unsigned *x, unsigned char *out) {
  unsigned v = x[threadIdx.x];
  out[4 * threadIdx.x] = v;
  out[4 * threadIdx.x + 1] = v >> 8;
  out[4 * threadIdx.x + 2] = v >> 16;
  out[4 * threadIdx.x + 3] = v >> 24;
}

__global__ void nibbles(const int *x, int *out) {
  int v = x[threadIdx.x];
  out[2 * threadIdx.x] = (v << 28) >> 28;
  out[2 * threadIdx.x + 1] = (v << 16) >> 24;
}

__global__ void quantise(const float *x, signed char *out) {
  int q = __float2int_rn(x[threadIdx.x] * 127.0f);
  out[threadIdx.x] = q < -127 ? -127 : q > 127 ? 127 : q;
}

__global__ void cells_wide(const int *width, const int *height, long long *out) {
  out[threadIdx.x] = (long long)width[threadIdx.x] * height[threadIdx.x];
}

__global__ void remainders(const int *x, const int *y, int *out) {
  out[4 * threadIdx.x] = x[threadIdx.x] / 7;
  out[4 * threadIdx.x + 1] = x[threadIdx.x] % 10;
  out[4 * threadIdx.x + 2] = (x[threadIdx.x] & 1023) / y[threadIdx.x];
  out[4 * threadIdx.x + 3] = (unsigned)x[threadIdx.x] / 1000003u;
}

// The sum of a row, 16 elements at a time, in f32.
__global__ void matrix_sum(const unsigned *a, float *out, int n) {
  float d0 = 0, d1 = 0, d2 = 0, d3 = 0;
  unsigned one = 0x3c003c00;
  unsigned v = a[threadIdx.x];
  for (int i = 0; i < n; i++)
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %4, %4, %4}, {%5, %5}, "
                 "{%0, %1, %2, %3};"
                 : "+f"(d0), "+f"(d1), "+f"(d2), "+f"(d3)
                 : "r"(v), "r"(one));
  out[4 * threadIdx.x] = d0;
  out[4 * threadIdx.x + 1] = d1;
  out[4 * threadIdx.x + 2] = d2;
  out[4 * threadIdx.x + 3] = d3;
}

// The hash of Bernstein: as a number without a sign, wider, for a table.
__global__ void djb(const unsigned char *text, unsigned long long *out, int n) {
  unsigned h = 5381;
  for (int i = 0; i < n; i++) h = h * 33 + text[i];
  out[threadIdx.x] = h;
}

// A ring of times that begins anew: the difference is right though both have wrapped.
__global__ void elapsed(const unsigned *then, int *out) {
  unsigned now = then[threadIdx.x] + 100;
  out[threadIdx.x] = (int)(now - then[threadIdx.x]) / 10;
}

// The slow part of a cosine calls a function.
__global__ void far_cosine(const double *x, double *out) { out[threadIdx.x] = cos(x[threadIdx.x]); }
}
