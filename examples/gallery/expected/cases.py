"""Writes NAME.ptxcheck.json beside the gallery's PTX: small launches whose results are closed forms, Python's integers and
hashes, or rows of the values that the host programs here have computed.

    python3 examples/gallery/expected/cases.py      (build.sh here ends with it)
    git diff --exit-code examples/gallery           and nothing has changed
"""
import gzip
import json
import struct
from functools import reduce as fold
from hashlib import sha256 as digest
from operator import xor
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent
VALUES = HERE / "../../tests/data/gallery"
MASK = 0xFFFFFFFF


def write(name, *directives):
    """Laid out as the project's formatter does it: on one line what fits into 120 columns."""
    texts = [json.dumps(line) for line in directives]
    one = f'  "directives": [{", ".join(texts)}]'
    many = '  "directives": [\n' + ",\n".join("    " + text for text in texts) + "\n  ]"
    text = f'{{\n  "schema": "ptxrun.check-sidecar/1",\n{one if len(one) <= 120 else many}\n}}\n'
    assert "\\" not in text
    (HERE / f"{name}.ptxcheck.json").write_text(text)


def listed(values):
    return ",".join(str(value) for value in values)


def buffer(kind, values):
    return f"{kind}x{len(values)}:{listed(values)}"


def zeros(kind, count):
    return f"{kind}x{count}:fill=0"


def hexed(values, digits):
    return [f"0x{value:0{digits}x}" for value in values]


def noise(count, seed=1):
    """Words without a pattern, always the same."""
    words, state = [], seed
    for _ in range(count):
        state = (state * 1664525 + 1013904223) & MASK
        words.append((state ^ state >> 15) * 0x2C1B3C6D & MASK)
    return words


def between(low, high, count, seed=1):
    return [low + (word >> 4) % (high - low + 1) for word in noise(count, seed)]


def table(name):
    """What a host program printed: label to bits."""
    rows = {}
    for line in gzip.open(VALUES / f"{name}.values.gz", "rt"):
        label, kind, *words = line.split()
        rows.setdefault((label, kind), []).extend(int(word, 16) for word in words)
    return {label: values for (label, _), values in rows.items()}


def save(name, descr, form, values):
    """NumPy's .npy, version 1.0."""
    header = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': ({len(values)},), }}"
    header += " " * (-(10 + len(header) + 1) % 64) + "\n"
    data = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode()
    (HERE / "data").mkdir(exist_ok=True)
    (HERE / "data" / f"{name}.npy").write_bytes(data + struct.pack(f"<{len(values)}{form}", *values))
    return f"@data/{name}.npy"


def floats(name, bits):
    return save(name, "<f4", "I", bits)


def reduce():
    x, k = between(-500, 500, 100), noise(100, 7)
    sums = [sum(x[b * 39 : b * 39 + 39]) for b in range(3)]
    write(
        "reduce",
        "args: --grid 3 --block 39",
        f"case ragged: 0={buffer('f32', x)} 1={buffer('u32', k)} 2=100 3={zeros('f32', 3)} 4={zeros('u32', 1)}"
        f" -> 3={listed(sums)} 4={sum(k) & MASK}",
    )


def running(words):
    total, sums = 0, []
    for word in words:
        total = (total + word) & MASK
        sums.append(total)
    return sums


def scan():
    words = noise(150)
    write(
        "scan",
        "launch scan_blocks --grid 3 --block 64: 0==in 1==out 2==sums 3==n",
        "launch scan_sums --block 32: 0==sums 1=3",
        "launch scan_add --grid 3 --block 64: 0==out 1==sums 2==n",
        f"case three: in={buffer('u32', words)} out={zeros('u32', 150)} sums={zeros('u32', 3)} n=150"
        f" -> out={listed(running(words))}",
    )


def handoff():
    write(
        "handoff",
        "args: --grid 2 --block 128",
        f"case iota: 0=u32x256:iota 1={zeros('u32', 256)} 2={zeros('u32', 2)} 3={zeros('u32', 2)} 4={zeros('u32', 1)}"
        f" -> 1={listed(i * (i + 1) // 2 for i in range(256))} 3=1,1 4=2",
    )


def histogram():
    data = [(word >> 8) % 251 for word in noise(100)]
    counts = [data.count(bin) for bin in range(256)]
    weight = sum(count << bin % 48 for bin, count in enumerate(counts))
    write(
        "histogram",
        "args: --grid 2 --block 39",
        f"case bytes: 0={buffer('u8', data)} 1=100 2={zeros('u32', 256)} 3={zeros('u64', 1)} 4={zeros('s32', 1)}"
        f" 5={zeros('s32', 1)} -> 2={listed(counts)} 3={weight} 4={min(0, min(data) - 128)} 5={max(0, max(data) - 128)}",
    )


def cluster():
    keys = [(word >> 8) % 256 for word in noise(150, 11)]
    counts = [keys.count(bin) for bin in range(256)]
    write(
        "cluster",
        "args: --grid 4 --block 39",
        f"case one: 0={buffer('u32', keys)} 1=150 2={zeros('u32', 256)} 3={zeros('u32', 4)}"
        f" -> 2={listed(counts)} 3=4,1004,2004,3004",
    )


def accumulate():
    keys = between(-1000, 1000, 90)
    power = sum(1 if key & 1 else -1 for key in keys)
    spread = [key * 0x1_0000_0001 for key in keys]
    cut = lambda value: value & (1 << 64) - 1  # noqa: E731
    bits = [
        cut(fold(xor, map(cut, spread))),
        fold(lambda a, key: a | 1 << (key & 63), keys, 0),
        cut(~0xFFFFFFFF),
        cut(max(keys) << 32),
        cut(sum(spread)),
    ]
    start = hexed([0, 0, cut(-1), 1 << 63, 0], 16)
    # Of the ring: inc counts 0 to 9 around, dec 0, 6, 5 ... 1 around, sub goes below 0.
    ring = [90 % 10, (7 - 90 % 7) % 7, -sum(keys) & MASK]
    write(
        "accumulate",
        "args: --grid 2 --block 20",
        f"case keys: 0={buffer('s32', keys)} 1=90 2={zeros('f64', 1)} 3=f32x1:1 4={zeros('f64', 1)} 5={zeros('u16', 1)}"
        f" 6={zeros('u32', 3)} 7={buffer('b64', start)} -> 2={sum(keys)} 3=0x{127 + power << 23:08x}"
        f" 4={max(map(abs, keys)) + 0.5} 5=90 6={listed(ring)} 7={listed(hexed(bits, 16))}",
    )


def bitonic():
    keys = [word - (1 << 32) if word >> 31 else word for word in noise(300)]
    rows = sorted(keys[:256]) + sorted(keys[256:])
    write("bitonic", "args: --grid 2 --block 256", f"case rows: 0={buffer('s32', keys)} 1=300 -> 0={listed(rows)}")


def radixsort():
    keys = [word if word & 4 else word >> 24 for word in noise(512, 5)]
    order = sorted(range(512), key=lambda i: keys[i])
    files = [save(f"radixsort_{n}", "<u4", "I", v) for n, v in (("keys", keys), ("sorted", sorted(keys)))]
    write(
        "radixsort",
        "args: --block 128",
        f"case stable: 0={files[0]} 1=u16x512:iota -> 0={files[1]} 1={listed(order)}",
    )


def recursion():
    rows = [between(-99, 99, 24, i + 1) for i in range(7)]
    closed = [lambda y: y + 1, lambda y: y + 2, lambda y: 2 * y + 3]
    write(
        "recursion",
        "args: --block 7",
        f"case seven: 0={zeros('s32', 7)} 1={zeros('u32', 7)} 2={zeros('u32', 7)} 3={buffer('s32', sum(rows, []))}"
        f" -> 0=1,0,0,2,10,4,1 1={listed(closed[i % 3](i) for i in range(7))} 2=2,1,2,1,2,1,2"
        f" 3={listed(sum(map(sorted, rows), []))}",
    )


def transpose():
    width, height = 35, 9
    n = width * height
    turned = [at % height * width + at // height for at in range(n)]
    pairs = [2 * at + half for at in turned for half in (0, 1)]
    write(
        "transpose",
        "args: --grid 2,1 --block 32,8",
        "launch transpose_words: 0==words 1==turned 2=35 3=9",
        "launch transpose_bytes: 0==bytes 1==narrow 2=35 3=9",
        "launch transpose_doubles: 0==pairs 1==wide 2=35 3=9",
        f"case indices: words=u32x{n}:iota turned={zeros('u32', n)} bytes={buffer('u8', [i % 256 for i in range(n)])}"
        f" narrow={zeros('u8', n)} pairs=f64x{2 * n}:iota wide={zeros('f64', 2 * n)} -> turned={listed(turned)}"
        f" narrow={listed(i % 256 for i in turned)} wide={listed(pairs)}",
    )


def matmul():
    """Whole numbers, which f32 holds: any order of adding gives the same product."""
    rows, inner, columns = 17, 19, 5
    a, b = between(-99, 99, rows * inner), between(-99, 99, inner * columns, 2)
    c = [sum(a[i * inner + k] * b[k * columns + j] for k in range(inner)) for i in range(rows) for j in range(columns)]
    write(
        "matmul",
        "args: --grid 1,2 --block 16,16",
        f"case whole: 0={buffer('f32', a)} 1={buffer('f32', b)} 2={zeros('f32', len(c))} 3={rows} 4={inner} 5={columns}"
        f" -> 2={listed(c)}",
    )


def nbody():
    values = table("nbody")
    files = {label: floats(f"nbody_{label}", bits) for label, bits in values.items()}
    write(
        "nbody",
        "args: --grid 4 --block 64",
        f"case step: 0={files['bodies']} 1={files['before']} 2={zeros('f32', 812)} 3=203 4=0.0625"
        f" -> 1={files['after']} 2={files['moved']}",
    )


def mandelbrot():
    """The first columns of the picture."""
    values = table("mandelbrot")
    width, height = 6, 64
    corner = {n: listed(v[y * 120 + x] for y in range(height) for x in range(width)) for n, v in values.items()}
    write(
        "mandelbrot",
        "args: --grid 1,8 --block 11,8",
        f"case edge: 0={zeros('u16', width * height)} 1={zeros('u16', width * height)} 2={width} 3={height} 4=40"
        f" -> 0={corner['single']} 1={corner['twice']}",
    )


def fft():
    values = table("fft")
    points, roots, out = (floats(f"fft_{label}", values[label][: 2 * 512]) for label in ("in", "roots", "out"))
    write("fft", "args: --block 103", f"case one: 0={points} 1={zeros('f32', 1024)} 2={roots} -> 1={out}")


def pairs(name, kind, rows, sum_rows):
    """The first 20 of the 300 pairs, of each row."""
    values, n = table(name), 20
    x, y, z = (buffer(kind, hexed(values[label][: 2 * n], 4)) for label in "xyz")
    out = [bits for row in range(rows) for bits in values["out"][row * 600 : row * 600 + 2 * n]]
    sums = [bits for row in range(sum_rows) for bits in values["sums"][row * 300 : row * 300 + n]]
    # A NaN in f32 arithmetic is the canonical one on a GPU; a host may keep its operand's.
    sums = [0x7FFFFFFF if bits & 0x7FFFFFFF > 0x7F800000 else bits for bits in sums]
    write(
        name,
        f"args: --block {n}",
        f"case rows: 0={x} 1={y} 2={z} 3={zeros('b16', len(out))} 4={zeros('b32', len(sums))} 5={n}"
        f" -> 3={listed(hexed(out, 4))} 4={listed(hexed(sums, 8))}",
    )


def sha256():
    messages = [b"", b"abc", b"a" * 55, bytes(range(64)), b"message digest" * 5]
    starts = [sum(map(len, messages[:i])) for i in range(len(messages) + 1)]
    write(
        "sha256",
        "args: --block 7",
        f"case five: 0={buffer('u8', list(b''.join(messages)))} 1={buffer('u32', starts)} 2={zeros('b8', 160)} 3=5"
        f" -> 2={listed(hexed(b''.join(digest(message).digest() for message in messages), 2))}",
    )


def edits(a, b):
    row = list(range(len(b) + 1))
    for i, letter in enumerate(a):
        after = [i + 1]
        for j, other in enumerate(b):
            after.append(min(row[j] + (letter != other), row[j + 1] + 1, after[j] + 1))
        row = after
    return row[-1]


def distance():
    words = [b"kitten", b"sitting", b"saturday", b"sunday", b"", b"warp", b"same", b"same"]
    starts = [sum(map(len, words[:i])) for i in range(len(words) + 1)]
    assert [edits(a, b) for a, b in zip(words[::2], words[1::2])] == [3, 3, 4, 0]
    write(
        "distance",
        "args: --grid 4 --block 39",
        f"case words: 0={buffer('u8', list(b''.join(words)))} 1={buffer('s32', starts)} 2={zeros('s32', 4)} -> 2=3,3,4,0",
    )


def ballot():
    """One key of a warp is odd, so that the machine cannot choose how many lanes its branch keeps together."""
    n, block = 45, 39
    keys = [2 * key + (i % block % 32 == 3) for i, key in enumerate(between(-25, 24, n))]
    rows, wide = [[] for _ in range(12)], []
    for i, key in enumerate(keys):
        lane = i % block % 32
        first = i - lane
        warp = keys[first : min(n, first + 32, i // block * block + block)]
        mask = lambda holds: sum(1 << at for at, other in enumerate(warp) if holds(other))  # noqa: E731
        members = mask(lambda other: True)
        rest = lambda value: abs(value) % 4 * (1 if value > 0 else -1)  # noqa: E731
        alike = len({other >> 30 for other in warp}) == 1
        of_lane = [
            members,
            mask(lambda other: other & 1),
            2 * any(other > 40 for other in warp) + all(other > -40 for other in warp),
            mask(lambda other: rest(other) == rest(key)),
            members + 1 if alike else 0,
            sum(warp),
            min(warp),
            max(other & MASK for other in warp),
            fold(xor, warp),
            warp[0],
            sum(other < 0 for other in warp[:lane]),
            key & 1,
        ]
        for row, value in zip(rows, of_lane):
            row.append(value & MASK)
        source = i - (lane & 3)
        wide.append((keys[source] & MASK) << 32 | source % block % 32)
    write(
        "ballot",
        "args: --grid 2 --block 39",
        f"case keys: 0={buffer('s32', keys)} 1={zeros('u32', 12 * n)} 2={zeros('u64', n)} 3={n}"
        f" -> 1={listed(sum(rows, []))} 2={listed(wide)}",
    )


def groups():
    n = 100
    keys = between(-1000, 1000, n) + [0] * 28
    part = lambda i, size: keys[i - i % size :][:size]  # noqa: E731
    out = [sum(part(i, 8)) for i in range(128)]
    out += [max(part(i, 32)) for i in range(128)]
    out += [sum(part(i, 8)[: i % 8 + 1]) for i in range(128)]
    out += [part(i, 8)[7 - i % 8] for i in range(128)]
    write(
        "groups",
        "args: --block 128",
        f"case tiles: 0={buffer('s32', keys[:n])} 1={zeros('s32', 512)} 2={zeros('f64', 128)} 3={zeros('u32', 1)} 4={n}"
        f" -> 1={listed(out)} 2={listed(sum(part(i, 32)) * 0.5 for i in range(128))} 3={sum(key & 1 for key in keys)}",
    )


def spinlock():
    served = fold(lambda total, ticket: (total * 31 + ticket) & MASK, range(39), 0)
    write(
        "spinlock",
        "args: --block 39",
        "launch spinlock --grid 2: 0==counter 1==order",
        "launch tickets: 0==next 1==serving 2==sum",
        f"case turns: counter={zeros('u32', 1)} order={zeros('u32', 78)} next={zeros('u32', 1)} serving={zeros('u32', 1)}"
        f" sum={zeros('u32', 1)} -> counter=78 next=39 serving=39 sum={served} lock=0",
    )


def gridsync():
    n, rounds, blocks, threads = 20, 5, 3, 5
    start = noise(n)
    row = [word >> bit & 1 for word in start for bit in range(32)]
    for _ in range(rounds):
        row = [110 >> (row[i - 1] * 4 + row[i] * 2 + row[(i + 1) % len(row)]) & 1 for i in range(len(row))]
    cells = [sum(row[i * 32 + bit] << bit for bit in range(32)) for i in range(n)]
    ranks = [b * threads << 32 | blocks for b in range(blocks)]
    write(
        "gridsync",
        f"args: --grid {blocks} --block {threads} --cooperative",
        f"case rule110: 0={buffer('u32', start)} 1={zeros('u32', n)} 2={n} 3={rounds} 4={zeros('u64', blocks)}"
        f" -> 1={listed(cells)} 4={listed(ranks)}",
    )


def pipeline():
    rounds = 3
    staged = [i * 2654435761 & MASK for i in range(rounds * 96)]
    out = [word ^ staged[i - i % 96 + 95 - i % 96] >> 7 for i, word in enumerate(staged)]
    write(
        "pipeline",
        "args: --block 128",
        f"case rounds: 0=u32x288:iota 1={zeros('u32', 288)} 2={rounds} 3={zeros('u32', 1)}"
        f" -> 1={listed(out)} 3={sum(word & 0xFF for word in staged)}",
    )


def pointers():
    n = 37
    a, b = between(-99, 99, n), between(-99, 99, n, 2)
    operations = [lambda x, y: x + y, lambda x, y: x - y, lambda x, y: x * y, max]
    products = [x * y for x, y in zip(a, b)]
    out = [operations[i % 4](a[i], b[i]) for i in range(n)] + products
    out += [a[i] ** 2 if i % 3 == 0 else products[i] for i in range(n)]
    write(
        "pointers",
        "args: --block 39",
        f"case calls: 0={buffer('s32', a)} 1={buffer('s32', b)} 2={zeros('s32', 3 * n)} 3={n} -> 2={listed(out)}",
    )


def machine():
    """A square in three steps; a count down to 0, four steps a turn, which stops after 400; jumps as their words say."""
    square, down = [4, 3, 255], [9, 7, 0, 1, 2, 10, 0, 255]
    inputs = [-7, 0, 3, 1000]
    squares = [x * x + 3 * 65536 for x in inputs]
    counted = [-7 + 2 * 65536, 2 * 65536, (4 * 3 + 2) * 65536, 900 + 400 * 65536]
    programs = noise(40)

    def walk(program, x):
        while program:
            x = [x + 7, x ^ 0x55, x * 5, ~x][program & 3] & MASK
            program >>= 2
        return x

    write(
        "machine",
        "args: --block 40",
        "launch machine: 0==code 1=3 2==inputs 3==squares 4=4",
        "launch machine: 0==down 1=8 2==inputs 3==counted 4=4",
        "launch jumps: 0==programs 1==ends 2=40",
        f"case both: code={buffer('u8', square)} inputs={buffer('s32', inputs)} squares={zeros('s32', 4)}"
        f" down={buffer('u8', down)} counted={zeros('s32', 4)}"
        f" programs={buffer('u32', programs)} ends={zeros('u32', 40)} -> squares={listed(squares)}"
        f" counted={listed(counted)}"
        f" ends={listed(walk(program, i) for i, program in enumerate(programs))}",
    )


def printf():
    """What printf returns, the number of its values; the lines themselves are compared by the project's test."""
    write("printf", "args: --grid 2 --block 7", f"case returned: 0={zeros('s32', 2)} 1=0.5 -> 0=7,7")


def heap():
    n, threads = 35, 13
    lengths = [i % 7 for i in range(n)]
    sums = []
    for b in range(3):
        values = [i * 100 + j for i in range(b * threads, min(n, b * threads + threads)) for j in reversed(range(lengths[i]))]
        total = fold(lambda total, value: total * 3 + value, values, 0) & (1 << 64) - 1
        sums.append(total - (1 << 64) if total >> 63 else total)
    write(
        "heap",
        "args: --grid 3 --block 13",
        f"case lists: 0={buffer('s32', lengths)} 1={zeros('s64', 3)} 2={n} -> 1={listed(sums)}",
    )


def int128():
    n = 12
    cut = lambda value: value & (1 << 128) - 1  # noqa: E731
    signed = lambda value: value - (1 << 128) if value >> 127 else value  # noqa: E731

    def drawn(seed):
        parts = noise(n * 4, seed)
        wholes = [fold(lambda total, part: total << 32 | part, parts[i * 4 : i * 4 + 4], 0) for i in range(n)]
        # Of all sizes: a quotient is interesting when the two differ in length.
        return [cut(-w >> w % 100) if i % 4 == 0 else w >> (w >> 9) % 100 for i, w in enumerate(wholes)]

    def quotient(p, q):
        return abs(p) // abs(q) * (1 if (p < 0) == (q < 0) else -1)

    xs, ys = drawn(1), [y or 1 for y in drawn(2)]
    half = (1 << 64) - 1
    results = [
        lambda x, y, p, q, i: x + y,
        lambda x, y, p, q, i: x - y,
        lambda x, y, p, q, i: x * y,
        lambda x, y, p, q, i: x // y,
        lambda x, y, p, q, i: x % y,
        lambda x, y, p, q, i: quotient(p, q),
        lambda x, y, p, q, i: p - q * quotient(p, q),
        lambda x, y, p, q, i: x << i,
        lambda x, y, p, q, i: x >> i,
        lambda x, y, p, q, i: p >> i,
        lambda x, y, p, q, i: x & y ^ cut(~x),
        lambda x, y, p, q, i: (x < y) + 2 * (p < q) + 4 * (x == y),
        lambda x, y, p, q, i: (x & half) * (y & half),
    ]
    out = [cut(f(x, y, signed(x), signed(y), i)) for f in results for i, (x, y) in enumerate(zip(xs, ys))]
    words = lambda values: hexed([part for value in values for part in (value & half, value >> 64)], 16)  # noqa: E731
    write(
        "int128",
        "args: --block 13",
        f"case rows: 0={buffer('b64', words(xs))} 1={buffer('b64', words(ys))} 2={zeros('b64', 26 * n)} 3={n}"
        f" -> 2={listed(words(out))}",
    )


def dynamic():
    n, threads = 70, 39
    data = between(-300, 300, n)
    windows = [[data[min(max(i + j - 2, 0), n - 1)] for j in range(5)] for i in range(n)]
    places = [sorted(range(5), key=lambda j: window[j])[2] for window in windows]
    medians = [window[place] for window, place in zip(windows, places)]
    means = [sum(window) / 5 + place for window, place in zip(windows, places)]
    write(
        "dynamic",
        f"args: --grid 2 --block {threads} --smem {threads * 14 + 8}",
        f"case moving: 0={buffer('s16', data)} 1={zeros('s16', n)} 2={zeros('f64', n)} 3={n}"
        f" -> 1={listed(medians)} 2={listed(means)}",
    )


def constants():
    n = 50
    upload = [(i * 7 + 3) & 0xFF for i in range(256)]
    data = [word >> 16 & 0xFF for word in noise(n)]
    at = lambda i: upload[data[min(max(i, 0), n - 1)]]  # noqa: E731
    edge = [-1, -2, 6, -2, -1]
    out = [at(i - 1) / 4 + at(i) / 2 + at(i + 1) / 4 for i in range(n)]
    out += [sum(weight * at(i + tap - 2) for tap, weight in enumerate(edge)) / 8 for i in range(n)]
    names = [name.ljust(12, b"\0") for name in (b"smooth", b"edge")]
    primes = [2, 3, 5, 7, 11, 13]
    letters = [names[i % 2][i % 12] + 1000 * primes[i % 2 * 5] + 100000 * primes[i % 6] for i in range(n)]
    write(
        "constants",
        "args: --grid 2 --block 39",
        f"case tables: 0={buffer('u8', data)} 1={zeros('f32', 2 * n)} 2={zeros('s32', n)} 3={n}"
        f" uploaded={buffer('u8', upload)} -> 1={listed(out)} 2={listed(letters)}",
    )


for each in (reduce, scan, handoff, histogram, cluster, accumulate, bitonic, radixsort, recursion, transpose, matmul):
    each()
for each in (nbody, mandelbrot, fft, sha256, distance, ballot, groups, spinlock, gridsync, pipeline, pointers, machine):
    each()
for each in (printf, heap, int128, dynamic, constants):
    each()
pairs("half2math", "f16", 19, 3)
pairs("bf16math", "bf16", 13, 2)
