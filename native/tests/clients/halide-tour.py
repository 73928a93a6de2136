"""Halide's blur, product, histogram and functions, scheduled on CUDA, against the same on the CPU."""
import halide as hl
import numpy as np

gpu = hl.Target("x86-64-linux-cuda-cuda_capability_61")
# Not "host": what LLVM makes for the newest processors does not run in every machine.
cpu = hl.Target("x86-64-linux")
random = np.random.default_rng(1)
x, y, xi, yi = hl.Var("x"), hl.Var("y"), hl.Var("xi"), hl.Var("yi")


def realize(function, extents, target):
    return np.array(function.realize(list(extents), target))


def compare(name, make, extents, bound):
    """`make(on_gpu)` gives the function with its schedule."""
    got, wanted = (realize(make(on_gpu), extents, gpu if on_gpu else cpu) for on_gpu in (True, False))
    off = np.max(np.abs(got.astype(np.float64) - wanted) / np.maximum(np.abs(wanted.astype(np.float64)), 1e-30))
    assert got.shape == wanted.shape and off <= bound, f"{name}: off by {off}"
    print(name, "exact" if bound == 0 else f"within {bound}")


image = hl.Buffer(random.integers(0, 65536, (140, 100)).astype(np.uint16))


def blur(on_gpu):
    clamped = hl.BoundaryConditions.repeat_edge(image)
    across, down = hl.Func("across"), hl.Func("down")
    across[x, y] = (clamped[x, y] + clamped[x + 1, y] + clamped[x + 2, y]) / 3
    down[x, y] = (across[x, y] + across[x, y + 1] + across[x, y + 2]) / 3
    if on_gpu:
        down.gpu_tile(x, y, xi, yi, 16, 8)
        across.compute_at(down, x).gpu_threads(x, y)
    return down


compare("blur", blur, (140, 100), 0)

a = hl.Buffer(random.random((32, 32), dtype=np.float32))
b = hl.Buffer(random.random((32, 32), dtype=np.float32))


def product(on_gpu):
    sum, k = hl.Func("sum"), hl.RDom([(0, 32)])
    sum[x, y] = 0.0
    sum[x, y] += a[k.x, y] * b[x, k.x]
    out = hl.Func("out")
    out[x, y] = sum[x, y]
    if on_gpu:
        out.gpu_tile(x, y, xi, yi, 8, 8)
        sum.compute_at(out, xi)
    return out


compare("product", product, (32, 32), 1e-5)


def histogram(on_gpu):
    bins, r = hl.Func("bins"), hl.RDom([(0, 140), (0, 100)])
    bins[x] = 0
    bins[hl.i32(image[r.x, r.y] / 4096)] += 1
    if on_gpu:
        bins.gpu_tile(x, xi, 16)
        bins.update(0).atomic().gpu_tile(r.x, r.y, hl.RVar("rxi"), hl.RVar("ryi"), 16, 8)
    return bins


compare("histogram", histogram, (16,), 0)


def functions(on_gpu):
    out = hl.Func("functions")
    at = (x + 1) / 100.0
    out[x] = hl.sin(at) + hl.exp(-at) * hl.pow(at, 1.5) + hl.sqrt(at)
    if on_gpu:
        out.gpu_tile(x, xi, 32)
    return out


compare("functions", functions, (256,), 5e-6)
