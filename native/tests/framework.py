"""
A client that calls as a framework's mock GPU does: it finds the library by OCELOT_PATH, makes each kernel's text anew, launches
it once by a warp or less, and has its arrays in the middle of a heap that other objects share.
"""

import ctypes
import math
import os
import random
import struct

lib = ctypes.CDLL(os.environ["OCELOT_PATH"])
lib.ptx_run.argtypes = [ctypes.c_char_p, ctypes.c_int, ctypes.POINTER(ctypes.c_void_p)] + [ctypes.c_int] * 7
lib.ptxrun_error.restype = ctypes.c_char_p

HEAP = 1 << 20
heap = ctypes.create_string_buffer(b"\xa5" * HEAP, HEAP)
start = ctypes.addressof(heap)
used = 8  # What is below, and every gap, must stay as it is.
holes = []
launches = 0


class Array:
    """Elements of a struct format, at an address that is no multiple of a page and has neighbours."""

    def __init__(self, form, values):
        global used
        self.form, self.count = form, len(values)
        self.size = struct.calcsize(f"<{len(values)}{form}")
        at = (used + 15) // 16 * 16
        holes.append((used, at))
        self.at, used = at, at + self.size
        assert used < HEAP
        self.address = start + at
        ctypes.memmove(self.address, struct.pack(f"<{len(values)}{form}", *values), self.size)

    def list(self):
        return list(struct.unpack(f"<{self.count}{self.form}", ctypes.string_at(self.address, self.size)))


VERSIONS = {"sm_35": "7.5", "sm_86": "7.8"}


def kernel(target, name, parameters, body, shared=""):
    """A kernel as such a framework writes it: a parameter a line, registers by names of their types."""
    words = ",\n".join(f"\t.param .{kind} data{i}" for i, kind in enumerate(parameters))
    loads = "\n".join(
        f"\tld.param.{kind}\t%dat_{kind}_{i}, [data{i}+0];" for i, kind in enumerate(parameters)
    )
    registers = "\n".join(
        f"\t.reg .{kind} %{kind}_<40>;" for kind in ("pred", "b8", "b16", "f16", "b32", "s32", "u32", "f32", "b64", "s64", "u64", "f64")
        if kind != "b8"
    )
    own = "\n".join(f"\t.reg .{kind} %dat_{kind}_{i};" for i, kind in enumerate(parameters))
    return f""".version {VERSIONS[target]}
.target {target}
.address_size 64
.visible .entry {name}(
{words}
)
{{
{registers}
{own}
{shared}
{loads}
{body}
	ret;
}}""".encode()


def launch(source, *args, block=1, grid=1, shared=0):
    global launches
    launches += 1
    values = (ctypes.c_void_p * len(args))(*(arg.address if isinstance(arg, Array) else arg for arg in args))
    dims = [(size, 1, 1) if isinstance(size, int) else size for size in (block, grid)]
    lib.ptx_run(source, len(args), values, *dims[0], *dims[1], shared)
    error = lib.ptxrun_error()
    assert error is None, error.decode() + source.decode()


def same(got, wanted, within=0.0):
    assert len(got) == len(wanted), (got, wanted)
    for a, b in zip(got, wanted):
        close = a == b or (within > 0 and abs(a - b) <= within * max(1.0, abs(b))) or (a != a and b != b)
        assert close, (got, wanted)


def half(x):
    return struct.unpack("<e", struct.pack("<e", x))[0]


def single(x):
    return struct.unpack("<f", struct.pack("<f", x))[0]


def bits(x):
    return "0f" + struct.pack(">f", x).hex().upper()


INDEX = """	mov.u32 %u32_0, %ctaid.x;
	mov.u32 %u32_1, %tid.x;
	mad.lo.u32 %u32_2, %u32_0, {block}, %u32_1;
	mul.wide.u32 %u64_0, %u32_2, {bytes};
"""


def elementwise(target, rng):
    """out[i] = f(a[i], b[i]), one thread an element, by operations and types that are drawn."""
    binary = {
        "add.f32": lambda a, b: single(a + b), "mul.f32": lambda a, b: single(a * b), "max.f32": max, "sub.f32": lambda a, b: single(a - b),
        "add.s32": lambda a, b: a + b, "mul.lo.s32": lambda a, b: a * b, "max.s32": max, "min.s32": min,
        "xor.b32": lambda a, b: a ^ b, "and.b32": lambda a, b: a & b, "or.b32": lambda a, b: a | b,
        "div.s32": lambda a, b: int(a / b), "rem.s32": lambda a, b: int(math.fmod(a, b)),
        "add.f64": lambda a, b: a + b, "mul.f64": lambda a, b: a * b, "div.rn.f64": lambda a, b: a / b,
        "add.s64": lambda a, b: a + b, "mul.lo.s64": lambda a, b: a * b, "rem.s64": lambda a, b: int(math.fmod(a, b)),
        "add.f16": lambda a, b: half(a + b), "mul.f16": lambda a, b: half(a * b), "sub.f16": lambda a, b: half(a - b),
        "add.s16": lambda a, b: a + b, "mul.lo.s16": lambda a, b: a * b,
        "div.full.f32": None, "div.approx.f32": None,
    }
    name = rng.choice(list(binary))
    kind = {"b32": "s32"}.get(name.split(".")[-1], name.split(".")[-1])
    form = {"f32": "f", "f64": "d", "s32": "i", "s64": "q", "f16": "e", "s16": "h"}[kind]
    count, block = rng.choice([(32, 32), (6, 3), (8, 2), (1, 1), (64, 32)])
    size = struct.calcsize(form)
    draw = (lambda: half(rng.randrange(-64, 64) / 8) or 1.0) if kind.startswith("f") else (lambda: rng.randrange(-90, 90) or 1)
    a, b = [[draw() for _ in range(count)] for _ in "ab"]
    register = "b16" if kind == "s16" else kind
    load = f"b{8 * size}" if rng.random() < 0.5 else kind
    if kind == "f16":
        load = "b16"
    body = INDEX.format(block=block, bytes=size) + f"""	add.s64 %u64_1, %dat_u64_1, %u64_0;
	add.s64 %u64_2, %dat_u64_2, %u64_0;
	add.s64 %u64_3, %dat_u64_0, %u64_0;
	ld.global.{load} %{register}_0, [%u64_1+0];
	ld.global.{load} %{register}_1, [%u64_2+0];
	{name} %{register}_2, %{register}_0, %{register}_1;
	st.global.{load} [%u64_3+0], %{register}_2;"""
    out = Array(form, [0] * count)
    x, y = Array(form, a), Array(form, b)
    launch(kernel(target, f"E_{count // block}_{block}", ["u64"] * 3, body), out, x, y, block=block, grid=count // block)
    wanted = [(binary[name] or (lambda p, q: p / q))(p, q) for p, q in zip(a, b)]
    same(out.list(), wanted, 1e-5 if binary[name] is None else 0)


def reduction(target, rng):
    """out[0] = sum(a), by a loop of one thread, as for arrays of any length; the label and the counter as such loops have them."""
    count = rng.randrange(1, 70)
    body = f"""	mov.b64 %u64_1, 4;
	mov.f32 %f32_0, 0f00000000;
	mov.u32 %u32_0, 0;
LOOP_0:
	mul.wide.u32 %u64_0, %u32_0, 4;
	add.s64 %u64_2, %dat_u64_1, %u64_0;
	ld.global.f32 %f32_1, [%u64_2+0];
	add.f32 %f32_0, %f32_0, %f32_1;
	add.u32 %u32_0, %u32_0, 1;
	setp.lt.u32 %pred_0, %u32_0, {count};
	@%pred_0 bra LOOP_0;
	st.global.f32 [%dat_u64_0+0], %f32_0;"""
    values = [float(rng.randrange(-50, 50)) for _ in range(count)]
    out, a = Array("f", [0.0]), Array("f", values)
    launch(kernel(target, f"r_{count}", ["u64", "u64"], body), out, a)
    same(out.list(), [sum(values)])


def shared_reduction(target, rng):
    """A sum of 16 partial sums by shared memory, a barrier, and a thread that is alone behind it."""
    per = rng.choice([1, 2, 4])
    body = f"""	mov.u64 %u64_5, temp0[0];
	mov.u32 %u32_1, %tid.x;
	mov.f32 %f32_0, 0f00000000;
	mul.wide.u32 %u64_0, %u32_1, {4 * per};
	add.s64 %u64_1, %dat_u64_1, %u64_0;
""" + (f"	ld.global.v{per}.f32 {{{', '.join(f'%f32_{i + 1}' for i in range(per))}}}, [%u64_1+0];\n" if per > 1 else "	ld.global.f32 %f32_1, [%u64_1+0];\n") + "".join(
        f"	add.f32 %f32_0, %f32_0, %f32_{i + 1};\n" for i in range(per)
    ) + """	mul.wide.u32 %u64_2, %u32_1, 4;
	add.s64 %u64_3, %u64_5, %u64_2;
	st.shared.f32 [%u64_3+0], %f32_0;
	bar.sync 0;
	setp.ne.u32 %pred_1, %u32_1, 0;
	@%pred_1 bra IF_1;
	mov.f32 %f32_9, 0f00000000;
	mov.u32 %u32_3, 0;
LOOP_7:
	mul.wide.u32 %u64_2, %u32_3, 4;
	add.s64 %u64_3, %u64_5, %u64_2;
	ld.shared.f32 %f32_10, [%u64_3+0];
	add.f32 %f32_9, %f32_9, %f32_10;
	add.u32 %u32_3, %u32_3, 1;
	setp.lt.u32 %pred_0, %u32_3, 16;
	@%pred_0 bra LOOP_7;
	st.global.f32 [%dat_u64_0+0], %f32_9;
IF_1:"""
    values = [float(rng.randrange(-50, 50)) for _ in range(16 * per)]
    out, a = Array("f", [0.0]), Array("f", values)
    text = kernel(target, f"r_16_{per}", ["u64", "u64"], body, "	.shared .align 16 .b8 temp0[64];")
    launch(text, out, a, block=16)
    same(out.list(), [sum(values)])


def unary(target, rng):
    """Functions that are approximations, and conversions."""
    count = 8
    cases = {
        "ex2.approx.ftz.f32": (lambda x: 2.0**x, 1e-5), "lg2.approx.f32": (lambda x: math.log2(abs(x) + 1.5), 1e-5),
        "sqrt.approx.f32": (lambda x: math.sqrt(abs(x) + 1.5), 1e-5), "rcp.approx.f32": (lambda x: 1 / (abs(x) + 1.5), 1e-5),
        "sin.approx.f32": (math.sin, 1e-4), "neg.f32": (lambda x: -x, 0), "cvt.rzi.f32.f32": (lambda x: float(int(x)), 0),
    }
    name = rng.choice(list(cases))
    f, within = cases[name]
    shifted = name[:3] in ("lg2", "sqr", "rcp")
    body = INDEX.format(block=count, bytes=4) + f"""	add.s64 %u64_1, %dat_u64_1, %u64_0;
	ld.global.f32 %f32_0, [%u64_1+0];
""" + (f"	abs.f32 %f32_0, %f32_0;\n	add.f32 %f32_0, %f32_0, {bits(1.5)};\n" if shifted else "") + f"""	{name} %f32_1, %f32_0;
	cvt.rn.f16.f32 %f16_0, %f32_1;
	add.s64 %u64_2, %dat_u64_0, %u64_0;
	st.global.f32 [%u64_2+0], %f32_1;
	shr.u64 %u64_3, %u64_0, 1;
	add.s64 %u64_4, %dat_u64_2, %u64_3;
	st.global.b16 [%u64_4+0], %f16_0;"""
    values = [rng.randrange(-40, 40) / 8 for _ in range(count)]
    out, a, low = Array("f", [0.0] * count), Array("f", values), Array("e", [0.0] * count)
    launch(kernel(target, "E_8", ["u64"] * 3, body), out, a, low, block=count)
    same(out.list(), [f(x) for x in values], within)
    same(low.list(), [half(x) for x in out.list()])


def padded(target, rng):
    """Loads under a predicate, with what stands for the others; bools in bytes; a value that is compared and selected."""
    count = 8
    valid = rng.randrange(1, count)
    body = INDEX.format(block=count, bytes=4) + f"""	add.s64 %u64_1, %dat_u64_1, %u64_0;
	setp.lt.u32 %pred_0, %u32_1, {valid};
	@%pred_0 ld.global.f32 %f32_0, [%u64_1+0];
	@!%pred_0 mov.b32 %f32_0, {bits(-1.0)};
	setp.neu.f32 %pred_1, %f32_0, 0f00000000;
	setp.lt.f32 %pred_2, %f32_0, 0f00000000;
	and.pred %pred_3, %pred_1, %pred_2;
	xor.pred %pred_4, %pred_3, %pred_0;
	not.pred %pred_5, %pred_4;
	selp.u16 %b16_1, 1, 0, %pred_5;
	cvt.u64.u32 %u64_2, %u32_2;
	add.s64 %u64_3, %dat_u64_2, %u64_2;
	st.global.u8 [%u64_3+0], %b16_1;
	ld.global.u8 %b16_2, [%u64_3+0];
	setp.ne.s16 %pred_6, %b16_2, 0;
	selp.b16 %b16_3, 0x3C00, 0xBC00, %pred_6;
	mov.b16 %f16_1, %b16_3;
	cvt.f32.f16 %f32_1, %f16_1;
	selp.f32 %f32_2, %f32_0, %f32_1, %pred_3;
	add.s64 %u64_4, %dat_u64_0, %u64_0;
	st.global.f32 [%u64_4+0], %f32_2;"""
    values = [float(rng.randrange(-2, 3)) for _ in range(valid)]
    out, a, flags = Array("f", [9.0] * count), Array("f", values), Array("B", [7] * count)
    launch(kernel(target, "E_8n1", ["u64"] * 3, body), out, a, flags, block=count)
    loaded = [values[i] if i < valid else -1.0 for i in range(count)]
    negative = [x != 0 and x < 0 for x in loaded]
    told = [not (n != (i < valid)) for i, n in enumerate(negative)]
    same(flags.list(), [int(t) for t in told])
    same(out.list(), [x if n else 1.0 if t else -1.0 for x, n, t in zip(loaded, negative, told)])


def casts(target, rng):
    """From one type to another, by registers of both."""
    values = [rng.randrange(-100, 100) for _ in range(4)]
    form, kind, cast, wanted = rng.choice(
        [
            ("f", "f32", "cvt.rn.f32.s32 %f32_1, %s32_0", float), ("d", "f64", "cvt.rn.f64.s32 %f64_1, %s32_0", float),
            ("q", "s64", "cvt.s64.s32 %s64_1, %s32_0", int), ("b", "s8", "cvt.s8.s32 %b16_1, %s32_0", int),
            ("B", "u8", "cvt.u8.s32 %b16_1, %s32_0", lambda x: x & 255), ("e", "b16", "cvt.rn.f16.s32 %f16_1, %s32_0", float),
            ("H", "u16", "cvt.u16.s32 %b16_1, %s32_0", lambda x: x & 65535),
        ]
    )
    register = {"s8": "b16", "u8": "b16", "u16": "b16", "b16": "f16"}.get(kind, kind)
    size = struct.calcsize(form)
    body = INDEX.format(block=4, bytes=4) + f"""	add.s64 %u64_1, %dat_u64_1, %u64_0;
	ld.global.s32 %s32_0, [%u64_1+0];
	{cast};
	mul.wide.u32 %u64_2, %u32_2, {size};
	add.s64 %u64_3, %dat_u64_0, %u64_2;
	st.global.{kind} [%u64_3+0], %{register}_1;"""
    out, a = Array(form, [0] * 4), Array("i", values)
    launch(kernel(target, "E_4", ["u64", "u64"], body), out, a, block=4)
    same(out.list(), [wanted(x) for x in values])


def symbolic(target, rng):
    """A variable by value beside the pointers, and rows of a vector of 4, in a loop with another in it."""
    n = rng.randrange(1, 9)
    body = """	mov.s32 %s32_0, 0;
LOOP_4:
	mov.f32 %f32_4, 0f00000000;
	mov.s32 %s32_1, 0;
LOOP_5:
	mad.lo.s32 %s32_2, %s32_0, 4, %s32_1;
	mul.wide.s32 %s64_0, %s32_2, 4;
	add.s64 %s64_1, %s64_0, %dat_u64_1;
	ld.global.f32 %f32_5, [%s64_1+0];
	fma.rn.f32 %f32_4, %f32_5, %f32_5, %f32_4;
	add.s32 %s32_1, %s32_1, 1;
	setp.lt.s32 %pred_0, %s32_1, 4;
	@%pred_0 bra LOOP_5;
	mul.wide.s32 %s64_2, %s32_0, 16;
	add.s64 %s64_3, %s64_2, %dat_u64_0;
	st.global.v4.f32 [%s64_3+0], {%f32_4, %f32_4, %f32_4, %f32_4};
	add.s32 %s32_0, %s32_0, 1;
	setp.lt.s32 %pred_1, %s32_0, %dat_s32_2;
	@%pred_1 bra LOOP_4;"""
    values = [float(rng.randrange(-9, 9)) for _ in range(4 * n)]
    out, a = Array("f", [0.0] * 4 * n), Array("f", values)
    launch(kernel(target, "r_n_4", ["u64", "u64", "s32"], body), out, a, n)
    same(out.list(), [float(sum(x * x for x in values[4 * (i // 4) : 4 * (i // 4) + 4])) for i in range(4 * n)])


def matrices(target, rng):
    """A tile by mma.sync, of halves, with each fragment where the manual says that it lies."""
    into = rng.choice(["f32", "f16"])
    a = [[float(rng.randrange(-3, 4)) for _ in range(16)] for _ in range(16)]
    b = [[float(rng.randrange(-3, 4)) for _ in range(8)] for _ in range(16)]
    body = """	mov.u32 %u32_1, %tid.x;
	shr.u32 %u32_3, %u32_1, 2;
	and.b32 %u32_4, %u32_1, 3;
	mul.wide.u32 %u64_0, %u32_3, 32;
	mul.wide.u32 %u64_1, %u32_4, 4;
	add.s64 %u64_2, %u64_0, %u64_1;
	add.s64 %u64_3, %dat_u64_1, %u64_2;
	ld.global.b32 %b32_0, [%u64_3+0];
	ld.global.b32 %b32_1, [%u64_3+256];
	ld.global.b32 %b32_2, [%u64_3+16];
	ld.global.b32 %b32_3, [%u64_3+272];
	mul.wide.u32 %u64_4, %u32_4, 32;
	mul.wide.u32 %u64_5, %u32_3, 2;
	add.s64 %u64_6, %u64_4, %u64_5;
	add.s64 %u64_7, %dat_u64_2, %u64_6;
	ld.global.b16 %b16_0, [%u64_7+0];
	ld.global.b16 %b16_1, [%u64_7+16];
	ld.global.b16 %b16_2, [%u64_7+128];
	ld.global.b16 %b16_3, [%u64_7+144];
	mov.b32 %b32_4, {%b16_0, %b16_1};
	mov.b32 %b32_5, {%b16_2, %b16_3};
	mov.f32 %f32_0, 0f00000000;
	mov.b32 %b32_10, 0;
""" + (
        """	mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f32_1, %f32_2, %f32_3, %f32_4}, {%b32_0, %b32_1, %b32_2, %b32_3}, {%b32_4, %b32_5}, {%f32_0, %f32_0, %f32_0, %f32_0};
	mul.wide.u32 %u64_8, %u32_3, 32;
	mul.wide.u32 %u64_9, %u32_4, 8;
	add.s64 %u64_10, %u64_8, %u64_9;
	add.s64 %u64_11, %dat_u64_0, %u64_10;
	st.global.v2.f32 [%u64_11+0], {%f32_1, %f32_2};
	st.global.v2.f32 [%u64_11+256], {%f32_3, %f32_4};"""
        if into == "f32"
        else """	mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%b32_6, %b32_7}, {%b32_0, %b32_1, %b32_2, %b32_3}, {%b32_4, %b32_5}, {%b32_10, %b32_10};
	mul.wide.u32 %u64_8, %u32_3, 16;
	add.s64 %u64_10, %u64_8, %u64_1;
	add.s64 %u64_11, %dat_u64_0, %u64_10;
	st.global.b32 [%u64_11+0], %b32_6;
	st.global.b32 [%u64_11+128], %b32_7;"""
    )
    out = Array("f" if into == "f32" else "e", [0.0] * 128)
    x, y = Array("e", sum(a, [])), Array("e", sum(b, []))
    launch(kernel(target, "r_16_8_16", ["u64"] * 3, body), out, x, y, block=32)
    same(out.list(), [float(sum(a[i][k] * b[k][j] for k in range(16))) for i in range(16) for j in range(8)])


kinds = [elementwise, elementwise, elementwise, reduction, shared_reduction, unary, padded, casts, symbolic]
for target in VERSIONS:
    rng = random.Random(5)
    for turn in range(int(os.environ.get("LAUNCHES", "200")) // 2):
        used, holes[:] = 8, [(0, 8)]
        ctypes.memset(start, 0xA5, HEAP)
        (matrices if target == "sm_86" and turn % 9 == 0 else rng.choice(kinds))(target, rng)
        for first, end in [*holes, (used, HEAP)]:
            assert ctypes.string_at(start + first, end - first) == b"\xa5" * (end - first), "a neighbour was written"
print(f"{launches} launches, all as expected")
