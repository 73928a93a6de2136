/* In the style of BLAS, PolyBench and Rodinia. */
#define T 8
kernel void gemm(global const float *a, global const float *b, global float *c, int n, float alpha, float beta) {
  local float s[T][T], t[T][T];
  int x = get_global_id(0), y = get_global_id(1), lx = get_local_id(0), ly = get_local_id(1);
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    s[ly][lx] = a[y * n + k + lx];
    t[ly][lx] = b[(k + ly) * n + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = 0; j < T; j++) sum += s[ly][j] * t[j][lx];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[y * n + x] = alpha * sum + beta * c[y * n + x];
}
kernel void gemv(global const float *a, global const float *x, global float *y, int m, int n) {
  int i = get_global_id(0);
  if (i >= m) return;
  float sum = 0;
  for (int j = 0; j < n; j++) sum += a[i * n + j] * x[j];
  y[i] = sum;
}
kernel void dot_groups(global const float *x, global const float *y, global float *out, int n) {
  local float t[64];
  int l = get_local_id(0);
  float s = 0;
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) s += x[i] * y[i];
  t[l] = s;
  for (int k = 32; k > 0; k >>= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < k) t[l] += t[l + k];
  }
  if (l == 0) out[get_group_id(0)] = t[0];
}
kernel void largest(global const float *x, global int *out, int n) {
  local float v[32];
  local int w[32];
  int l = get_local_id(0), best = l;
  for (int i = l; i < n; i += 32) if (fabs(x[i]) > fabs(x[best])) best = i;
  v[l] = fabs(x[best]);
  w[l] = best;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l == 0) {
    int m = 0;
    for (int k = 1; k < 32; k++) if (v[k] > v[m] || (v[k] == v[m] && w[k] < w[m])) m = k;
    out[0] = w[m];
  }
}
kernel void jacobi(global const float *a, global float *b, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x > 0 && y > 0 && x < n - 1 && y < n - 1)
    b[y * n + x] = 0.2f * (a[y * n + x] + a[y * n + x - 1] + a[y * n + x + 1] + a[(y - 1) * n + x] + a[(y + 1) * n + x]);
}
kernel void convolved(global const float *a, global float *b, int n, constant float *w) {
  int x = get_global_id(0), y = get_global_id(1);
  float s = 0;
  for (int j = -1; j <= 1; j++)
    for (int i = -1; i <= 1; i++) {
      int u = clamp(x + i, 0, n - 1), v = clamp(y + j, 0, n - 1);
      s += w[(j + 1) * 3 + i + 1] * a[v * n + u];
    }
  b[y * n + x] = s;
}
typedef struct { int start, count; } Node;
kernel void bfs(global const Node *nodes, global const int *edges, global uchar *mask, global uchar *next, global uchar *seen, global int *cost, global uchar *more, int n) {
  int i = get_global_id(0);
  if (i >= n || !mask[i]) return;
  mask[i] = 0;
  for (int k = nodes[i].start; k < nodes[i].start + nodes[i].count; k++) {
    int to = edges[k];
    if (!seen[to]) {
      cost[to] = cost[i] + 1;
      next[to] = 1;
      *more = 1;
    }
  }
}
kernel void nearest(global const float2 *p, global float *d, float x, float y) {
  int i = get_global_id(0);
  d[i] = sqrt((x - p[i].x) * (x - p[i].x) + (y - p[i].y) * (y - p[i].y));
}
kernel void clusters(global const float *points, global const float *centres, global int *member, int n, int k, int f) {
  int i = get_global_id(0), best = 0;
  float least = FLT_MAX;
  if (i >= n) return;
  for (int c = 0; c < k; c++) {
    float d = 0;
    for (int j = 0; j < f; j++) d += (points[j * n + i] - centres[c * f + j]) * (points[j * n + i] - centres[c * f + j]);
    if (d < least) { least = d; best = c; }
  }
  member[i] = best;
}
kernel void prefix(global const int *a, global int *b, local int *t) {
  int l = get_local_id(0), n = get_local_size(0), in = 0, out = 1;
  t[l] = l > 0 ? a[l - 1] : 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int o = 1; o < n; o <<= 1) {
    t[out * n + l] = t[in * n + l] + (l >= o ? t[in * n + l - o] : 0);
    barrier(CLK_LOCAL_MEM_FENCE);
    in = 1 - in;
    out = 1 - out;
  }
  b[l] = t[in * n + l];
}
kernel void bitonic(global int *a, int j, int k) {
  int i = get_global_id(0), other = i ^ j;
  if (other > i && (((i & k) == 0) == (a[i] > a[other]))) { int t = a[i]; a[i] = a[other]; a[other] = t; }
}
kernel void lud_row(global float *m, int n, int at) {
  int j = get_global_id(0) + at + 1;
  if (j >= n) return;
  float f = m[j * n + at] / m[at * n + at];
  m[j * n + at] = f;
  for (int i = at + 1; i < n; i++) m[j * n + i] -= f * m[at * n + i];
}
kernel void path(global const int *wall, global const int *from, global int *to, int n) {
  local int t[34];
  int l = get_local_id(0), i = get_global_id(0);
  t[l + 1] = from[i];
  if (l == 0) t[0] = i > 0 ? from[i - 1] : INT_MAX;
  if (l == 31) t[33] = i < n - 1 ? from[i + 1] : INT_MAX;
  barrier(CLK_LOCAL_MEM_FENCE);
  to[i] = wall[i] + min(t[l + 1], min(t[l], t[l + 2]));
}
kernel void cell_list(global const float4 *p, global float4 *force, int n) {
  int i = get_global_id(0);
  float4 f = 0;
  for (int j = 0; j < n; j++) {
    float4 d = p[j] - p[i];
    float r = d.x * d.x + d.y * d.y + d.z * d.z + 0.01f;
    float s = p[j].w * native_rsqrt(r * r * r);
    f.xyz += d.xyz * s;
    f.w += p[j].w * native_rsqrt(r);
  }
  force[i] = f;
}
