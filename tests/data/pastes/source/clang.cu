// clang without CUDA's headers: what they define, as far as it is used here.
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define TID __nvvm_read_ptx_sreg_tid_x()
namespace ns { template <class T> __device__ __attribute__((noinline)) T twice(T x) { return x + x; } }
__global__ void scan(int const* in, int* out, int n) {
  __shared__ int row[32];
  int i = TID;
  row[i] = i < n ? in[i] : 0;
  for (int step = 1; step < 32; step *= 2) {
    __nvvm_bar_sync(0);
    int before = i >= step ? row[i - step] : 0;
    __nvvm_bar_sync(0);
    row[i] += before;
  }
  if (i < n) out[i] = ns::twice(row[i]);
}
