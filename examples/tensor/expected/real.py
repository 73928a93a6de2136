"""What tensor cores compute of numbers with a fraction, by an exact model: python3 real.py FOLDER > ../../../tests/data/kernels/real.json

FOLDER has dot_oracle.py, whose `dot(arch, kind, fmt, out, a, b, c)` gives the bits of one element of D. The operands are those that
tests/conformance/kernels/real.ts draws. K of each instruction goes to the model by itself, since D between two of them is rounded.
"""
import hashlib, json, sys
sys.path.insert(0, sys.argv[1])
from dot_oracle import dot

#            bytes, fraction bits, lowest and highest exponent
FORMATS = {"f16": (2, 10, 10, 17), "bf16": (2, 7, 120, 131), "tf32": (4, 23, 120, 131), "f32": (4, 23, 118, 136), "e4m3": (1, 3, 2, 10), "e5m2": (1, 2, 10, 18)}

def noise(count, seed):
    state, out = seed, []
    for _ in range(count):
        state = (state * 1664525 + 1013904223) & 0xffffffff
        out.append(((state ^ state >> 15) * 0x2c1b3c6d) & 0xffffffff)
    return out

def codes(count, fmt, seed):
    size, fraction, low, high = FORMATS[fmt]
    return [(w & 1) << size * 8 - 1 | low + (w >> 24) % (high - low + 1) << fraction | w >> 1 & (1 << fraction) - 1 for w in noise(count, seed)]

def product(sm, kind, fmt, out, m, n, k, step, seeds, c=None, fmt_b=None):
    """D in rows; A in rows, B in columns, both along K."""
    a, b = codes(m * k, fmt, seeds[0]), codes(n * k, fmt_b or fmt, seeds[1])
    d = []
    for row in range(m):
        for column in range(n):
            bits = c[row * n + column] if c else 0
            for at in range(0, k, step):
                bits = dot(sm, kind, fmt, out, a[row * k + at:row * k + at + step], b[column * k + at:column * k + at + step], bits)
            d.append(bits.to_bytes(4 if out == "f32" else 2, "little"))
    d = b"".join(d)
    return {"sha256": hashlib.sha256(d).hexdigest(), "first": d[:64].hex()}

table = {}
for sm in (80, 89, 90, 100, 120):
    table[f"gemm.{sm}"] = product(sm, "mma", "bf16", "f32", 64, 64, 96, 16, (21, 22))
    for name, fmt, step, k in (("f16", "f16", 16, 48), ("f16_k8", "f16", 8, 24), ("bf16", "bf16", 16, 48), ("bf16_k8", "bf16", 8, 24), ("tf32", "tf32", 8, 24), ("tf32_k4", "tf32", 4, 12)):
        table[f"mma_{name}.{sm}"] = product(sm, "mma", fmt, "f32", 16, 8, k, step, (1, 2), codes(128, "f32", 3))
    table[f"mma_f16_f16.{sm}"] = product(sm, "mma", "f16", "f16", 16, 8, 32, 16, (1, 2), codes(128, "f16", 3))
    if sm >= 89:
        table[f"mma_e4m3.{sm}"] = product(sm, "mma", "e4m3", "f32", 16, 8, 96, 32, (1, 2), codes(128, "f32", 3))
        table[f"mma_e5m2.{sm}"] = product(sm, "mma", "e5m2", "f32", 16, 8, 64, 32, (1, 2), codes(128, "f32", 3))
        table[f"mma_e4m3_f16.{sm}"] = product(sm, "mma", "e4m3", "f16", 16, 8, 64, 32, (1, 2), codes(128, "f16", 3))
for name, fmt, out, step in (("bf16", "bf16", "f32", 16), ("tf32", "tf32", "f32", 8), ("e4m3", "e4m3", "f32", 32)):
    for sm, kind in ((90, "wgmma"), (100, "tcgen05")):
        size = 128 if sm == 100 else 64
        table[f"{kind}_{name}.{sm}"] = product(sm, kind, fmt, out, size, 64, step * 4, step, (31, 32), codes(size * 64, "f32", 33))
json.dump(table, sys.stdout, indent=1)
