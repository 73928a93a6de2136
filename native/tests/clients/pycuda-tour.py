"""PyCUDA's arrays, own kernels, reductions, scans and streams against numpy."""
import numpy as np
import pycuda.autoinit
import pycuda.cumath as cumath
import pycuda.driver as cuda
import pycuda.gpuarray as gpuarray
from pycuda.compiler import SourceModule
from pycuda.elementwise import ElementwiseKernel
from pycuda.reduction import ReductionKernel
from pycuda.scan import ExclusiveScanKernel, InclusiveScanKernel

random = np.random.default_rng(1)
a = random.random(1000, dtype=np.float32)
b = random.random(1000, dtype=np.float32)
on_a, on_b = gpuarray.to_gpu(a), gpuarray.to_gpu(b)


def same(name, got, wanted):
    assert np.array_equal(got, wanted), f"{name}: {got} is not {wanted}"
    print(name, "exact")


def close(name, got, wanted, bound):
    off = np.max(np.abs(got - wanted) / np.maximum(np.abs(wanted), 1e-30))
    assert off <= bound, f"{name}: off by {off}"
    print(name, "within", bound)


same("gpuarray", (on_a + on_b).get(), a + b)
same("scaled", (2 * on_a).get(), 2 * a)
same("integers", (gpuarray.arange(100, dtype=np.int32) // 7).get(), np.arange(100, dtype=np.int32) // 7) if hasattr(
    gpuarray.GPUArray, "__floordiv__"
) else None
for name in ("sin", "exp", "log", "sqrt"):
    close(f"cumath.{name}", getattr(cumath, name)(on_a).get(), getattr(np, name)(a.astype(np.float64)), 1e-6)

saxpy = ElementwiseKernel("float x, float *a, float *b, float *c", "c[i] = x * a[i] + b[i]", "saxpy")
on_c = gpuarray.empty_like(on_a)
saxpy(np.float32(3), on_a, on_b, on_c)
close("ElementwiseKernel", on_c.get(), 3 * a.astype(np.float64) + b, 1e-6)

dot = ReductionKernel(np.float32, "0", "a + b", "x[i] * y[i]", "float *x, float *y")
close("ReductionKernel", dot(on_a, on_b).get(), np.dot(a.astype(np.float64), b), 1e-5)
same("max", gpuarray.max(on_a).get(), a.max())
close("sum", gpuarray.sum(on_a).get(), a.astype(np.float64).sum(), 1e-5)

numbers = random.integers(0, 100, 5000).astype(np.int32)
on_numbers = gpuarray.to_gpu(numbers)
InclusiveScanKernel(np.int32, "a + b")(on_numbers)
same("InclusiveScanKernel", on_numbers.get(), np.cumsum(numbers, dtype=np.int32))
on_numbers = gpuarray.to_gpu(numbers)
ExclusiveScanKernel(np.int32, "a + b", neutral=0)(on_numbers)
same("ExclusiveScanKernel", on_numbers.get(), np.cumsum(numbers, dtype=np.int32) - numbers)

module = SourceModule(
    """
__constant__ float weights[3];
__device__ int seen;
__global__ void blur(const float *from, float *to, int n) {
  __shared__ float near[66];
  int i = blockIdx.x * 64 + threadIdx.x;
  near[threadIdx.x + 1] = i < n ? from[i] : 0;
  if (threadIdx.x == 0) near[0] = i > 0 ? from[i - 1] : 0;
  if (threadIdx.x == 63) near[65] = i + 1 < n ? from[i + 1] : 0;
  __syncthreads();
  if (i >= n) return;
  to[i] = weights[0] * near[threadIdx.x] + weights[1] * near[threadIdx.x + 1] + weights[2] * near[threadIdx.x + 2];
  atomicAdd(&seen, 1);
}
"""
)
weights = np.array([0.25, 0.5, 0.25], np.float32)
cuda.memcpy_htod(module.get_global("weights")[0], weights)
cuda.memset_d32(module.get_global("seen")[0], 0, 1)
to = np.empty_like(a)
module.get_function("blur")(cuda.In(a), cuda.Out(to), np.int32(1000), block=(64, 1, 1), grid=(16, 1))
padded = np.concatenate(([0], a, [0])).astype(np.float64)
close("SourceModule", to, padded[:-2] / 4 + padded[1:-1] / 2 + padded[2:] / 4, 1e-6)
seen = np.zeros(1, np.int32)
cuda.memcpy_dtoh(seen, module.get_global("seen")[0])
same("atomics", seen, [1000])

stream = cuda.Stream()
pinned = cuda.pagelocked_empty(1000, np.float32)
start, end = cuda.Event(), cuda.Event()
start.record(stream)
on_c.set_async(a, stream)
cuda.memcpy_dtoh_async(pinned, on_c.gpudata, stream)
end.record(stream)
stream.synchronize()
same("streams", pinned, a)
assert end.time_since(start) >= 0
