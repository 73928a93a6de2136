//{"count":24}
#include "prelude.h"
#include <cuda/std/bit>
#include <cuda/std/cmath>
#include <cuda/std/complex>
#include <cuda/std/numeric>
#include <cuda/std/array>
#include <cuda/std/tuple>
#include <cuda/std/optional>
#include <cuda/std/variant>
#include <cuda/std/bitset>
#include <cuda/std/functional>
namespace cs = cuda::std;
BOTH void run(const u32 *x, u64 *out) {
  const u64 q = (u64)x[0] << 32 | x[1]; const f32 f = bits<f32>(x[2]); const f64 d = bits<f64>((u64)x[3]<<32|x[4]);
  out[0] = cs::popcount(x[0]) + cs::popcount(q) * 100;
  out[1] = cs::rotl(x[0], x[1] % 70) ^ cs::rotr(q, x[1] % 131);
  out[2] = cs::countl_zero(x[0]) + cs::countr_zero(q) * 100 + cs::countl_one(x[1]) * 10000 + cs::countr_one((u16)x[2]) * 1000000;
  out[3] = cs::bit_ceil(x[0] >> 1) + cs::bit_floor(q) + cs::bit_width((u8)x[3]);
  out[4] = cs::byteswap(x[0]) ^ cs::byteswap(q) ^ cs::byteswap((u16)x[1]);
  out[5] = cs::midpoint(x[0], x[1]) ^ (u64)cs::midpoint((i64)q, (i64)x[5]);
  out[6] = cs::gcd(x[0], x[1]) ^ (cs::gcd(q, (u64)x[3]) << 7);
  out[7] = cs::lcm((u64)x[0] & 0xffff, (u64)x[1]&0xfffff);
  { cs::complex<f32> a(bits<f32>(x[0]&0x83ffffff|0x3c000000), 0.5f), b(1.25f, bits<f32>(x[1]&0x83ffffff|0x3c000000)); auto c = a * b + a - b; out[8] = mix(raw(c.real()), raw(c.imag())); }
  out[9] = mix(raw(cs::fabs(f)), raw(cs::floor(d))) ^ raw(cs::trunc(f)) ^ raw(cs::round(d));
  out[10] = cs::isnan(f) | cs::isinf(d) << 1 | cs::signbit(f) << 2 | cs::isfinite(d) << 3 | cs::isnormal(f) << 4 | cs::fpclassify(f) << 5;
  { cs::array<u32, 8> a{}; for (int i=0;i<8;i++) a[x[i]&7] += x[i]; u64 h=0; for (auto v: a) h = mix(h,v); out[11]=h; }
  { cs::tuple<u8,u64,f32> t(x[0], q, f); auto [a,b,c] = t; out[12] = mix(mix(a,b),raw(c)); }
  { cs::optional<u32> o; if (x[0]&1) o = x[1]; out[13] = o.value_or(77); }
  { cs::variant<u32,u64,f32> v; if (x[0]%3==0) v = x[1]; else if (x[0]%3==1) v = q; else v = f; out[14] = cs::visit([](auto a){ return mix(sizeof a, raw(a)); }, v); }
  { cs::bitset<100> b; for (int i=0;i<8;i++) b.set(x[i]%100); b = b << (x[3]%17) ^ b >> 3; out[15] = b.count() * 1000; for (int i=0;i<100;i++) out[15] = mix(out[15], b[i]); }
  out[16]=out[17]=out[18]=0;
  out[19] = raw(cs::lerp(1.0, 3.5, (f64)(x[0]&1023)/1024));
  { cs::complex<f64> a((f64)(i32)x[0], 0.5), b(1.25, (f64)(i32)x[1]); auto c = a * b; out[20] = mix(raw(c.real()), raw(c.imag())); out[21] = mix(raw(cs::conj(c).imag()), raw(cs::norm(c))); }
  out[22] = mix(raw(cs::copysign(f, -1.f)), raw(cs::fmax(f, 1.f))) + raw(cs::nextafter(d, 0.0)) + cs::ilogb(3.5f) + raw(cs::logb((f64)x[0]+1));
  { int e=0; out[23] = raw(cs::frexp(f,&e)); if (cs::isfinite(f)) out[23] += e; out[23] ^= raw(cs::ldexp(d, (int)(x[5]%100)-50)) ^ raw(cs::fmod(d, 3.0)) ^ raw(cs::remainder(f, 0.7f)); }
}
#ifdef __CUDACC__
extern "C" __global__ void k(const u32 *in, u64 *out, u32 n) {
  const u32 i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) run(in + 8 * i, out + 24 * i);
}
#else
#include <cstdio>
int main() { u32 x[8]; u64 out[24]; while (fread(x, 4, 8, stdin) == 8) { run(x, out); fwrite(out, 8, 24, stdout); } }
#endif
