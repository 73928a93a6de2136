"""A client in Python: what frameworks do by ctypes. Its argument is the folder of the library."""

import ctypes
import os
import struct
import sys

os.environ["PTXRUN_ON_ERROR"] = "continue"
folder = sys.argv[1]
extension = "dylib" if sys.platform == "darwin" else "so"
lib = ctypes.CDLL(os.path.join(folder, "libgpuocelot." + extension))
lib.ptx_run.argtypes = [ctypes.c_char_p, ctypes.c_int, ctypes.POINTER(ctypes.c_void_p)] + [ctypes.c_int] * 7
lib.ptx_run.restype = None
lib.ptxrun_error.restype = ctypes.c_char_p


def launch(source, args, block=(1, 1, 1), grid=(1, 1, 1), shared=0):
    values = (ctypes.c_void_p * len(args))(*args)
    lib.ptx_run(source, len(args), values, *block, *grid, shared)
    error = lib.ptxrun_error()
    if error is not None:
        raise RuntimeError(error.decode())


HALF = b""".version 7.8
.target sm_86
.address_size 64
.visible .entry fma_half(.param .u64 data0, .param .u64 data1) {
  .reg .b32 %r<4>; .reg .b64 %rd<5>;
  ld.param.u64 %rd1, [data0]; ld.param.u64 %rd2, [data1];
  mov.u32 %r1, %tid.x; mul.wide.u32 %rd3, %r1, 4; add.s64 %rd1, %rd1, %rd3; add.s64 %rd2, %rd2, %rd3;
  ld.global.b32 %r2, [%rd2]; fma.rn.f16x2 %r3, %r2, %r2, %r2; st.global.b32 [%rd1], %r3;
  ret;
}
"""

MMA = b""".version 7.8
.target sm_86
.address_size 64
.visible .entry mma(.param .u64 data0, .param .b32 scale) {
  .reg .b32 %r<8>; .reg .f32 %f<9>; .reg .b64 %rd<5>;
  ld.param.u64 %rd1, [data0]; ld.param.b32 %r7, [scale];
  mov.u32 %r1, %tid.x; mul.wide.u32 %rd3, %r1, 16; add.s64 %rd1, %rd1, %rd3;
  mov.b32 %r2, 0x3c003c00; mov.f32 %f5, 0f3f800000;
  mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1, %f2, %f3, %f4}, {%r2, %r2, %r2, %r2}, {%r7, %r7}, {%f5, %f5, %f5, %f5};
  st.global.v4.f32 [%rd1], {%f1, %f2, %f3, %f4};
  ret;
}
"""

# Halves in memory that Python has for its own, in the middle of a buffer; all results are exact.
numbers = [float(i % 40) for i in range(64)]
data = ctypes.create_string_buffer(b"\xa5" * 32 + struct.pack("<64e", *numbers) + b"\xa5" * 32, 192)
result = ctypes.create_string_buffer(b"\x5a" * 192, 192)
launch(HALF, [ctypes.addressof(result) + 32, ctypes.addressof(data) + 32], block=(32, 1, 1))
assert list(struct.unpack("<64e", result.raw[32:160])) == [x * x + x for x in numbers]
assert result.raw[:32] == result.raw[160:] == b"\x5a" * 32

# A warp's matrices: 16 products of 1 and 2, and 1. Bits above a parameter of 32 are nobody's.
tile = (ctypes.c_float * 128)()
launch(MMA, [ctypes.addressof(tile), 0xFFFF_FFFF_4000_4000], block=(32, 1, 1))
assert list(tile) == [33.0] * 128

# A negative number, as ctypes makes it an address; and one launch after another on the same array.
STORE = b""".version 7.5
.target sm_35
.address_size 64
.visible .entry store(.param .u64 to, .param .s32 value) {
  .reg .b32 %r; .reg .b64 %rd;
  ld.param.u64 %rd, [to]; ld.param.s32 %r, [value]; st.global.s32 [%rd], %r; ret;
}
"""
array = (ctypes.c_int32 * 100)()
for i in range(100):
    launch(STORE, [ctypes.addressof(array) + 4 * i, -i])
assert list(array) == [-i for i in range(100)]

# A failure is an exception, and the next launch does not know of it.
try:
    launch(STORE, [0x10, 1])
except RuntimeError as error:
    assert "PTX3002" in str(error) and "st.global.s32 [%rd], %r" in str(error), error
else:
    raise AssertionError("a store to address 0x10 went well")
launch(STORE, [ctypes.addressof(array), 5])
assert array[0] == 5

# A forked child has a worker of its own.
child = os.fork()
if child == 0:
    launch(STORE, [ctypes.addressof(array), 6])
    os._exit(0 if array[0] == 6 else 1)
assert os.waitpid(child, 0)[1] == 0 and array[0] == 5
print("all as expected")
