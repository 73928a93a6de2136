"""libgpuarray's arrays by its Python module: elementwise kernels, reductions, slices and copies against numpy."""
import numpy as np
import pygpu
from pygpu import elemwise, gpuarray
from pygpu.reduction import ReductionKernel

context = pygpu.init("cuda0")
random = np.random.default_rng(1)
a, b = (random.random((20, 30), dtype=np.float32) for _ in range(2))
on_a, on_b = (gpuarray.array(each, context=context) for each in (a, b))


def same(name, got, wanted):
    assert np.array_equal(np.asarray(got), wanted), f"{name}: {np.asarray(got)} is not {wanted}"
    print(name, "exact")


same("a sum", elemwise.elemwise2(on_a, "+", on_b, on_a), a + b)
same("a sign", elemwise.elemwise1(on_a, "-"), -a)
same("a comparison", elemwise.compare(on_a, "<", on_b), a < b)
same("a slice", on_a[2:7, ::3], a[2:7, ::3])
same("a transposed copy", on_a.T.copy(), a.T)
same("a conversion", on_a.astype("float64"), a.astype(np.float64))
same("rows", on_a.take1(gpuarray.array(np.array([3, 1, 4]), context=context)), a[[3, 1, 4]])
for along in ((True, False), (False, True), (True, True)):
    axes = tuple(axis for axis, over in enumerate(along) if over)
    got = np.asarray(ReductionKernel(context, a.dtype, "0", "a + b", along)(on_a))
    off = np.max(np.abs(got / a.astype(np.float64).sum(axis=axes) - 1))
    assert off < 1e-6, f"a reduction of {axes} is off by {off}"
    print("a reduction of", axes, "within 1e-6")
