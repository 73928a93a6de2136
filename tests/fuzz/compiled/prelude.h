// What the random programs of `program.js` are written in. The same text is compiled by nvcc for the device and by g++ for the
// host: each function here means the same on both, bit for bit. Device code uses the intrinsics, host code a model of them.
#pragma once
#include <cmath>
#include <cstdint>
#include <cstring>

#ifdef __CUDACC__
#define BOTH __host__ __device__
#define FAR __host__ __device__ __noinline__
#else
#include <cfenv>
using std::isfinite;
using std::isinf;
using std::isnan;
using std::signbit;
#define BOTH
#define FAR __attribute__((noinline))
#endif

typedef int8_t i8;
typedef uint8_t u8;
typedef int16_t i16;
typedef uint16_t u16;
typedef int32_t i32;
typedef uint32_t u32;
typedef int64_t i64;
typedef uint64_t u64;
typedef __int128 i128;
typedef unsigned __int128 u128;
typedef float f32;
typedef double f64;

template <class To, class From> BOTH inline To bits(From from) {
  static_assert(sizeof(To) == sizeof(From), "as wide");
  To to;
  memcpy(&to, &from, sizeof to);
  return to;
}

// Digests: what a NaN carries is nobody's promise, so every NaN counts as the same one.
BOTH inline u64 mix(u64 h, u64 v) {
  h ^= v;
  h *= 0x9e3779b97f4a7c15ull;
  return h ^ (h >> 29);
}
BOTH inline u64 raw(f32 x) { return x != x ? 0x7fc00000u : bits<u32>(x); }
BOTH inline u64 raw(f64 x) { return x != x ? 0x7ff8000000000000ull : bits<u64>(x); }
BOTH inline u64 raw(u128 x) { return (u64)x ^ ((u64)(x >> 64) * 3); }
BOTH inline u64 raw(i128 x) { return raw((u128)x); }
template <class T> BOTH inline u64 raw(T x) { return (u64)x; }

// Division where C++ leaves a hole: by zero, and the least number by -1.
template <class T> BOTH inline T over(T a, T b) {
  if (b == 0) return a;
  if ((T)-1 < (T)0 && b == (T)-1) return (T)(0 - (u128)a);
  return a / b;
}
template <class T> BOTH inline T rest(T a, T b) {
  if (b == 0) return a;
  if ((T)-1 < (T)0 && b == (T)-1) return 0;
  return a % b;
}

#ifdef __CUDA_ARCH__
#define ROUNDED(name, T, params, host, device) __device__ inline T name params { return device; }
#else
#ifdef __CUDACC__
#define ROUNDED(name, T, params, host, device) __host__ T name params;
#else
template <int mode, class F> inline auto rounded(F f) {
  fesetround(mode);
  auto r = f();
  fesetround(FE_TONEAREST);
  return r;
}
#define ROUNDED(name, T, params, host, device) __attribute__((noinline)) inline T name params { host }
#endif
#endif

#define DIRECTED(prefix, T, sfx, MODE)                                                                                             \
  ROUNDED(prefix##add_##sfx, T, (T a, T b), volatile T x = a; volatile T y = b; return rounded<MODE>([&] { volatile T r = x + y; return (T)r; });, __##prefix##add_##sfx(a, b))  \
  ROUNDED(prefix##sub_##sfx, T, (T a, T b), volatile T x = a; volatile T y = b; return rounded<MODE>([&] { volatile T r = x - y; return (T)r; });, __##prefix##sub_##sfx(a, b))  \
  ROUNDED(prefix##mul_##sfx, T, (T a, T b), volatile T x = a; volatile T y = b; return rounded<MODE>([&] { volatile T r = x * y; return (T)r; });, __##prefix##mul_##sfx(a, b))  \
  ROUNDED(prefix##div_##sfx, T, (T a, T b), volatile T x = a; volatile T y = b; return rounded<MODE>([&] { volatile T r = x / y; return (T)r; });, __##prefix##div_##sfx(a, b))  \
  ROUNDED(prefix##rcp_##sfx, T, (T a), volatile T x = a; return rounded<MODE>([&] { volatile T r = (T)1 / x; return (T)r; });, __##prefix##rcp_##sfx(a))  \
  ROUNDED(prefix##sqrt_##sfx, T, (T a), volatile T x = a; return rounded<MODE>([&] { volatile T r = std::sqrt((T)x); return (T)r; });, __##prefix##sqrt_##sfx(a))
DIRECTED(f, f32, rn, FE_TONEAREST)
DIRECTED(f, f32, rz, FE_TOWARDZERO)
DIRECTED(f, f32, ru, FE_UPWARD)
DIRECTED(f, f32, rd, FE_DOWNWARD)
DIRECTED(d, f64, rn, FE_TONEAREST)
DIRECTED(d, f64, rz, FE_TOWARDZERO)
DIRECTED(d, f64, ru, FE_UPWARD)
DIRECTED(d, f64, rd, FE_DOWNWARD)

#define FUSED(sfx, MODE)                                                                                                          \
  ROUNDED(fma32_##sfx, f32, (f32 a, f32 b, f32 c), volatile f32 x = a; volatile f32 y = b; volatile f32 z = c; return rounded<MODE>([&] { volatile f32 r = fmaf(x, y, z); return (f32)r; });, __fmaf_##sfx(a, b, c)) \
  ROUNDED(fma64_##sfx, f64, (f64 a, f64 b, f64 c), volatile f64 x = a; volatile f64 y = b; volatile f64 z = c; return rounded<MODE>([&] { volatile f64 r = fma(x, y, z); return (f64)r; });, __fma_##sfx(a, b, c))     \
  ROUNDED(narrow_##sfx, f32, (f64 a), volatile f64 x = a; return rounded<MODE>([&] { volatile f32 r = (f32)x; return (f32)r; });, __double2float_##sfx(a)) \
  ROUNDED(fi32_##sfx, f32, (i32 a), volatile i32 x = a; return rounded<MODE>([&] { volatile f32 r = (f32)x; return (f32)r; });, __int2float_##sfx(a)) \
  ROUNDED(fu32_##sfx, f32, (u32 a), volatile i64 x = a; return rounded<MODE>([&] { volatile f32 r = (f32)x; return (f32)r; });, __uint2float_##sfx(a)) \
  ROUNDED(fi64_##sfx, f32, (i64 a), volatile i64 x = a; return rounded<MODE>([&] { volatile f32 r = (f32)x; return (f32)r; });, __ll2float_##sfx(a)) \
  ROUNDED(di64_##sfx, f64, (i64 a), volatile i64 x = a; return rounded<MODE>([&] { volatile f64 r = (f64)x; return (f64)r; });, __ll2double_##sfx(a))
FUSED(rn, FE_TONEAREST)
FUSED(rz, FE_TOWARDZERO)
FUSED(ru, FE_UPWARD)
FUSED(rd, FE_DOWNWARD)

// To integers: saturating; a NaN is taken out beforehand, since what it gives depends on the width.
#ifndef __CUDACC__
template <class T> inline T saturate(f64 x) {
  const f64 low = (T)-1 < (T)0 ? -std::ldexp(1.0, sizeof(T) * 8 - 1) : 0.0;
  const f64 high = std::ldexp(1.0, sizeof(T) * 8 - ((T)-1 < (T)0 ? 1 : 0));
  if (x <= low) return (T)((T)-1 < (T)0 ? (T)1 << (sizeof(T) * 8 - 1) : 0);
  if (x >= high) return (T) ~((T)-1 < (T)0 ? (T)1 << (sizeof(T) * 8 - 1) : 0);
  return (T)x;
}
#endif
#define WHOLE(sfx, round)                                                                                                         \
  ROUNDED(toi32_##sfx, i32, (f32 a), return a != a ? 0 : saturate<i32>(round((f64)a));, a != a ? 0 : __float2int_##sfx(a))        \
  ROUNDED(tou32_##sfx, u32, (f32 a), return a != a ? 0 : saturate<u32>(round((f64)a));, a != a ? 0 : __float2uint_##sfx(a))       \
  ROUNDED(toi64_##sfx, i64, (f32 a), return a != a ? 0 : saturate<i64>(round((f64)a));, a != a ? 0 : __float2ll_##sfx(a))         \
  ROUNDED(tou64_##sfx, u64, (f32 a), return a != a ? 0 : saturate<u64>(round((f64)a));, a != a ? 0 : __float2ull_##sfx(a))        \
  ROUNDED(toi32_##sfx, i32, (f64 a), return a != a ? 0 : saturate<i32>(round((f64)a));, a != a ? 0 : __double2int_##sfx(a))       \
  ROUNDED(tou32_##sfx, u32, (f64 a), return a != a ? 0 : saturate<u32>(round((f64)a));, a != a ? 0 : __double2uint_##sfx(a))      \
  ROUNDED(toi64_##sfx, i64, (f64 a), return a != a ? 0 : saturate<i64>(round((f64)a));, a != a ? 0 : __double2ll_##sfx(a))        \
  ROUNDED(tou64_##sfx, u64, (f64 a), return a != a ? 0 : saturate<u64>(round((f64)a));, a != a ? 0 : __double2ull_##sfx(a))
WHOLE(rn, std::nearbyint)
WHOLE(rz, std::trunc)
WHOLE(ru, std::ceil)
WHOLE(rd, std::floor)

// Where host libraries differ about zeros and NaNs, the rule of PTX: -0 < +0, a number beats a NaN.
template <class T> BOTH inline T least(T a, T b) {
#ifdef __CUDA_ARCH__
  return fmin(a, b);
#else
  return a != a ? b : b != b ? a : a < b || (a == b && std::signbit(a)) ? a : b;
#endif
}
template <class T> BOTH inline T most(T a, T b) {
#ifdef __CUDA_ARCH__
  return fmax(a, b);
#else
  return a != a ? b : b != b ? a : a > b || (a == b && !std::signbit(a)) ? a : b;
#endif
}

// The sign of a NaN that an operation made differs between machines.
template <class T> BOTH inline T signed_as(T a, T b) { return b != b ? a : copysign(a, b); }

// Integer intrinsics.
#define MODEL(name, T, params, host, device) ROUNDED(name, T, params, host, device)
MODEL(popc, u32, (u64 a), return __builtin_popcountll(a);, __popcll(a))
MODEL(popc, u32, (u32 a), return __builtin_popcount(a);, __popc(a))
MODEL(leading, u32, (u32 a), return a ? __builtin_clz(a) : 32;, __clz(a))
MODEL(leading, u32, (u64 a), return a ? __builtin_clzll(a) : 64;, __clzll(a))
MODEL(first, u32, (u32 a), return a ? __builtin_ctz(a) + 1 : 0;, __ffs(a))
MODEL(first, u32, (u64 a), return a ? __builtin_ctzll(a) + 1 : 0;, __ffsll(a))
MODEL(mirror, u32, (u32 a), u32 r = 0; for (int i = 0; i < 32; i++) r |= (a >> i & 1) << (31 - i); return r;, __brev(a))
MODEL(mirror, u64, (u64 a), u64 r = 0; for (int i = 0; i < 64; i++) r |= (a >> i & 1) << (63 - i); return r;, __brevll(a))
MODEL(high, i32, (i32 a, i32 b), return (i32)((i64)a * b >> 32);, __mulhi(a, b))
MODEL(high, u32, (u32 a, u32 b), return (u32)((u64)a * b >> 32);, __umulhi(a, b))
MODEL(high, i64, (i64 a, i64 b), return (i64)((i128)a * b >> 64);, __mul64hi(a, b))
MODEL(high, u64, (u64 a, u64 b), return (u64)((u128)a * b >> 64);, __umul64hi(a, b))
MODEL(mul24, i32, (i32 a, i32 b), return (i32)(u32)((i64)((i32)((u32)a << 8) >> 8) * ((i32)((u32)b << 8) >> 8));, __mul24(a, b))
MODEL(mul24, u32, (u32 a, u32 b), return (a & 0xffffff) * (b & 0xffffff);, __umul24(a, b))
MODEL(apart, u32, (i32 a, i32 b, u32 c), return (u32)(a > b ? (i64)a - b : (i64)b - a) + c;, __sad(a, b, c))
MODEL(apart, u32, (u32 a, u32 b, u32 c), return (a > b ? a - b : b - a) + c;, __usad(a, b, c))
MODEL(half_sum, i32, (i32 a, i32 b), return (i32)(((i64)a + b) >> 1);, __hadd(a, b))
MODEL(half_sum, u32, (u32 a, u32 b), return (u32)(((u64)a + b) >> 1);, __uhadd(a, b))
MODEL(half_up, i32, (i32 a, i32 b), return (i32)(((i64)a + b + 1) >> 1);, __rhadd(a, b))
MODEL(half_up, u32, (u32 a, u32 b), return (u32)(((u64)a + b + 1) >> 1);, __urhadd(a, b))
MODEL(permute, u32, (u32 a, u32 b, u32 s), u64 v = (u64)b << 32 | a; u32 r = 0; for (int i = 0; i < 4; i++) r |= (u32)(u8)(v >> (s >> 4 * i & 7) * 8) << 8 * i; return r;, __byte_perm(a, b, s & 0x7777))
MODEL(funnel_l, u32, (u32 a, u32 b, u32 s), return (u32)((((u64)b << 32 | a) << (s & 31)) >> 32);, __funnelshift_l(a, b, s))
MODEL(funnel_r, u32, (u32 a, u32 b, u32 s), return (u32)(((u64)b << 32 | a) >> (s & 31));, __funnelshift_r(a, b, s))
MODEL(funnel_lc, u32, (u32 a, u32 b, u32 s), s = s > 32 ? 32 : s; return s == 32 ? a : (u32)((((u64)b << 32 | a) << s) >> 32);, __funnelshift_lc(a, b, s))
MODEL(funnel_rc, u32, (u32 a, u32 b, u32 s), s = s > 32 ? 32 : s; return (u32)(((u64)b << 32 | a) >> s);, __funnelshift_rc(a, b, s))
MODEL(dots, i32, (i32 a, i32 b, i32 c), u32 r = c; for (int i = 0; i < 4; i++) r += (u32)((i8)((u32)a >> 8 * i) * (i8)((u32)b >> 8 * i)); return (i32)r;, __dp4a(a, b, c))
MODEL(dots, u32, (u32 a, u32 b, u32 c), for (int i = 0; i < 4; i++) c += (u32)(u8)(a >> 8 * i) * (u8)(b >> 8 * i); return c;, __dp4a(a, b, c))
MODEL(pair_dot, i32, (i32 a, i32 b, i32 c), u32 r = c; for (int i = 0; i < 2; i++) r += (u32)((i16)((u32)a >> 16 * i) * (i8)((u32)b >> 8 * i)); return (i32)r;, __dp2a_lo(a, b, c))
MODEL(pair_dot, u32, (u32 a, u32 b, u32 c), for (int i = 0; i < 2; i++) c += (u32)(u16)(a >> 16 * i) * (u8)(b >> (16 + 8 * i)); return c;, __dp2a_hi(a, b, c))
#define BYTES(name, T, expr, intrinsic)                                                                                           \
  MODEL(name, u32, (u32 a, u32 b), u32 r = 0; for (int i = 0; i < 32; i += 8 * sizeof(T)) { const i32 x = (T)(a >> i); const i32 y = (T)(b >> i); r |= ((u32)(expr) & (sizeof(T) == 1 ? 0xffu : 0xffffu)) << i; } return r;, intrinsic(a, b))
BYTES(vadd4, u8, x + y, __vadd4)
BYTES(vsub2, u16, x - y, __vsub2)
BYTES(vmaxs4, i8, x > y ? x : y, __vmaxs4)
BYTES(vminu2, u16, x < y ? x : y, __vminu2)
BYTES(vabsdiffu4, u8, x > y ? x - y : y - x, __vabsdiffu4)
BYTES(vaddss2, i16, x + y > 32767 ? 32767 : x + y < -32768 ? -32768 : x + y, __vaddss2)
BYTES(vsubus4, u8, x > y ? x - y : 0, __vsubus4)
BYTES(vcmpgts2, i16, x > y ? 0xffff : 0, __vcmpgts2)
BYTES(vseteq4, u8, x == y, __vseteq4)
BYTES(vavgu4, u8, (x + y + 1) >> 1, __vavgu4)
