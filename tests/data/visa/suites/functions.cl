/* Functions and operations of which kernels of suites are made. */
kernel void power(global const float *a, global const float *b, global float *c) { int i = get_global_id(0); c[i] = pow(a[i], b[i]); }
kernel void natively(global const float *a, global float *c) {
  int i = get_global_id(0);
  c[i] = native_powr(a[i], 1.7f) + native_exp(a[i]) + native_log(a[i]) + native_sqrt(a[i]) + native_recip(a[i]) + native_divide(a[i], 3.0f) + native_sin(a[i]) + half_rsqrt(a[i]);
}
kernel void quotient(global const float *a, global const float *b, global float *c) { int i = get_global_id(0); c[i] = a[i] / b[i]; }
kernel void transcendental(global const float *a, global float *c) {
  int i = get_global_id(0);
  c[i] = exp(a[i]) + log(a[i]) + sin(a[i]) + cos(a[i]) + tanh(a[i]) + atan2(a[i], 2.0f) + exp2(a[i]) + log2(a[i]) + cbrt(a[i]) + fmod(a[i], 1.5f) + hypot(a[i], 3.0f);
}
kernel void whole_quotient(global const int *a, global const int *b, global int *c) { int i = get_global_id(0); c[i] = a[i] / b[i] + a[i] % b[i] * 7; }
kernel void long_quotient(global const long *a, global const long *b, global long *c) { int i = get_global_id(0); c[i] = a[i] / b[i] + a[i] % b[i] * 7; }
kernel void blend(global const float *a, global const float *b, global float *c) {
  int i = get_global_id(0);
  c[i] = mix(a[i], b[i], 0.25f) + clamp(a[i], 0.0f, 1.0f) + fabs(b[i]) + fmin(a[i], b[i]) + step(a[i], b[i]) + sign(b[i]);
}
kernel void dots(global const float4 *a, global const float4 *b, global float *c) { int i = get_global_id(0); c[i] = dot(a[i], b[i]); }
kernel void reversed8(global const float8 *a, global float8 *c) { int i = get_global_id(0); c[i] = a[i].s76543210 * 2.0f; }
kernel void bytes16(global const uchar16 *a, global uchar16 *c) { int i = get_global_id(0); c[i] = a[i] + (uchar16)(3); }
kernel void prints(global const int *a, global int *c) { int i = get_global_id(0); if (a[i] > 5) printf("a[%d] = %d\n", i, a[i]); c[i] = a[i] + 1; }
typedef struct { float x, y; int n; char c; } S;
kernel void structs(S s, global S *out, global float *c) { int i = get_global_id(0); S t = s; t.n += i; t.x *= i; out[i] = t; c[i] = s.y; }
kernel void vectors_as_arguments(float4 v, int2 w, uchar u, short s, long l, global float4 *c) {
  int i = get_global_id(0);
  c[i] = v * i + (float4)(w.x, w.y, u, s + l);
}
kernel void cases(global const int *a, global int *c) {
  int i = get_global_id(0);
  switch (a[i] & 15) {
    case 0: c[i] = 5; break;
    case 1: c[i] = a[i] * 3; break;
    case 2: c[i] = 77; break;
    case 3: c[i] = a[i] >> 2; break;
    case 7: c[i] = -a[i]; break;
    case 9: c[i] = 1; break;
    default: c[i] = a[i] ^ 0x55;
  }
}
kernel void counters(global int *c, global const int *a) {
  int i = get_global_id(0);
  atomic_add(&c[0], a[i]);
  atomic_max(&c[1], a[i]);
  atomic_cmpxchg(&c[2], 0, a[i]);
  atomic_inc(&c[3]);
}
kernel void mirrored(global int *c, local int *l) {
  int i = get_local_id(0);
  l[i] = c[i];
  mem_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  c[i] = l[get_local_size(0) - 1 - i];
}
kernel void copied(global const float *a, global float *c, local float *t) {
  event_t e = async_work_group_copy(t, a + get_group_id(0) * get_local_size(0), get_local_size(0), 0);
  wait_group_events(1, &e);
  c[get_global_id(0)] = t[get_local_size(0) - 1 - get_local_id(0)];
}
kernel void integers(global const uint *a, global uint *c) {
  int i = get_global_id(0);
  uint x = a[i];
  c[i] = popcount(x) + clz(x) + rotate(x, 5u) + mul_hi(x, 12345u) + mad24(x & 0xffff, 3u, 7u) + abs_diff(x, 99u) + add_sat(x, 0x80000000u) + rhadd(x, 5u);
}
kernel void halves(global const half *a, global half *c, global float *f) {
  int i = get_global_id(0);
  float y = vload_half(i, a);
  vstore_half(y * 2 + f[i], i, c);
}
kernel void two_parts(global const int *a, global int *c, local int *p, local int *q) {
  int l = get_local_id(0), i = get_global_id(0), n = get_local_size(0);
  p[l] = a[i];
  q[l] = a[i] * 10;
  barrier(CLK_LOCAL_MEM_FENCE);
  c[i] = p[n - 1 - l] + q[(l + 1) % n];
}
kernel void dimensions(global int *c) {
  size_t i = get_global_id(0) + get_global_size(0) * (get_global_id(1) + get_global_size(1) * get_global_id(2));
  c[i] = get_work_dim() * 1000000 + get_num_groups(1) * 10000 + get_local_size(2) * 100 + get_group_id(0) * 10 + get_local_id(1);
}
typedef struct __attribute__((packed)) { uint word; } AnyByte;
kernel void any_bytes(global const uchar *a, global uint *c) {
  int i = get_global_id(0);
  c[i] = ((global const AnyByte *)(a + 18 * i + 1))->word ^ ((global const AnyByte *)(a + 18 * i + 2))->word;
}
