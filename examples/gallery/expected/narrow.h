// f16 and bf16 on a host that has neither: a value is exact in 113 bits and rounded once, to nearest even or towards
// zero.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

using Wide = __float128;

// `precision` counts the leading one; 2^least is the least normal number, 2^most the greatest power of two.
template <int precision, int least, int most>
struct Narrow {
  uint16_t bits;

  static constexpr int stored = precision - 1;
  static constexpr uint16_t infinity = (most - least + 2) << stored;

  static Narrow nan() { return {0x7fff}; }

  static Narrow round(Wide value, bool truncate = false) {
    if (value != value) return nan();
    const bool negative = std::signbit(static_cast<double>(value));
    const uint16_t sign = negative ? 0x8000 : 0;
    Wide rest = negative ? -value : value;
    if (rest > std::numeric_limits<double>::max()) return {static_cast<uint16_t>(sign | infinity)};
    int exponent = least;
    Wide ulp = std::ldexp(1.0, least - stored);
    while (rest >= ulp * (1 << precision) && exponent <= most) exponent++, ulp *= 2;
    if (exponent > most) return {static_cast<uint16_t>(sign | (infinity - (truncate ? 1 : 0)))};
    rest /= ulp;
    int count = static_cast<int>(rest);
    rest -= count;
    if (!truncate && (rest > 0.5 || (rest == 0.5 && count % 2 == 1))) count++;
    const int magnitude = ((exponent - least) << stored) + count;
    return {static_cast<uint16_t>(sign | magnitude)};
  }

  Wide value() const {
    const int magnitude = bits & 0x7fff, field = magnitude >> stored, fraction = magnitude & ((1 << stored) - 1);
    double number = magnitude >= infinity ? (magnitude == infinity ? INFINITY : NAN)
                    : field == 0          ? std::ldexp(fraction, least - stored)
                                          : std::ldexp(fraction + (1 << stored), least - stored + field - 1);
    return bits & 0x8000 ? -number : number;
  }

  float single() const { return static_cast<float>(value()); }
};

using Half = Narrow<11, -14, 15>;
using Bfloat = Narrow<8, -126, 127>;

// The smaller one; a number beats a NaN, -0 lies below +0.
template <typename N>
N least(N a, N b) {
  if (a.value() != a.value()) return b.value() != b.value() ? N::nan() : b;
  if (b.value() != b.value()) return a;
  if (a.value() == b.value()) return a.bits & 0x8000 ? a : b;
  return a.value() < b.value() ? a : b;
}

template <typename N>
N negated(N a) {
  return a.value() != a.value() ? N::nan() : N{static_cast<uint16_t>(a.bits ^ 0x8000)};
}

template <typename N>
N greatest(N a, N b) {
  return a.value() != a.value() && b.value() != b.value() ? N::nan() : negated(least(negated(a), negated(b)));
}

template <typename N>
N absolute(N a) {
  return a.value() != a.value() ? N::nan() : N{static_cast<uint16_t>(a.bits & 0x7fff)};
}

// .relu: what is negative becomes +0, a NaN stays one.
template <typename N>
N relu(N a) {
  return a.value() != a.value() ? a : a.bits & 0x8000 ? N{0} : a;
}

// .sat: between +0 and 1, a NaN becomes +0.
template <typename N>
N saturated(N a) {
  return a.value() > 1 ? N::round(1) : a.value() > 0 ? a : N{0};
}

template <typename N>
N truth(bool holds) {
  return N::round(holds ? 1 : 0);
}
