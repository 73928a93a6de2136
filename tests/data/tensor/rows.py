"""Draws rows of hard operands over all targets and types, and writes what oracle.py says of them, one JSON object a line.

    python3 tests/data/tensor/rows.py --count 200000 --seed 1 [--against dot_oracle.py]
    python3 tests/data/tensor/rows.py --count 2800 --seed 12 | gzip -9n > tests/data/tensor/rows.jsonl.gz

--against names a second oracle, a module with dot(arch, kind, type, out, a, b, c); what both know they must agree on.
"""
import argparse, importlib.util, json, random, sys
from oracle import FLOATS, bits_of, element


HALF, FP8, FP6 = ["f16", "bf16"], ["e4m3", "e5m2"], ["e4m3", "e5m2", "e3m2", "e2m3", "e2m1"]


def cases():
    """Everything that is drawn from: (arch, unit, A, B, C, D, k, more)."""
    def half(arch, unit, ks, types=HALF):
        for A in types:
            for C, D in [("f32", "f32"), ("f16", "f16"), ("f32", "f16"), ("f16", "f32")]:
                if A == "bf16" and (C, D) != ("f32", "f32"): continue
                for k in ks: yield arch, unit, A, A, C, D, k, {}
    def same(arch, unit, types, ks, outs=("f32",)):
        for A in types:
            for B in types if A != "tf32" else [A]:
                for out in outs:
                    for k in ks: yield arch, unit, A, B, out, out, k, {}
    for arch in (70, 75, 80, 86, 89, 90, 100, 103, 120):
        for C, D in [("f32", "f32"), ("f16", "f32")]: yield arch, "mma", "f16", "f16", C, D, 4, {"shape": "m8n8k4"}
    for arch in (70, 72): yield from half(arch, "mma", (4, 16), ["f16"])
    yield from half(75, "mma", (4, 8, 16), ["f16"])
    for arch in (80, 86, 87, 88, 89, 90, 100, 101, 103, 110, 120, 121):
        yield from half(arch, "mma", (8, 16))
        yield from same(arch, "mma", ["tf32"], (4, 8))
    for arch in (89, 90, 100, 103): yield from same(arch, "mma", FP8, (16, 32), ("f16", "f32"))
    for arch in (120, 121): yield from same(arch, "mma", FP6, (32,), ("f16", "f32"))
    yield from half(90, "wgmma", (16,))
    yield from same(90, "wgmma", ["tf32"], (8,))
    yield from same(90, "wgmma", FP8, (32,), ("f16", "f32"))
    for arch in (100, 101, 103, 110):
        yield from half(arch, "tcgen05", (16,))
        yield from same(arch, "tcgen05", ["tf32"], (8,))
        yield from same(arch, "tcgen05", FP6, (32,), ("f16", "f32"))
    for arch, unit in ((100, "tcgen05"), (103, "tcgen05"), (120, "mma"), (121, "mma")):
        for A in FP6:
            for B in FP6: yield arch, unit, A, B, "f32", "f32", 32, {"scale": ["mxf8f6f4", "ue8m0", 32]}
        for scale in (["ue8m0", 32], ["ue8m0", 16], ["ue4m3", 16]):
            for _ in range(4): yield arch, unit, "e2m1", "e2m1", "f32", "f32", 64, {"scale": ["mxf4", *scale]}
    for rounding in ("rn", "rz", "rm", "rp"):
        for k in (4, 16): yield 80 if k == 4 else 90, "mma", "f64", "f64", "f64", "f64", k, {"rounding": rounding}
    for A in ("s8", "u8"):
        for B in ("s8", "u8"):
            for satfinite in (False, True): yield 80, "mma", A, B, "s32", "s32", 32, {"satfinite": satfinite}
    for A in ("s4", "u4"):
        for B in ("s4", "u4"):
            for satfinite in (False, True): yield 80, "mma", A, B, "s32", "s32", 64, {"satfinite": satfinite}
    for how in ("xor", "and"): yield 80, "mma", "b1", "b1", "s32", "s32", 128, {"bits": how}


MOODS = ["any", "near", "near", "wide", "tiny", "huge", "zeros", "cancel", "ties", "special"]


def draw(rng, name, mood, centre):
    width = bits_of(name)
    if name not in FLOATS and name != "ue8m0":
        return rng.getrandbits(width) if mood != "huge" else 2 ** (width - 1) - rng.getrandbits(1)
    if mood == "any": return rng.getrandbits(width)
    if name == "ue8m0":
        if mood == "special" and rng.random() < 0.2: return rng.choice([0, 254, 255])
        if mood in ("wide", "tiny", "huge"): return {"wide": rng.randrange(255), "tiny": rng.randrange(3), "huge": 254 - rng.randrange(3)}[mood]
        return 127 + rng.randint(-12, 12)
    exp, frac, bias, top = FLOATS[name]
    sign = rng.getrandbits(1)
    if mood == "special" and rng.random() < 0.15:
        return sign << exp + frac | rng.choice([2**(exp + frac) - 1, 2**exp - 1 << frac, 0, (2**exp - 1 << frac) - 1])
    if rng.random() < (0.6 if mood == "zeros" else 0.06): return sign << exp + frac
    least, most = 0, 2**exp - (2 if top == "ieee" else 1)
    field = {"near": centre + rng.randint(-2, 2), "wide": rng.randint(least, most), "tiny": rng.randint(0, 1),
             "huge": most - rng.randint(0, 1), "zeros": centre + rng.randint(-9, 9), "cancel": centre,
             "ties": centre + rng.choice([0, 0, -frac, -12, -24, -25, -26]), "special": centre}[mood]
    field = max(least, min(most, field))
    ones = 2**frac - 1
    fraction = rng.choice([0, 1, ones, ones - 1, ones >> 1, rng.getrandbits(frac), rng.getrandbits(frac)]) & ones
    if name == "tf32" and rng.random() < 0.8: fraction |= rng.getrandbits(13)
    return sign << exp + frac | field << frac | fraction


def cancelling(rng, A, B, a, b):
    """Large products in pairs with both signs, and others as far below them as a sum keeps bits, in any order."""
    def lower(bits, name, by):
        exp, frac, _, _ = FLOATS[name]
        field = bits >> frac & 2**exp - 1
        return bits & ~(2**exp - 1 << frac) | max(field - by, 0) << frac
    def higher(bits, name):
        exp, frac, _, top = FLOATS[name]
        field = bits >> frac & 2**exp - 1
        return bits & ~(2**exp - 1 << frac) | min(field + 6, 2**exp - 2) << frac
    top = 1 << bits_of(A) - 1
    pairs = []
    for x in range(0, len(a), 2):
        if rng.random() < 0.5:
            high = higher(a[x], A), higher(b[x], B)
            pairs += [high, (high[0] ^ top, high[1])]
        else: pairs += [(lower(a[y], A, rng.randint(0, 14)), lower(b[y], B, rng.randint(0, 14))) for y in (x, x + 1)]
    rng.shuffle(pairs)
    return [x for x, _ in pairs], [y for _, y in pairs]


def blocks_cancel(rng, made, type_, block):
    """Two sums of 16 that cancel and two far below them; C is 0 or small, too."""
    made["a"][16:32] = [x ^ 8 for x in made["a"][0:16]]
    made["b"][16:32] = made["b"][0:16]
    for side in ("sa", "sb"):
        scales = made[side]
        far = rng.randint(12, 22)
        high, low = (140, 140 - far) if type_ == "ue8m0" else (0x70 + rng.randrange(8), rng.randrange(1, 16))
        for at in range(len(scales)): scales[at] = high if at * block < 32 else low
    if rng.random() < 0.7: made["c"] = rng.choice([0, 1 << 31, 0x20000000, 0x28000001])


def row(rng, case):
    arch, unit, A, B, C, D, k, more = case
    mood = rng.choice(MOODS)
    centre = {name: (FLOATS[name][2] + rng.randint(-3, 3) if name in FLOATS else 0) for name in (A, B, C)}
    a = [draw(rng, A, mood, centre[A]) for _ in range(k)]
    b = [draw(rng, B, mood, centre[B]) for _ in range(k)]
    if mood == "cancel" and A in FLOATS: a, b = cancelling(rng, A, B, a, b)
    made = {"arch": arch, "unit": unit, "A": A, "B": B, "C": C, "D": D, "a": a, "b": b, "c": draw(rng, C, mood, centre[C]), **more}
    if "scale" in more:
        kind, type_, block = more["scale"]
        for side in ("sa", "sb"): made[side] = [draw(rng, type_, mood, 7) for _ in range(k // block)]
        if kind == "mxf4" and mood == "cancel": blocks_cancel(rng, made, type_, block)
    return made


def agree(made, dot):
    """The second oracle must say the same, where it knows the row. It lets an infinite half go on as a number."""
    if made["A"] not in FLOATS or made["A"] != made["B"] or made["C"] != made["D"] or "scale" in made or "shape" in made or made["A"] == "f64": return
    arch = {72: 70, 87: 86, 88: 86, 101: 100, 103: 100, 110: 100, 121: 120}.get(made["arch"], made["arch"])
    got = dot(arch, made["unit"], made["A"], made["D"], made["a"], made["b"], made["c"])
    if got == made["d"]: return True
    infinite = made["unit"] == "mma" and made["A"] in FP8 and made["D"] == "f16" and made["d"] & 0x7C00 == 0x7C00 and arch in (90, 100)
    if not infinite: sys.exit(f"the oracles differ: {got:x} of {json.dumps(made)}")
    return False


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--against")
    options = parser.parse_args()
    dot = None
    if options.against:
        spec = importlib.util.spec_from_file_location("second", options.against)
        module = importlib.util.module_from_spec(spec); spec.loader.exec_module(module); dot = module.dot
    rng, seen, groups = random.Random(options.seed), {True: 0, False: 0, None: 0}, {}
    for case in cases():
        arch, unit, A, *_, more = case
        kind = "fp8" if A in FP8 else "fp6" if A in FP6 else A
        groups.setdefault((arch, unit, kind, str(more.get("scale")), more.get("shape")), []).append(case)
    every = list(groups.values())
    for at in range(options.count):
        # Whatever the count, each row of the table in turn, and of it each case.
        some = every[at % len(every)]
        made = row(rng, some[at // len(every) % len(some)])
        made["d"] = element(made)
        if dot: seen[agree(made, dot)] += 1
        text = lambda values, name: "".join(f"{x:0{(bits_of(name) + 3) // 4}x}" for x in values)
        out = {**made, "a": text(made["a"], made["A"]), "b": text(made["b"], made["B"]), "c": f"{made['c']:x}", "d": f"{made['d']:x}"}
        for side in ("sa", "sb"):
            if side in made: out[side] = text(made[side], "ue8m0")
        print(json.dumps(out, separators=(",", ":")))
    if dot: print(f"{seen[True]} rows of both oracles; {seen[False]} infinite halves; {seen[None]} of one", file=sys.stderr)


main()
