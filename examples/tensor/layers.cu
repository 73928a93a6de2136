// builds: sm_80.O3 sm_80.G sm_90.O3 sm_120.O3
// Other layers of a network: softmax, layer norm, convolution as a product, matrix by vector in a batch.

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>
namespace cg = cooperative_groups;
using namespace nvcuda;
typedef unsigned Word;
__device__ Word shared(const void* p) { return (Word)__cvta_generic_to_shared(p); }

// One warp a row, the row brought by cp.async; columns at least 1, any number up to 256.
extern "C" __global__ void softmax(const float* in, float* out, int columns) {
  __shared__ __align__(16) float rows[4][256];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const long row = (long)blockIdx.x * 4 + warp;
  float* mine = rows[warp];
  for (int i = lane; i < columns; i += 32)
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(shared(mine + i)), "l"(in + row * columns + i) : "memory");
  asm volatile("cp.async.wait_all;" ::: "memory");
  __syncwarp();
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  float top = -INFINITY, sum = 0;
  for (int i = lane; i < columns; i += 32) top = fmaxf(top, mine[i]);
  top = cg::reduce(tile, top, cg::greater<float>());
  for (int i = lane; i < columns; i += 32) sum += mine[i] = __expf(mine[i] - top);
  sum = cg::reduce(tile, sum, cg::plus<float>());
  for (int i = lane; i < columns; i += 32) out[row * columns + i] = mine[i] / sum;
}

// Mean and variance of a row of bf16, one block a row.
extern "C" __global__ void layer_norm(const __nv_bfloat16* in, const float* gain, const float* bias, __nv_bfloat16* out, int columns, float epsilon) {
  __shared__ float part[2][32];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
  const __nv_bfloat16* row = in + blockIdx.x * columns;
  float sum = 0, square = 0;
  for (int i = threadIdx.x; i < columns; i += blockDim.x) {
    const float x = __bfloat162float(row[i]);
    sum += x, square += x * x;
  }
  for (int i = 16; i; i /= 2) sum += __shfl_down_sync(~0u, sum, i), square += __shfl_down_sync(~0u, square, i);
  if (lane == 0) part[0][warp] = sum, part[1][warp] = square;
  __syncthreads();
  sum = square = 0;
  for (int i = 0; i < warps; i++) sum += part[0][i], square += part[1][i];
  const float mean = sum / columns, scale = rsqrtf(square / columns - mean * mean + epsilon);
  for (int i = threadIdx.x; i < columns; i += blockDim.x)
    out[blockIdx.x * columns + i] = __float2bfloat16_rn((__bfloat162float(row[i]) - mean) * scale * gain[i] + bias[i]);
}

// 3 x 3 convolution of an image with 16 channels (height, width, channel) to 16 channels: for each of the 9 weights, 16 pixels by
// 16 channels are multiplied by 16 x 16. Pixels outside are zeros. One warp has 16 neighbours of a row.
extern "C" __global__ void convolution(const half* image, const half* weights, float* out, int height, int width) {
  __shared__ __align__(32) half pixels[16 * 16];
  const int lane = threadIdx.x, y = blockIdx.y, x = blockIdx.x * 16;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> right;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0);
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++) {
      const int px = x + lane / 2 + dx, py = y + dy;
      const Word inside = px >= 0 && px < width && py >= 0 && py < height ? 16 : 0;
      const half* from = inside ? image + ((py * width + px) * 16 + lane % 2 * 8) : image;
      asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(shared(pixels + lane * 8)), "l"(from), "r"(inside) : "memory");
      asm volatile("cp.async.wait_all;" ::: "memory");
      __syncwarp();
      wmma::load_matrix_sync(left, pixels, 16);
      wmma::load_matrix_sync(right, weights + ((dy + 1) * 3 + dx + 1) * 256, 16);
      wmma::mma_sync(sum, left, right, sum);
      __syncwarp();
    }
  wmma::store_matrix_sync(out + (y * width + x) * 16, sum, 16, wmma::mem_row_major);
}

// y = A * x for each of a batch: a warp a row, 8 halves a lane at once.
extern "C" __global__ void gemv_batched(const half* a, const half* x, float* y, int rows, int columns) {
  const int lane = threadIdx.x % 32, row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, batch = blockIdx.y;
  if (row >= rows) return;
  const int4* left = (const int4*)(a + ((long)batch * rows + row) * columns);
  const int4* right = (const int4*)(x + (long)batch * columns);
  float sum = 0;
  for (int i = lane; i < columns / 8; i += 32) {
    const int4 p = __ldg(left + i), q = __ldg(right + i);
    const half2* u = (const half2*)&p;
    const half2* v = (const half2*)&q;
    for (int j = 0; j < 4; j++) {
      const float2 s = __half22float2(u[j]), t = __half22float2(v[j]);
      sum = fmaf(s.x, t.x, fmaf(s.y, t.y, sum));
    }
  }
  for (int i = 16; i; i /= 2) sum += __shfl_xor_sync(~0u, sum, i);
  if (lane == 0) y[batch * rows + row] = sum;
}
