"""Exact arithmetic of the half, mixed and carry instructions, in rationals.

This is the examples' second source: it shares nothing with ptxrun. A value is computed as a Fraction and rounded
once; tanh and ex2 are computed to 60 digits and rounded once. Bits in, bits out.

    python3 examples/expected/exact.py fma.rn.f16 0x3e94 0x134c 0x3e22
"""
import sys
from decimal import Decimal, getcontext
from fractions import Fraction

getcontext().prec = 60


class Format:
    def __init__(self, name, exp, frac, nan):
        self.name, self.exp, self.frac, self.nan = name, exp, frac, nan
        self.width = 1 + exp + frac
        self.bias = 2 ** (exp - 1) - 1
        self.sign = 1 << (exp + frac)
        self.inf = ((1 << exp) - 1) << frac
        self.one = self.bias << frac
        self.least_normal = Fraction(2) ** (1 - self.bias)


f16 = Format("f16", 5, 10, 0x7FFF)
bf16 = Format("bf16", 8, 7, 0x7FFF)
f32 = Format("f32", 8, 23, 0x7FFFFFFF)
f64 = Format("f64", 11, 52, 0x7FF8000000000000)
FORMATS = {f.name: f for f in (f16, bf16, f32, f64)}
NAN = "nan"


def unpack(f, bits):
    """(negative, magnitude), the magnitude a Fraction or "inf"; or "nan"."""
    negative, rest = bool(bits & f.sign), bits & (f.sign - 1)
    if rest > f.inf:
        return NAN
    if rest == f.inf:
        return negative, "inf"
    e, m = rest >> f.frac, rest & ((1 << f.frac) - 1)
    significand = m if e == 0 else m + (1 << f.frac)
    return negative, significand * Fraction(2) ** (max(e, 1) - f.bias - f.frac)


def round_to(f, value, rnd="rn"):
    """The bits of (negative, magnitude) in `f`, rounded once."""
    if value == NAN:
        return f.nan
    negative, magnitude = value
    sign = f.sign if negative else 0
    if magnitude == "inf":
        return sign | f.inf
    if magnitude == 0:
        return sign
    e = magnitude.numerator.bit_length() - magnitude.denominator.bit_length()
    if magnitude < Fraction(2) ** e:
        e -= 1
    ulp = Fraction(2) ** (max(e, 1 - f.bias) - f.frac)
    units, rest = divmod(magnitude, ulp)
    rest /= ulp
    up = {
        "rn": rest > Fraction(1, 2) or (rest == Fraction(1, 2) and units % 2 == 1),
        "rz": False,
        "rm": negative and rest > 0,
        "rp": not negative and rest > 0,
    }[rnd]
    units += up
    # `units` carries over into the exponent field by itself.
    code = int(units) + ((max(e, 1 - f.bias) - (1 - f.bias)) << f.frac)
    if code >= f.inf:
        away = rnd == "rn" or (rnd == "rp" and not negative) or (rnd == "rm" and negative)
        return sign | (f.inf if away else f.inf - 1)
    return sign | code


def flush(f, bits):
    return bits & f.sign if (bits & (f.sign - 1)) < (1 << f.frac) else bits


def total(a, b, rnd):
    """a + b of two unpacked values; an exact zero sum is +0, or -0 under .rm, unless both are -0 or both +0."""
    if NAN in (a, b):
        return NAN
    if a[1] == "inf" or b[1] == "inf":
        if a[1] == b[1] and a[0] != b[0]:
            return NAN
        return a if a[1] == "inf" else b
    s = (-a[1] if a[0] else a[1]) + (-b[1] if b[0] else b[1])
    if s == 0:
        return (a[0] if a[0] == b[0] else rnd == "rm"), Fraction(0)
    return s < 0, abs(s)


def product(a, b):
    if NAN in (a, b):
        return NAN
    negative = a[0] != b[0]
    if "inf" in (a[1], b[1]):
        return NAN if 0 in (a[1], b[1]) else (negative, "inf")
    return negative, a[1] * b[1]


def finish(f, value, mods, rnd):
    tiny = value != NAN and value[1] != "inf" and value[1] < f.least_normal
    bits = round_to(f, value, rnd)
    if "ftz" in mods and tiny:  # f16: tininess is seen before rounding
        bits &= f.sign
    if "sat" in mods:
        if value == NAN or bits & f.sign:
            return 0
        return min(bits, f.one)
    if "relu" in mods and value != NAN and bits & f.sign:
        return 0
    return bits


def decimal_of(value):
    d = Decimal(value[1].numerator) / Decimal(value[1].denominator)
    return -d if value[0] else d


def tanh(f, bits):
    value = unpack(f, bits)
    if value == NAN:
        return f.nan
    negative, magnitude = value
    if magnitude == "inf" or magnitude > 64:
        return round_to(f, (negative, Fraction(1)))
    if magnitude == 0:
        return bits
    if magnitude < Fraction(1, 2**24):  # just under x: round a number between it and x - x^3/3
        return round_to(f, (negative, magnitude - magnitude**3 / 3))
    e = (2 * abs(decimal_of(value))).exp()
    return round_to(f, (negative, Fraction((e - 1) / (e + 1))))


def ex2(f, bits, mods):
    if "ftz" in mods:
        bits = flush(f, bits)
    value = unpack(f, bits)
    if value == NAN:
        return f.nan
    if value[1] == "inf":
        return 0 if value[0] else f.inf
    x = -value[1] if value[0] else value[1]
    if abs(x) > 400:
        return 0 if x < 0 else f.inf
    whole = x.numerator // x.denominator
    part = x - whole
    p = Fraction((Decimal(part.numerator) / Decimal(part.denominator) * Decimal(2).ln()).exp()) if part else Fraction(1)
    value = (False, p * Fraction(2) ** whole)
    return finish(f, value, mods, "rn")


def smallest(f, a, b, mods, larger):
    if "ftz" in mods:
        a, b = flush(f, a), flush(f, b)
    sign = (a ^ b) & f.sign
    if "xorsign" in mods:
        a, b = a & ~f.sign, b & ~f.sign
    nan_a, nan_b = unpack(f, a) == NAN, unpack(f, b) == NAN
    if (nan_a and nan_b) or ("NaN" in mods and (nan_a or nan_b)):
        return f.nan
    if nan_a or nan_b:
        d = b if nan_a else a
    else:
        order = lambda x: -(x & (f.sign - 1)) - 1 if x & f.sign else x  # noqa: E731: -0 stands below +0
        d = (max if larger else min)(a, b, key=order)
    return d | sign if "xorsign" in mods else d


def half(op, f, mods, args):
    """One 16-bit instruction."""
    if op in ("min", "max"):
        return smallest(f, *args, mods, op == "max")
    if op == "tanh":
        return tanh(f, args[0])
    if op == "ex2":
        return ex2(f, args[0], mods)
    if "oob" in mods and 0x7FF7 in (args[0] & 0x7FFF, args[1] & 0x7FFF):
        return 0
    if "ftz" in mods:
        args = [flush(f, x) for x in args]
    if op in ("neg", "abs"):
        if unpack(f, args[0]) == NAN:
            return f.nan
        return args[0] ^ f.sign if op == "neg" else args[0] & ~f.sign
    values = [unpack(f, x) for x in args]
    if op == "sub":
        values[1] = negated(values[1])
    if op == "mul":
        return finish(f, product(*values), mods, "rn")
    if op == "fma":
        values = [product(values[0], values[1]), values[2]]
    return finish(f, total(*values, "rn"), mods, "rn")


def negated(value):
    return value if value == NAN else (not value[0], value[1])


def mixed(op, f, mods, args, rnd):
    """add, sub, fma of 16-bit operands and an f32 one."""
    values = [unpack(f, x) for x in args[:-1]] + [unpack(f32, args[-1])]
    if op == "fma":
        values = [product(values[0], values[1]), values[2]]
    if op == "sub":
        values[1] = negated(values[1])
    return finish(f32, total(*values, rnd), mods, rnd)


def integer(op, width, signed, mods, args, carry):
    """(result, new carry) of the extended-precision instructions; CF after a subtraction is NOT borrow."""
    mask = (1 << width) - 1
    args = [x & mask for x in args]
    if op in ("add", "addc"):
        s = args[0] + args[1] + (carry if op == "addc" else 0)
    elif op in ("sub", "subc"):
        s = args[0] + (args[1] ^ mask) + (carry if op == "subc" else 1)
    else:
        a, b, c = args
        if signed:
            a, b = (x - (1 << width) if x >> (width - 1) else x for x in (a, b))
        part = (a * b >> width if "hi" in mods else a * b) & mask
        s = part + c + (carry if op == "madc" else 0)
    return s & mask, (s >> width if "cc" in mods else carry)


def run(spelling, args, carry=0):
    """(result bits, carry) of one instruction, by its spelling."""
    op, *mods = spelling.split(".")
    kinds = [m for m in mods if m.removesuffix("x2") in FORMATS]
    rnd = next((m for m in mods if m in ("rn", "rz", "rm", "rp")), "rn")
    if not kinds:
        kind = mods[-1]
        return integer(op, int(kind[1:]), kind[0] == "s", mods, args, carry)
    if kinds[0] == "f32" and len(kinds) == 2:
        return mixed(op, FORMATS[kinds[1]], mods, args, rnd), carry
    if kinds[0].endswith("x2"):
        f = FORMATS[kinds[0][:-2]]
        low = half(op, f, mods, [x & 0xFFFF for x in args])
        return half(op, f, mods, [x >> 16 for x in args]) << 16 | low, carry
    return half(op, FORMATS[kinds[0]], mods, args), carry


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    result, flag = run(sys.argv[1], [int(x, 0) for x in sys.argv[2:]])
    print(hex(result), f"cc.cf={flag}")
