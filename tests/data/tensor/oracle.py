"""One element of D of a matrix multiply-accumulate on a tensor core, in rationals: the tests' second source.

Written from the published models (MMA-Sim, arXiv 2511.10909; Khattak and Mikaitis, arXiv 2512.07004; FTTN, arXiv
2403.00232) and from the manual, and from nothing in src.
"""
from fractions import Fraction as Q

# exponent bits, fraction bits, bias; what the top exponent holds: infinities and NaN, one NaN, or numbers
FLOATS = {
    "f16": (5, 10, 15, "ieee"), "bf16": (8, 7, 127, "ieee"), "tf32": (8, 23, 127, "ieee"), "f32": (8, 23, 127, "ieee"),
    "f64": (11, 52, 1023, "ieee"), "e5m2": (5, 2, 15, "ieee"), "e4m3": (4, 3, 7, "nan"), "ue4m3": (4, 3, 7, "nan"),
    "e3m2": (3, 2, 3, None), "e2m3": (2, 3, 1, None), "e2m1": (2, 1, 1, None),
}
INTEGERS = {"s8": 8, "u8": 8, "s4": 4, "u4": 4, "s32": 32}
NAN = {"f16": 0x7FFF, "f32": 0x7FFFFFFF, "f64": 0xFFF8000000000000}


def bits_of(name):
    if name in INTEGERS: return INTEGERS[name]
    if name == "b1": return 1
    if name == "ue8m0": return 8
    return 1 + FLOATS[name][0] + FLOATS[name][1]


def read(bits, name):
    """("nan" | "inf" | "num", significand with its sign, exponent); the significand of a subnormal is below 1."""
    if name == "ue8m0": return ("nan", 0, 0) if bits == 255 else ("num", Q(1), bits - 127)
    if name == "tf32": bits = bits >> 13 << 13
    exp, frac, bias, top = FLOATS[name]
    sign = -1 if bits >> (exp + frac) & 1 and name != "ue4m3" else 1
    field, rest = bits >> frac & 2**exp - 1, bits & 2**frac - 1
    if top == "ieee" and field == 2**exp - 1: return ("nan", 0, 0) if rest else ("inf", sign, 0)
    if top == "nan" and field == 2**exp - 1 and rest == 2**frac - 1: return "nan", 0, 0
    if field == 0: return "num", sign * Q(rest, 2**frac), 1 - bias
    return "num", sign * (1 + Q(rest, 2**frac)), field - bias


def power(n): return Q(2) ** n


def write(value, name, rounding):
    """rn, rz, rm, rp, or e8m13 (f32 toward zero to 13 fraction bits). A zero is +0; too large is an infinity."""
    if value == 0: return 0
    exp, frac, bias, _ = FLOATS[name]
    size, sign = abs(value), (1 if value < 0 else 0)
    e = 1 - bias
    while size >= power(e + 64): e += 64
    while size >= power(e + 1): e += 1
    kept = 13 if rounding == "e8m13" else frac
    units = size / power(e - kept)
    whole, rest = units.numerator // units.denominator, units % 1
    up = {"rn": rest > Q(1, 2) or (rest == Q(1, 2) and whole % 2), "rm": rest and sign, "rp": rest and not sign}
    if up.get(rounding): whole += 1
    code = (e + bias - 1 << frac) + (whole << frac - kept)
    infinite = 2**exp - 1 << frac
    if code >= infinite: code = infinite
    return sign << exp + frac | code


def write64(value, rounding):
    """The same for fma, whose overflow depends on the direction."""
    bits = write(value, "f64", rounding)
    negative = value < 0
    if bits & 0x7FF << 52 == 0x7FF << 52 and rounding in {"rz", "rp" if negative else "rm"}: bits -= 1
    return bits


def infinite(products, c):
    """Rule 1: what NaN and infinities give, or None."""
    signs = set()
    for x, y in products:
        if "nan" in (x[0], y[0]): return "nan"
        if "inf" in (x[0], y[0]):
            if x[1] == 0 or y[1] == 0: return "nan"
            signs.add((x[1] > 0) == (y[1] > 0))
    if c[0] == "nan": return "nan"
    if c[0] == "inf": signs.add(c[1] > 0)
    if len(signs) == 2: return "nan"
    return signs.pop() if signs else None


def fused(terms, F):
    """Rules 2 and 3: (significand, exponent) of each term, cut toward zero F bits below the largest exponent."""
    there = [t for t in terms if t[0] != 0]
    if not there: return Q(0)
    top = max(e for _, e in there)
    total = 0
    for s, e in there:
        units = abs(s) * power(e - top + F)
        cut = units.numerator // units.denominator
        total += cut if s > 0 else -cut
    return total * power(top - F)


def rule(arch, unit, kind, d):
    """L, F and the rounding, or "halves"."""
    rounding = "rn" if d == "f16" else "rz"
    arch = {72: 70, 87: 86, 88: 86, 101: 100, 103: 100, 110: 100, 121: 120}.get(arch, arch)
    if kind in ("e4m3", "e5m2", "e3m2", "e2m3", "e2m1"):
        low = "rn" if d == "f16" else "e8m13"
        if arch == 89: return 16, 13, low
        if unit == "wgmma": return 32, 13, low
        if unit == "mma" and arch in (90, 100): return "halves"
        return 32, 25, rounding
    L, F = {70: (4, 23), 75: (8, 24)}.get(arch) or ((8, 24) if arch < 90 else (16, 25))
    return (L // 2 if kind == "tf32" else L), F, rounding


def floats(row):
    a, b = [read(x, row["A"]) for x in row["a"]], [read(x, row["B"]) for x in row["b"]]
    c, D = read(row["c"], row["C"]), row["D"]
    scale = row.get("scale")
    if scale:
        kind, type_, block = scale
        sa, sb = [read(x, type_) for x in row["sa"]], [read(x, type_) for x in row["sb"]]
        if any(s[0] == "nan" for s in sa + sb): return NAN[D]
    special = infinite(list(zip(a, b)), c)
    if special == "nan": return NAN[D]
    if special is not None: return write((1 if special else -1) * power(2000), D, "rz")
    terms = [(x[1] * y[1], x[2] + y[2]) for x, y in zip(a, b)]
    if row.get("shape") and row["arch"] >= 80:
        # What ptxas writes for m8n8k4 of f16 there: fma.rn.f32 from 0, then an addition of C.
        total = ("num", 0, 0)
        for s, e in terms:
            total = read(write(s * power(e) + total[1] * power(total[2]), "f32", "rn"), "f32")
        return write(total[1] * power(total[2]) + c[1] * power(c[2]), D, "rn")
    how = rule(row["arch"], row["unit"], row["A"], D)
    if scale:
        exponents = [(sa[k // block][2] + sb[k // block][2]) for k in range(len(terms))]
        if kind == "mxf8f6f4":
            terms, how = [(s, e + x) for (s, e), x in zip(terms, exponents)], (32, 25, "rz")
        else:
            sums = []
            for k in range(0, len(terms), 16):
                exact = sum((s * power(e) for s, e in terms[k:k + 16]), Q(0))
                sums.append((exact * sa[k // block][1] * sb[k // block][1], exponents[k]))
            terms, how = sums, (4, 35, "rz")
    if how == "halves":
        inner, carried = "rn" if D == "f16" else "rz", ("num", 0, 0)
        for half in (0, 1):
            picked = [t for k, t in enumerate(terms) if k % 4 // 2 == half]
            carried = read(write(fused(picked + [carried[1:]], 25), D, inner), D)
            if carried[0] == "inf": return write(carried[1] * power(2000), D, "rz")
        return write(carried[1] * power(carried[2]) + c[1] * power(c[2]), D, "rn")
    L, F, rounding = how
    for k in range(0, len(terms), L):
        bits = write(fused(terms[k:k + L] + [c[1:]], F), D, rounding)
        c = read(bits, D)
        if c[0] == "inf": break
    return bits


def doubles(row):
    """A fused multiply-add for each k. IEEE 754, 6.3: an exact sum of zero is -0 toward -inf unless both are +0, or if both are -0."""
    rounding, c = row.get("rounding", "rn"), row["c"]
    for x, y in zip(row["a"], row["b"]):
        p, q, r = read(x, "f64"), read(y, "f64"), read(c, "f64")
        special = infinite([(p, q)], r)
        if special == "nan": c = NAN["f64"]; continue
        if special is not None: c = 0x7FF << 52 | (0 if special else 1 << 63); continue
        product, addend = p[1] * q[1] * power(p[2] + q[2]), r[1] * power(r[2])
        if product + addend != 0: c = write64(product + addend, rounding); continue
        if product == 0:
            signs = {x >> 63 ^ y >> 63, c >> 63}
            negative = signs == {1} or (len(signs) == 2 and rounding == "rm")
        else: negative = rounding == "rm"
        c = 1 << 63 if negative else 0
    return c


def integers(row):
    def number(x, name):
        n = INTEGERS[name]; x &= 2**n - 1
        return x - 2**n if name[0] == "s" and x >> n - 1 else x
    total = number(row["c"], "s32") + sum(number(x, row["A"]) * number(y, row["B"]) for x, y in zip(row["a"], row["b"]))
    if row.get("satfinite"): total = max(-2**31, min(2**31 - 1, total))
    return total & 0xFFFFFFFF


def bits(row):
    pairs = zip(row["a"], row["b"])
    return row["c"] + sum((x ^ y) if row["bits"] == "xor" else x & y for x, y in pairs) & 0xFFFFFFFF


def element(row):
    """row: arch (90), unit, A B C D (types), a b (lists of bits), c, and where they apply scale (kind, type, block), sa, sb,
    satfinite, bits, rounding. The bits of D."""
    if row["A"] == "f64": return doubles(row)
    if row["A"] in INTEGERS: return integers(row)
    return bits(row) if row["A"] == "b1" else floats(row)
