"""Writes the cases of examples/kernels/*.ptx: inputs chosen here, results from exact.py and from Python's integers.

    python3 examples/expected/kernels.py            replaces the leading //@ lines of each file and the data/*.npy
    git diff --exit-code examples/kernels           and nothing has changed

What nvcc wrote stays as it is below those lines.
"""
import random
import struct
import zlib
from pathlib import Path

from exact import NAN, bf16, f16, f32, f64, round_to, run, unpack

HERE = Path(__file__).parent.parent / "kernels"
f16_bits = lambda x: struct.unpack("<H", struct.pack("<e", x))[0]  # noqa: E731
f32_bits = lambda x: struct.unpack("<I", struct.pack("<f", x))[0]  # noqa: E731


def write(name, args, cases):
    path = HERE / f"{name}.ptx"
    body = path.read_text().splitlines(keepends=True)
    while body[0].startswith("//@"):
        del body[0]
    path.write_text("".join(f"//@ {line}\n" for line in [f"args: {args}", *cases]) + "".join(body))


def listed(kind, values):
    """A buffer with its contents; integers in decimal, all else as bits."""
    digits = {"f16": 4, "bf16": 4, "f32": 8, "f64": 16, "b32": 8}.get(kind)
    return f"{kind}x{len(values)}:" + ",".join(f"0x{v:0{digits}x}" if digits else str(v) for v in values)


def save(name, descr, form, values):
    """NumPy's .npy, version 1.0."""
    header = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': ({len(values)},), }}"
    header += " " * (-(10 + len(header) + 1) % 64) + "\n"
    data = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode()
    (HERE / "data" / f"{name}.npy").write_bytes(data + struct.pack(f"<{len(values)}{form}", *values))
    return f"@data/{name}.npy"


def axpy_half2():
    def axpy(a, x, y):
        return [run("fma.rn.f16", [a[i % 2], x[i], y[i]])[0] for i in range(len(x))]

    x = [f16_bits(v) for v in (1, 2, 0.5, -3, 65504, 2**-24, 0.1, 1.0009765625, 0.333251953125, -0.0)]
    y = [f16_bits(v) for v in (1, -6, 0.25, 9, -65504, 0, 0.2, -3.001953125, -1, -0.0)]
    a = [f16_bits(3), f16_bits(3)]
    small = f"case small: 0=5 1=hex:{struct.pack('<2H', *a).hex()} 2={listed('f16', x)} 3={listed('f16', y)}"
    outside = small.replace("small: 0=5", "outside: 0=6") + " -> fault mem"
    small += f" -> 3={listed('f16', axpy(a, x, y))}"

    # 67 pairs over 2 blocks of 48 threads: the last warp is half full, and its last threads have nothing to do.
    source = random.Random(1)
    x, y = ([source.randrange(0x10000) for _ in range(134)] for _ in range(2))
    a = [f16_bits(-1.5), f16_bits(0.0999755859375)]
    files = [save(f"axpy_{n}", "<f2", "H", v) for n, v in (("x", x), ("y", y), ("expected", axpy(a, x, y)))]
    large = f"case large: 0=67 1=hex:{struct.pack('<2H', *a).hex()} 2={files[0]} 3={files[1]} -> 3={files[2]}"
    write("axpy_half2", "--grid 2 --block 48", [small, large, outside])


def dot_bf16():
    def partials(threads, x, y):
        sums = [0] * threads
        for i in range(len(x)):
            sums[i % threads] = run("fma.rn.bf16", [x[i], y[i], sums[i % threads]])[0]
        return sums

    source = random.Random(2)
    near = lambda: source.randrange(0x3E80, 0x4180) | source.randrange(2) << 15  # noqa: E731
    x, y = ([near() for _ in range(23)] for _ in range(2))
    # 256 + 1 + 1 + ...: each 1 is below half a unit and leaves no trace, so thread 0 stays at 256.
    ones = [0x4380] + [0x3F80] * 15
    cases = [
        f"case random: 0=23 1={listed('bf16', x)} 2={listed('bf16', y)} 3=bf16x5"
        f" -> 3={listed('bf16', partials(5, x, y))}",
        f"case swallowed: 0=16 1={listed('bf16', ones)} 2={listed('bf16', [0x3F80] * 16)} 3=bf16x5"
        f" -> 3={listed('bf16', partials(5, ones, [0x3F80] * 16))}",
        "case empty: 0=0 1=bf16x1:0 2=bf16x1:0 3=bf16x5 -> 3=bf16x5:0,0,0,0,0",
    ]
    write("dot_bf16", "--block 5", cases)


def mixed_sum():
    rows = [
        [1, 2, 3, 4, 5, 6, 7],
        [2048, 1, 1, 1, 1, 1, 1],  # a sum in f16 would stay at 2048
        [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7],
        [65504] * 7,
        [2**-24, 1, -1, 2**-24, 0, 0, 0],
        [float("inf"), 1, 1, float("-inf"), 1, 1, 1],
    ]
    w = [f16_bits(v) for v in (1, 0.5, 0.25, 0.0999755859375, -1, 3.140625, 2**-14)]
    x = [[f16_bits(v) for v in row] for row in rows]
    plain, scaled = [], []
    for row in x:
        s = t = 0
        for v, weight in zip(row, w):
            s = run("add.rn.f32.f16", [v, s])[0]
            t = run("fma.rn.f32.f16", [v, weight, t])[0]
        plain.append(s)
        scaled.append(t)
    flat = [v for row in x for v in row]
    write(
        "mixed_sum",
        "--block 8",
        [
            f"case rows: 0=6 1=7 2={listed('f16', flat)} 3={listed('f16', w)} 4=f32x6 5=f32x6"
            f" -> 4={listed('f32', plain)} 5={listed('f32', scaled)}"
        ],
    )


def add256():
    source = random.Random(3)
    pairs = [
        (2**256 - 1, 1),
        (2**255, 2**255 + 5),
        (0xFFFFFFFF << 96, 1 << 96),
        (source.getrandbits(256), source.getrandbits(256)),
        (source.getrandbits(256), source.getrandbits(256)),
    ]
    words = lambda n: [n >> 32 * k & 0xFFFFFFFF for k in range(8)]  # noqa: E731
    a, b, c = ([w for n in ns for w in words(n)] for ns in (*zip(*pairs), [x + y for x, y in pairs]))
    carry = [(x + y) >> 256 for x, y in pairs]
    write(
        "add256",
        "--grid 2 --block 3",
        [
            f"case numbers: 0=5 1={listed('b32', a)} 2={listed('b32', b)} 3=b32x40 4=u32x5"
            f" -> 3={listed('b32', c)} 4={listed('u32', carry)}"
        ],
    )


def collatz():
    def steps(n):
        count = 0
        while n > 1:
            n, count = (3 * n + 1 if n % 2 else n // 2), count + 1
        return count

    start = [*range(34), 97, 871, 6171, 77031, 837799, 4294967295]
    write(
        "collatz",
        "--grid 2 --block 24",
        [f"case starts: 0=40 1={listed('u32', start)} 2=u32x40 -> 2={listed('u32', [steps(n) for n in start])}"],
    )


def horner():
    coefficients = [f32_bits(v) for v in (1, 1, 1 / 2, 1 / 6, 1 / 24, 1 / 120)]
    x = [f32_bits(v) for v in (0, 1, -1, 0.1, 3.5, 1e30)]
    wide = lambda bits: round_to(f64, unpack(f32, bits))  # noqa: E731: every f32 is an f64
    single, twice = [], []
    for v in x:
        s, d = coefficients[-1], wide(coefficients[-1])
        for c in reversed(coefficients[:-1]):
            s = run("add.rn.f32", [run("mul.rn.f32", [s, v])[0], c])[0]
            d = run("add.rn.f64", [run("mul.rn.f64", [d, wide(v)])[0], wide(c)])[0]
        single.append(s)
        twice.append(d)
    write(
        "horner",
        "--block 8",
        [
            f"case exponential: 0=6 1=5 2={listed('f32', coefficients)} 3={listed('f32', x)} 4=f32x6 5=f64x6"
            f" -> 4={listed('f32', single)} 5={listed('f64', twice)}"
        ],
    )


def sort_shared():
    source = random.Random(4)
    rows = [[source.randrange(-99, 100) for _ in range(8)] for _ in range(5)]
    rows += [list(range(8, 0, -1)), [-(2**31), 2**31 - 1, 0, -1, 1, 0, 2**31 - 1, -(2**31)]]
    flat, ordered = ([v for row in r for v in row] for r in (rows, map(sorted, rows)))
    write("sort_shared", "--grid 2 --block 4", [f"case rows: 0=7 1={listed('s32', flat)} -> 1={listed('s32', ordered)}"])


def crc32():
    texts = [b"", b"a", b"123456789", b"The quick brown fox jumps over the lazy dog", bytes(range(256))[250:], b"\0" * 32]
    starts = [sum(map(len, texts[:k])) for k in range(len(texts) + 1)]
    crcs = [zlib.crc32(text) for text in texts]
    write(
        "crc32",
        "--block 7",
        [
            f"case texts: 0={len(texts)} 1={listed('u32', starts)} 2={listed('u8', b''.join(texts))} 3=b32x{len(texts)}"
            f" -> 3={listed('b32', crcs)}"
        ],
    )


def matmul():
    n, source = 5, random.Random(5)
    a, b = ([f32_bits(source.uniform(-2, 2)) for _ in range(n * n)] for _ in range(2))
    c = []
    for y in range(n):
        for x in range(n):
            total = 0
            for k in range(n):
                total = run("fma.rn.f32", [a[y * n + k], b[k * n + x], total])[0]
            c.append(total)
    case = f"case random: 0={n} 1={listed('f32', a)} 2={listed('f32', b)} 3=f32x{n * n} -> 3={listed('f32', c)}"
    write("matmul", "--grid 2,3 --block 4,2", [case])


def quantize():
    factor, zero, least, most = f32_bits(1 / 3), -3, -128, 120
    x = [0, 1.5, -1.5, 4.5, 7.5, 1e9, -1e9, float("inf"), float("-inf"), float("nan"), 370.5, 371, -375, -376.5, -0.0, 2**-149]

    def one(bits):
        product = unpack(f32, run("mul.rn.f32", [bits, factor])[0])
        negative, size = (False, 0) if product == NAN else product  # __float2int_rn makes 0 of a NaN
        q = 2**31 - 1 if size == "inf" else round(size)
        q = -q if negative else q
        return min(max(min(max(q, -100000), 100000) + zero, least), most)

    bits = [f32_bits(v) for v in x]
    scale = struct.pack("<Ihbb", factor, zero, least, most).hex()
    case = f"case corners: 0=4 1=hex:{scale} 2={listed('f32', bits)} 3=s8x16 -> 3={listed('s8', [one(v) for v in bits])}"
    write("quantize", "--block 6", [case])


def modpow():
    source = random.Random(6)
    triples = [(2, 10, 1000), (0, 0, 1), (3, 0, 7), (2**64 - 1, 2**64 - 1, 2**64 - 59)]
    triples += [tuple(source.getrandbits(64) for _ in range(3)) for _ in range(3)]
    a, e, m = zip(*triples)
    d = [pow(*triple) for triple in triples]
    case = f"case powers: 0=7 1={listed('u64', a)} 2={listed('u64', e)} 3={listed('u64', m)} 4=u64x7 -> 4={listed('u64', d)}"
    write("modpow", "--block 8", [case])


def mandelbrot():
    def steps(cr, ci):
        zr = zi = 0.0
        for n in range(200):
            if zr * zr + zi * zi > 4:
                return n
            zr, zi = zr * zr - zi * zi + cr, 2 * zr * zi + ci
        return 200

    width, height, left, top, step = 11, 7, -2.0, 1.2, 0.3
    out = [steps(left + x * step, top - y * step) for y in range(height) for x in range(width)]
    case = f"case whole: 0={width} 1={height} 2={left} 3={top} 4={step} 5=u16x77 -> 5={listed('u16', out)}"
    write("mandelbrot", "--grid 2,2 --block 8,4", [case])


def counting():
    source = random.Random(7)
    rows = [[source.randrange(16) for _ in range(24)] for _ in range(3)] + [[15] * 24, list(range(12, -12, -1))[:13] + [0] * 11]
    flat, ordered = ([v for row in r for v in row] for r in (rows, map(sorted, rows)))
    write("counting", "--block 8", [f"case rows: 0=5 1={listed('u8', flat)} -> 1={listed('u8', ordered)}"])


if __name__ == "__main__":
    more = (crc32, matmul, quantize, modpow, mandelbrot, counting)
    for kernel in (axpy_half2, dot_bf16, mixed_sum, add256, collatz, horner, sort_shared, *more):
        kernel()
