/* In the style of kernels of language models: quantised products, softmax, norms, rotary embedding. */
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
typedef struct { half d; uchar qs[16]; } q4;
typedef struct { half d; char qs[32]; } q8;
constant float levels[16] = {-1.0f, -0.69f, -0.52f, -0.39f, -0.28f, -0.18f, -0.09f, 0.0f, 0.08f, 0.16f, 0.25f, 0.34f, 0.44f, 0.56f, 0.72f, 1.0f};
kernel void dequantised(global const q4 *x, global float *y) {
  int i = get_global_id(0), b = i / 32, j = i % 32;
  float d = vload_half(0, &x[b].d);
  int q = j < 16 ? x[b].qs[j] & 15 : x[b].qs[j - 16] >> 4;
  y[i] = (q - 8) * d;
}
kernel void product4(global const q4 *x, global const float *y, global float *out, int blocks, local float *part) {
  int row = get_group_id(0), l = get_local_id(0);
  float sum = 0;
  for (int b = l; b < blocks; b += get_local_size(0)) {
    global const q4 *p = x + row * blocks + b;
    float d = vload_half(0, &p->d), s = 0;
    for (int j = 0; j < 16; j++) s += ((p->qs[j] & 15) - 8) * y[32 * b + j] + ((p->qs[j] >> 4) - 8) * y[32 * b + 16 + j];
    sum += d * s;
  }
  part[l] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int s = get_local_size(0) / 2; s > 0; s >>= 1) {
    if (l < s) part[l] += part[l + s];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0) out[row] = part[0];
}
kernel void product8(global const q8 *x, global const q8 *y, global int *out) {
  int i = get_global_id(0), sum = 0;
  for (int j = 0; j < 32; j += 4) {
    char4 a = vload4(0, x[i].qs + j), b = vload4(0, y[i].qs + j);
    sum += a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
  }
  out[i] = sum;
}
kernel void looked_up(global const uchar *x, global float *y) { int i = get_global_id(0); y[i] = levels[x[i] & 15] + levels[x[i] >> 4]; }
__attribute__((intel_reqd_sub_group_size(16)))
kernel void softmax_rows(global const float *x, global float *y, int n) {
  int row = get_group_id(0), l = get_local_id(0);
  float most = -INFINITY;
  for (int i = l; i < n; i += 16) most = fmax(most, x[row * n + i]);
  most = sub_group_reduce_max(most);
  float sum = 0;
  for (int i = l; i < n; i += 16) sum += y[row * n + i] = exp(x[row * n + i] - most);
  sum = sub_group_reduce_add(sum);
  for (int i = l; i < n; i += 16) y[row * n + i] /= sum;
}
kernel void root_mean_square(global const float *x, global const float *w, global float *y, int n, local float *t) {
  int row = get_group_id(0), l = get_local_id(0), size = get_local_size(0);
  float s = 0;
  for (int i = l; i < n; i += size) s += x[row * n + i] * x[row * n + i];
  t[l] = s;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = size / 2; k > 0; k /= 2) {
    if (l < k) t[l] += t[l + k];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  float scale = rsqrt(t[0] / n + 1e-5f);
  for (int i = l; i < n; i += size) y[row * n + i] = x[row * n + i] * scale * w[i];
}
kernel void rotary(global float *x, int n, int at, float base) {
  int i = get_global_id(0);
  float angle = at * pow(base, -2.0f * i / n);
  float c = cos(angle), s = sin(angle), a = x[2 * i], b = x[2 * i + 1];
  x[2 * i] = a * c - b * s;
  x[2 * i + 1] = a * s + b * c;
}
kernel void gelu(global const float *x, global float *y) {
  int i = get_global_id(0);
  float v = x[i];
  y[i] = 0.5f * v * (1.0f + tanh(0.79788456f * v * (1.0f + 0.044715f * v * v)));
}
kernel void silu(global const float *x, global float *y) { int i = get_global_id(0); y[i] = x[i] / (1.0f + exp(-x[i])); }
kernel void half_product(global const half *a, global const half *b, global half *c, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  half sum = 0;
  for (int k = 0; k < n; k++) sum = fma(a[y * n + k], b[k * n + x], sum);
  c[y * n + x] = sum;
}
kernel void rows(global const char *src, global char *dst, ulong step, int count, global const int *which) {
  int i = get_global_id(0), r = get_global_id(1);
  if (i < count) *(global float *)(dst + r * step + 4 * i) = *(global const float *)(src + which[r] * step + 4 * i);
}
