// builds: sm_75.O3 sm_80.O3 sm_80.G sm_90.O3
// cuda::pipeline, cuda::memcpy_async and the __pipeline_ primitives: copies into shared memory that run while older data is used.
// On sm_75 the library copies by loads and stores; the results are the same.

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_pipeline_primitives.h>
namespace cg = cooperative_groups;

// out[i] = sum over rows r of (r + 1) * in[r][i], rows of 64 words, `Stages` of them in flight.
template <int Stages>
__device__ void staged(const unsigned* in, unsigned* out, int rows) {
  __shared__ __align__(16) unsigned stage[Stages][64];
  auto pipe = cuda::make_pipeline();
  const int me = threadIdx.x;
  unsigned sum = 0;
  int fetched = 0;
  for (int row = 0; row < rows; row++) {
    for (; fetched < rows && fetched < row + Stages; fetched++) {
      pipe.producer_acquire();
      cuda::memcpy_async(&stage[fetched % Stages][me], &in[fetched * 64 + me], sizeof(unsigned), pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    __syncthreads();
    sum += (row + 1) * stage[row % Stages][63 - me];
    __syncthreads();
    pipe.consumer_release();
  }
  out[me] = sum;
}
extern "C" __global__ void pipeline_two(const unsigned* in, unsigned* out, int rows) { staged<2>(in, out, rows); }
extern "C" __global__ void pipeline_four(const unsigned* in, unsigned* out, int rows) { staged<4>(in, out, rows); }

// The whole block shares one pipeline: 32 threads fetch, 64 others add up.
extern "C" __global__ void pipeline_roles(const unsigned* in, unsigned* out, int rows) {
  __shared__ __align__(16) unsigned stage[3][64];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 3> state;
  auto block = cg::this_thread_block();
  const auto role = threadIdx.x < 32 ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
  auto pipe = cuda::make_pipeline(block, &state, role);
  if (role == cuda::pipeline_role::producer) {
    for (int row = 0; row < rows; row++) {
      pipe.producer_acquire();
      cuda::memcpy_async(&stage[row % 3][threadIdx.x * 2], &in[row * 64 + threadIdx.x * 2], cuda::aligned_size_t<8>(8), pipe);
      pipe.producer_commit();
    }
  } else {
    unsigned sum = 0;
    for (int row = 0; row < rows; row++) {
      pipe.consumer_wait();
      sum += (row + 1) * stage[row % 3][63 - (threadIdx.x - 32)];
      pipe.consumer_release();
    }
    out[threadIdx.x - 32] = sum;
  }
}

// A group copies a row together, and waits for it alone.
extern "C" __global__ void group_copy(const unsigned* in, unsigned* out, int rows) {
  __shared__ __align__(16) unsigned stage[2][64];
  auto block = cg::this_thread_block();
  unsigned sum = 0;
  cg::memcpy_async(block, stage[0], in, cuda::aligned_size_t<16>(256));
  for (int row = 0; row < rows; row++) {
    if (row + 1 < rows) {
      cg::memcpy_async(block, stage[(row + 1) % 2], in + (row + 1) * 64, cuda::aligned_size_t<16>(256));
      cg::wait_prior<1>(block);
    } else
      cg::wait(block);
    sum += (row + 1) * stage[row % 2][63 - threadIdx.x];
    block.sync();
  }
  out[threadIdx.x] = sum;
}

// memcpy_async bound to a cuda::barrier: two buffers, a barrier each.
extern "C" __global__ void barrier_copy(const unsigned* in, unsigned* out, int rows) {
  using Barrier = cuda::barrier<cuda::thread_scope_block>;
  __shared__ __align__(16) unsigned stage[2][64];
  __shared__ Barrier full[2];
  auto block = cg::this_thread_block();
  if (threadIdx.x < 2) init(&full[threadIdx.x], blockDim.x);
  __syncthreads();
  cuda::memcpy_async(block, stage[0], in, cuda::aligned_size_t<16>(256), full[0]);
  unsigned sum = 0;
  for (int row = 0; row < rows; row++) {
    if (row + 1 < rows) cuda::memcpy_async(block, stage[(row + 1) % 2], in + (row + 1) * 64, cuda::aligned_size_t<16>(256), full[(row + 1) % 2]);
    full[row % 2].arrive_and_wait();
    sum += (row + 1) * stage[row % 2][63 - threadIdx.x];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// The C interface: pieces of 4, 8 and 16 bytes, the last bytes of a piece filled with zeros.
extern "C" __global__ void primitives(const unsigned* in, unsigned* out, int rows) {
  __shared__ __align__(16) unsigned small[2][64], middle[2][64], large[2][64];
  const int me = threadIdx.x;
  auto fetch = [&](int row) {
    const int half = row % 2;
    const unsigned* from = in + row * 64;
    __pipeline_memcpy_async(&small[half][me], from + me, 4, me % 3);
    if (me < 32) __pipeline_memcpy_async(&middle[half][me * 2], from + me * 2, 8, me % 2 * 4);
    if (me < 16) __pipeline_memcpy_async(&large[half][me * 4], from + me * 4, 16, me % 4 * 4);
    __pipeline_commit();
  };
  fetch(0);
  unsigned sum = 0;
  for (int row = 0; row < rows; row++) {
    if (row + 1 < rows) fetch(row + 1);
    else __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    const int half = row % 2, at = 63 - me;
    sum += (row + 1) * (small[half][at] + 3 * middle[half][at] + 5 * large[half][at]);
    __syncthreads();
  }
  out[me] = sum;
}
