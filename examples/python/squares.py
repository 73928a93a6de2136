import ctypes
import os

os.environ.setdefault("PTXRUN_ON_ERROR", "continue")
lib = ctypes.CDLL(os.environ["PTXRUN_LIBRARY"])
lib.ptxrun_error.restype = ctypes.c_char_p


def launch(source, args, block=(1, 1, 1), grid=(1, 1, 1), shared=0):
    values = (ctypes.c_void_p * len(args))(*args)
    lib.ptx_run(source, len(args), values, *block, *grid, shared)
    error = lib.ptxrun_error()
    if error is not None:
        raise RuntimeError(error.decode())


SQUARES = b"""
.version 7.8
.target sm_86
.address_size 64
.visible .entry squares(.param .u64 to) {
  .reg .b32 %r<3>; .reg .b64 %d<3>;
  ld.param.u64 %d1, [to]; mov.u32 %r1, %tid.x; mul.wide.u32 %d2, %r1, 4; add.s64 %d1, %d1, %d2;
  mul.lo.u32 %r2, %r1, %r1; st.global.u32 [%d1], %r2; ret;
}
"""

numbers = (ctypes.c_uint32 * 8)()
launch(SQUARES, [ctypes.addressof(numbers)], block=(8, 1, 1))
print(list(numbers))
try:
    launch(SQUARES, [0], block=(8, 1, 1))
except RuntimeError as error:
    print(str(error).splitlines()[1])
