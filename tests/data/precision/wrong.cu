// Kernels that lose digits, or leave the range of their types, for inputs that have an ordinary answer. Compiled by
// nvcc -ptx -arch=sm_80 wrong.cu
#include <cuda_fp16.h>

extern "C" {

// E[x^2] - E[x]^2
__global__ void one_pass_variance(const float *x, float *out, int n) {
  int row = threadIdx.x;
  float sum = 0, squares = 0;
  for (int i = 0; i < n; i++) {
    float v = x[row * n + i];
    sum += v;
    squares += v * v;
  }
  float mean = sum / n;
  out[row] = squares / n - mean * mean;
}

__global__ void half_sum(const __half *x, __half *out, int n) {
  __half sum = __float2half(0.0f);
  for (int i = 0; i < n; i++) sum = __hadd(sum, x[i]);
  out[threadIdx.x] = sum;
}

__global__ void half_norm(const __half *x, __half *out, int n) {
  __half sum = __float2half(0.0f);
  for (int i = 0; i < n; i++) sum = __hfma(x[i], x[i], sum);
  out[threadIdx.x] = hsqrt(sum);
}

__global__ void naive_softmax(const float *x, float *out, int n) {
  int row = threadIdx.x;
  float sum = 0;
  for (int i = 0; i < n; i++) sum += expf(x[row * n + i]);
  for (int i = 0; i < n; i++) out[row * n + i] = expf(x[row * n + i]) / sum;
}

__global__ void versine(const float *x, float *out) { out[threadIdx.x] = 1.0f - cosf(x[threadIdx.x]); }

__global__ void versine_fast(const float *x, float *out) { out[threadIdx.x] = 1.0f - __cosf(x[threadIdx.x]); }

__global__ void quadratic(const float *b, float *out) {
  float h = b[threadIdx.x];
  out[threadIdx.x] = (-h + sqrtf(h * h - 4.0f)) / 2.0f;
}

__global__ void log_of_more_than_one(const float *x, float *out) { out[threadIdx.x] = logf(1.0f + x[threadIdx.x]); }

__global__ void log_fast(const float *x, float *out) { out[threadIdx.x] = __logf(1.0f + x[threadIdx.x]); }

__global__ void naive_hypot(const float *x, const float *y, float *out) {
  float a = x[threadIdx.x], b = y[threadIdx.x];
  out[threadIdx.x] = sqrtf(a * a + b * b);
}

__global__ void slope(const double *x, double *out) {
  double h = 1e-12;
  double v = x[threadIdx.x];
  out[threadIdx.x] = ((v + h) * (v + h) - v * v) / h;
}

__global__ void softplus(const float *x, float *out) { out[threadIdx.x] = logf(1.0f + expf(x[threadIdx.x])); }

__global__ void cells(const int *width, const int *height, long long *out) {
  out[threadIdx.x] = (long long)(width[threadIdx.x] * height[threadIdx.x]);
}

__global__ void middle(const int *low, const int *high, int *out) {
  out[threadIdx.x] = (low[threadIdx.x] + high[threadIdx.x]) / 2;
}

__global__ void squares(const int *x, float *out) {
  int v = x[threadIdx.x];
  out[threadIdx.x] = (float)(v * v);
}

__global__ void byte_counts(const unsigned char *x, unsigned char *count, int n) {
  unsigned char mine = 0;
  for (int i = 0; i < n; i++)
    if (x[i] == threadIdx.x) mine++;
  count[threadIdx.x] = mine;
}

__global__ void to_int(const float *x, int *out) { out[threadIdx.x] = (int)(x[threadIdx.x] * 1e6f); }

// The index of an element, 32 bits wide, in a table whose place in memory it says.
__global__ void far_element(const float *x, const unsigned *row, const unsigned *width, float *out, long long back) {
  unsigned at = row[threadIdx.x] * width[threadIdx.x];
  out[threadIdx.x] = x[(unsigned long long)at - back];
}
}
