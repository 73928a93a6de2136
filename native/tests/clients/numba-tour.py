"""Numba's kernels, ufuncs, reductions, warps, random numbers and streams against numpy."""
import math
import os
import sys
import warnings

import numpy as np
from numba import cuda, float32, float64, guvectorize, int32, vectorize
from numba.cuda.random import create_xoroshiro128p_states, xoroshiro128p_uniform_float32

warnings.simplefilter("ignore")
random = np.random.default_rng(1)


def same(name, got, wanted):
    assert np.array_equal(got, wanted), f"{name}: {got} is not {wanted}"
    print(name, "exact")


def close(name, got, wanted, bound):
    off = np.max(np.abs(got - wanted) / np.maximum(np.abs(wanted), 1e-30))
    assert off <= bound, f"{name}: off by {off}"
    print(name, "within", bound)


@cuda.jit
def product(a, b, c):
    near_a = cuda.shared.array((8, 8), float32)
    near_b = cuda.shared.array((8, 8), float32)
    x, y = cuda.grid(2)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    sum = float32(0)
    for k in range(a.shape[1] // 8):
        near_a[tx, ty] = a[x, ty + k * 8]
        near_b[tx, ty] = b[tx + k * 8, y]
        cuda.syncthreads()
        for j in range(8):
            sum += near_a[tx, j] * near_b[j, ty]
        cuda.syncthreads()
    c[x, y] = sum


a, b, c = (random.integers(0, 100, (32, 32)).astype(np.float32) for _ in range(3))
product[(4, 4), (8, 8)](a, b, c)
same("shared memory", c, a @ b)


@cuda.jit
def histogram(from_, bins, least):
    i = cuda.grid(1)
    if i < from_.size:
        cuda.atomic.add(bins, from_[i] % bins.size, 1)
        cuda.atomic.min(least, 0, from_[i])


numbers = random.integers(10, 1000, 2000).astype(np.int32)
bins, least = np.zeros(16, np.int32), np.full(1, 5000, np.int32)
histogram[8, 256](numbers, bins, least)
same("atomics", bins, np.bincount(numbers % 16, minlength=16))
same("atomic minimum", least, [numbers.min()])


@cuda.reduce
def add(a, b):
    return a + b


same("reduce", add(numbers.astype(np.float64)), numbers.sum())


@cuda.jit
def functions(x, to):
    i = cuda.grid(1)
    if i < x.size:
        to[i] = math.sin(x[i]) * math.exp(x[i]) + math.sqrt(x[i]) + math.pow(x[i], 1.5) + math.erf(x[i])


x = random.random(256)
to = np.zeros(256)
functions[1, 256](x, to)
wanted = np.sin(x) * np.exp(x) + np.sqrt(x) + np.power(x, 1.5) + np.array([math.erf(each) for each in x])
close("64-bit functions", to, wanted, 1e-14)


@vectorize([float64(float64, float64)], target="cuda")
def hypotenuse(a, b):
    return math.sqrt(a * a + b * b)


close("vectorize", hypotenuse(x, 2 * x), np.sqrt(5) * x, 1e-15)


@guvectorize([(float64[:], float64[:])], "(n)->()", target="cuda")
def total(row, to):
    to[0] = 0
    for each in row:
        to[0] += each


close("guvectorize", total(x.reshape(16, 16)), x.reshape(16, 16).sum(axis=1), 1e-14)


@cuda.jit
def warps(to, votes):
    lane = cuda.laneid
    value = lane
    for shift in (16, 8, 4, 2, 1):
        value += cuda.shfl_down_sync(0xFFFFFFFF, value, shift)
    to[lane] = cuda.shfl_sync(0xFFFFFFFF, value, 0)
    votes[lane] = cuda.ballot_sync(0xFFFFFFFF, lane % 3 == 0)


sums, votes = np.zeros(32, np.int32), np.zeros(32, np.uint32)
warps[1, 32](sums, votes)
same("shuffles", sums, np.full(32, 496))
same("votes", votes, np.full(32, sum(1 << lane for lane in range(0, 32, 3)), np.uint32))


@cuda.jit
def pi(states, to, rounds):
    i = cuda.grid(1)
    inside = 0
    for _ in range(rounds):
        x = xoroshiro128p_uniform_float32(states, i)
        y = xoroshiro128p_uniform_float32(states, i)
        if x * x + y * y <= 1:
            inside += 1
    to[i] = 4 * inside / rounds


states = create_xoroshiro128p_states(128, seed=1)
estimates = np.zeros(128, np.float32)
pi[2, 64](states, estimates, 100)
assert abs(estimates.mean() - math.pi) < 0.1
print("random numbers", estimates.mean())


@cuda.jit
def fill(to, value):
    i = cuda.grid(1)
    to[i] = value


stream = cuda.stream()
on = cuda.device_array(64, np.int32, stream=stream)
fill[1, 64, stream](on, int32(7))
got = on.copy_to_host(stream=stream)
stream.synchronize()
same("streams", got, np.full(64, 7))


@cuda.jit(debug=True, opt=False)
def checked(to):
    if to[cuda.threadIdx.x] == 0:
        raise ValueError("a zero")


try:
    checked[1, 4](np.array([1, 2, 0, 3]))
except ValueError as error:
    print("exceptions:", error)
else:
    raise AssertionError("an exception of a kernel went unnoticed")

try:
    fill[1, 64](cuda.to_device(np.zeros(8, np.int32)), int32(7))
    cuda.synchronize()
except cuda.cudadrv.driver.CudaAPIError as error:
    assert error.code == 700
    print("bounds:", error)
else:
    raise AssertionError("a store out of bounds went unnoticed")
# The context is lost, as on a GPU: what Numba frees at its end would fail.
sys.stdout.flush()
os._exit(0)
