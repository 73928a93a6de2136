import ctypes
import os

cuda = ctypes.CDLL(os.environ.get("PTXRUN_LIBRARY", "libcuda.so.1"))

# Three functions have the name of their second version: cuda.h hides that from programs in C.
cuda.cuCtxCreate, cuda.cuMemAlloc, cuda.cuMemFree = cuda.cuCtxCreate_v2, cuda.cuMemAlloc_v2, cuda.cuMemFree_v2
cuda.cuMemcpyHtoD, cuda.cuMemcpyDtoH = cuda.cuMemcpyHtoD_v2, cuda.cuMemcpyDtoH_v2


def check(result):
    if result != 0:
        name = ctypes.c_char_p()
        cuda.cuGetErrorName(result, ctypes.byref(name))
        raise RuntimeError(name.value.decode())


SCALE = b"""
.version 7.8
.target sm_80
.address_size 64
.visible .entry scale(.param .u64 data, .param .f32 by, .param .u32 count) {
  .reg .pred %p; .reg .b32 %r<3>; .reg .f32 %f<3>; .reg .b64 %d<3>;
  ld.param.u64 %d1, [data]; ld.param.f32 %f1, [by]; ld.param.u32 %r2, [count];
  mov.u32 %r1, %tid.x; setp.ge.u32 %p, %r1, %r2; @%p ret;
  mul.wide.u32 %d2, %r1, 4; add.s64 %d1, %d1, %d2;
  ld.global.f32 %f2, [%d1]; mul.rn.f32 %f2, %f2, %f1; st.global.f32 [%d1], %f2; ret;
}
"""

context, module, scale, data = (ctypes.c_void_p() for _ in range(4))
check(cuda.cuInit(0))
check(cuda.cuCtxCreate(ctypes.byref(context), 0, 0))
check(cuda.cuModuleLoadData(ctypes.byref(module), SCALE))
check(cuda.cuModuleGetFunction(ctypes.byref(scale), module, b"scale"))

numbers = (ctypes.c_float * 5)(1, 2, 3, 4, 5)
check(cuda.cuMemAlloc(ctypes.byref(data), ctypes.c_size_t(ctypes.sizeof(numbers))))
check(cuda.cuMemcpyHtoD(data, numbers, ctypes.c_size_t(ctypes.sizeof(numbers))))


def launch(count):
    values = (data, ctypes.c_float(0.5), ctypes.c_uint32(count))
    pointers = (ctypes.c_void_p * len(values))(*(ctypes.addressof(value) for value in values))
    check(cuda.cuLaunchKernel(scale, 1, 1, 1, 32, 1, 1, 0, None, pointers, None))
    check(cuda.cuCtxSynchronize())


launch(5)
check(cuda.cuMemcpyDtoH(numbers, data, ctypes.c_size_t(ctypes.sizeof(numbers))))
print(list(numbers))
try:
    launch(6)
except RuntimeError as error:
    print(error)
