#!/usr/bin/env python3
"""What mathf.cu, mathd.cu and blackscholes.cu must give: 60 digits or more by mpmath, rounded once to the format.

    python3 math.py mathf|mathd|blackscholes
"""
import struct
import sys
from fractions import Fraction

import mpmath
from mpmath import mp, mpf

mp.prec = 1400  # sin(1e308) needs the 1024 bits in front of the point, too
state = 0


def noise():
    """The sequence of values.h."""
    global state
    state = (state + 0x9E3779B9) & 0xFFFFFFFF
    x = state
    x = ((x ^ x >> 16) * 0x21F0AAAD) & 0xFFFFFFFF
    x = ((x ^ x >> 15) * 0x735A2D97) & 0xFFFFFFFF
    return x ^ x >> 15


class Format:
    def __init__(self, name, precision, least, most, code, integer):
        self.name, self.precision, self.least, self.most = name, precision, least, most
        self.code, self.integer = code, integer

    def bits(self, value):
        """The bits of an exact number, rounded to nearest even; inf, nan and Python's -0.0 keep their meaning."""
        width = 32 if self.name == "f32" else 64
        sign = 1 << width - 1
        top = (self.most - self.least + 2) << self.precision - 1
        if isinstance(value, float) and value == 0:
            return struct.unpack(self.integer, struct.pack(self.code, value))[0]
        value = mpf(value)
        if mpmath.isnan(value):
            return sign - 1
        if mpmath.isinf(value):
            return top | (sign if value < 0 else 0)
        negative, man, exp, _ = value._mpf_
        exact = Fraction(int(man)) * Fraction(2) ** exp
        exponent = max(self.least, (int(man).bit_length() + exp - 1) if man else self.least)
        count = round(exact / Fraction(2) ** (exponent - self.precision + 1))  # Fraction rounds half to even
        magnitude = min(((exponent - self.least) << self.precision - 1) + count, top)
        return magnitude | (sign if negative else 0)

    def value(self, bits):
        return struct.unpack(self.code, struct.pack(self.integer, bits))[0]


f32 = Format("f32", 24, -126, 127, "<f", "<I")
f64 = Format("f64", 53, -1022, 1023, "<d", "<Q")


def inputs(format, n):
    """x of all magnitudes with corners in front, y between -8 and 8."""
    xs = [0.0, -0.0, 1.0, -1.0, float("inf"), float("-inf"), float("nan"), 0.5, 2.0, 105615.0, 1e5]
    ys = [0.75, -0.0, 1.0, -1.0, 2.5, 3.0, -4.0, 0.5, -0.5, 1.5, 7.0]
    most, least = (127, -140) if format is f32 else (1020, -1060)
    while len(xs) < n:
        few = len(xs) % 3 != 0
        power = noise() % 24 - 12 if few else noise() % (most - least) + least
        fraction = 1 + mpf(noise() << 21 | noise() >> 11) / mpf(2) ** 53
        x = fraction * mpf(2) ** power * (-1 if noise() & 1 else 1)
        y = (mpf(noise() << 21 | noise() >> 11) / mpf(2) ** 53 * 16 - 8) / 2 ** (len(xs) % 5)
        xs.append(format.value(format.bits(x)))
        ys.append(format.value(format.bits(y)))
    return xs, ys


def odd_or_zero(function):
    """An odd function, or one with f(0) = 0: zero keeps its sign."""
    return lambda v: v if v == 0 else function(mpf(v))


def at_infinity(function, up, down):
    return lambda v: (up if v > 0 else down) if v in (float("inf"), float("-inf")) else function(v)


NAN, INF = float("nan"), float("inf")


def power(x, y):
    if y == 0 or x == 1:
        return mpf(1)
    if x == 0:
        return 0.0 if y > 0 else INF
    return mpf(x) ** mpf(y) if x == x else NAN


def remainder(x, y):
    if x != x or x in (INF, -INF) or y == 0:
        return NAN
    left = abs(Fraction(x)) % abs(Fraction(y))
    exact = mpf(left.numerator) / left.denominator
    return (0.0 if x > 0 or str(x) == "0.0" else -0.0) if left == 0 else (exact if x > 0 else -exact)


def gamma(v):
    if v == 0:
        return INF if str(v) == "0.0" else -INF
    return NAN if v < 0 and v == int(v) else mpmath.gamma(v)


def signed(whole, v):
    """A whole number; zero with the sign of v."""
    return float(whole) if whole != 0 else (-0.0 if str(v)[0] == "-" else 0.0)


def ratio(x, y):
    if x != x:
        return NAN
    sign = -1 if (str(x)[0] == "-") != (str(y)[0] == "-") else 1
    if y == 0 or x in (INF, -INF):
        return NAN if x == 0 else sign * INF
    return sign * 0.0 if x == 0 else mpf(x) / mpf(y)


def reciprocal(x):
    if x == 0:
        return INF if str(x) == "0.0" else -INF
    return NAN if x != x else (0.0 if x == INF else -0.0 if x == -INF else 1 / mpf(x))


def rows(xs, ys):
    """One list a line of the kernel; p is |x|."""
    x1 = lambda f: [NAN if x != x else f(x) for x in xs]
    y1 = lambda f: [f(y) for y in ys]
    p1 = lambda f: [NAN if x != x else f(abs(x)) for x in xs]
    both = lambda f: [f(x, y) for x, y in zip(xs, ys)]
    part = lambda f: [f(y / 32) for y in ys]
    log = lambda f: lambda v: -INF if v == 0 else INF if v == INF else 0.0 if v == 1 else f(mpf(v))
    return [
        x1(at_infinity(odd_or_zero(mpmath.sin), NAN, NAN)),
        x1(at_infinity(lambda v: mpmath.cos(mpf(v)), NAN, NAN)),
        y1(odd_or_zero(mpmath.tan)),
        y1(lambda v: mpmath.exp(mpf(v))),
        y1(lambda v: mpf(2) ** mpf(v)),
        y1(odd_or_zero(mpmath.expm1)),
        p1(log(mpmath.log)),
        p1(log(lambda v: mpmath.log(v, 2))),
        p1(log(lambda v: mpmath.log(v, 10))),
        p1(at_infinity(odd_or_zero(mpmath.log1p), INF, INF)),
        [power(abs(x), y) for x, y in zip(xs, ys)],
        y1(odd_or_zero(mpmath.tanh)),
        y1(odd_or_zero(mpmath.sinh)),
        x1(at_infinity(odd_or_zero(mpmath.atan), mp.pi / 2, -mp.pi / 2)),
        both(angle),
        part(odd_or_zero(mpmath.asin)),
        part(lambda v: mpmath.acos(mpf(v))),
        y1(odd_or_zero(mpmath.erf)),
        y1(lambda v: mpmath.erfc(mpf(v))),
        y1(gamma),
        p1(lambda v: INF if v in (0, INF) else 0.0 if v in (1, 2) else mpmath.loggamma(mpf(v))),
        x1(at_infinity(odd_or_zero(lambda v: mpmath.cbrt(abs(v)) * (1 if v > 0 else -1)), INF, -INF)),
        p1(lambda v: INF if v == 0 else 0.0 if v == INF else 1 / mpmath.sqrt(mpf(v))),
        [INF if abs(x) == INF else NAN if x != x else mpmath.hypot(mpf(x), mpf(y)) for x, y in zip(xs, ys)],
        both(remainder),
        y1(lambda v: v if v == 0 else (0.0 if v > 0 else -0.0) if v == int(v) else mpmath.sinpi(mpf(v))),
        p1(at_infinity(odd_or_zero(mpmath.sqrt), INF, INF)),
        both(ratio),
        x1(reciprocal),
        y1(lambda v: signed(round(v), v)),
        y1(lambda v: signed(int(v), v)),
        y1(lambda v: v if v == 0 else mpf(v) * 32),
    ]


def angle(x, y):
    """atan2(y, x)."""
    if x != x:
        return NAN
    back = str(x)[0] == "-"
    if y == 0:
        turned = mp.pi if back else 0.0
        return -turned if str(y)[0] == "-" else turned
    if abs(x) == INF:
        turned = mp.pi if back else 0.0
        return -turned if y < 0 else turned
    return mpmath.atan2(mpf(y), mpf(x))


def line(label, format, values):
    print(label, format.name, *(f"{format.bits(v):x}" for v in values))


def functions(format):
    n = 160
    xs, ys = inputs(format, n)
    line("x", format, xs)
    line("y", format, ys)
    for row in rows(xs, ys):
        line("out", format, row)


def options(format, suffix):
    n = 300
    mp.prec = 200
    exact = lambda low, high: format.value(format.bits(low + mpf(noise()) / 2**32 * (high - low)))
    spots, strikes, years = ([exact(*r) for _ in range(n)] for r in ((5, 30), (1, 100), (mpf(1) / 4, 10)))
    calls, puts = [], []
    for s, x, t in zip(spots, strikes, years):
        s, x, t, r, v = mpf(s), mpf(x), mpf(t), mpf(2) / 100, mpf(3) / 10
        d1 = (mpmath.log(s / x) + (r + v * v / 2) * t) / (v * mpmath.sqrt(t))
        d2 = d1 - v * mpmath.sqrt(t)
        owed = x * mpmath.exp(-r * t)
        calls.append(s * mpmath.ncdf(d1) - owed * mpmath.ncdf(d2))
        puts.append(owed * mpmath.ncdf(-d2) - s * mpmath.ncdf(-d1))
    for label, values in zip(("spot", "strike", "years", "call", "put"), (spots, strikes, years, calls, puts)):
        line(label + suffix, format, values)


if __name__ == "__main__":
    if sys.argv[1] == "mathf":
        functions(f32)
    elif sys.argv[1] == "mathd":
        functions(f64)
    else:
        options(f32, "32")
        options(f64, "64")
