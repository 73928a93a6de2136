// builds: sm_90a.O3 sm_90a.G sm_100a.O3
// A map that the kernel itself changes, and what sm_100 adds: rows gathered and scattered four at a time.

#include <cuda/ptx>
#include <cuda.h>
namespace ptx = cuda::ptx;
typedef unsigned Word;

// One map for many matrices: address, width and row stride are replaced in a copy in shared memory, which then goes to global memory.
extern "C" __global__ void map_replace(const __grid_constant__ CUtensorMap first, CUtensorMap* room, const Word* matrices, Word* out, int width, int height) {
  __shared__ alignas(128) CUtensorMap map;
  __shared__ alignas(128) Word tile[16 * 16];
  __shared__ uint64_t full;
  const Word lane = threadIdx.x;
  CUtensorMap* own = room + blockIdx.x;
  reinterpret_cast<Word*>(&map)[lane] = reinterpret_cast<const Word*>(&first)[lane];
  __syncwarp();
  if (lane == 0) {
    ptx::tensormap_replace_global_address(ptx::space_shared, &map, matrices + blockIdx.x * width * height);
    ptx::tensormap_replace_global_dim(ptx::space_shared, &map, ptx::n32_t<0>(), width - blockIdx.x);
    ptx::tensormap_replace_global_dim(ptx::space_shared, &map, ptx::n32_t<1>(), height);
    ptx::tensormap_replace_global_stride(ptx::space_shared, &map, ptx::n32_t<0>(), (uint64_t)width * 4);
    ptx::mbarrier_init(&full, 1);
    ptx::fence_proxy_async(ptx::space_shared);
  }
  __syncwarp();
  ptx::tensormap_cp_fenceproxy(ptx::sem_release, ptx::scope_gpu, own, &map, ptx::n32_t<128>());
  ptx::fence_proxy_tensormap_generic(ptx::sem_acquire, ptx::scope_gpu, own, ptx::n32_t<128>());
  __syncwarp();
  if (lane == 0) {
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full, sizeof tile);
    ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, tile, own, {width - 8, (int)blockIdx.x}, &full);
  }
  while (!ptx::mbarrier_try_wait_parity(&full, 0)) {}
  for (int i = lane; i < 256; i += 32) out[blockIdx.x * 256 + i] = tile[i];
}

#ifdef __CUDA_ARCH_FEAT_SM100_ALL
extern "C" __global__ void tile_gather(const __grid_constant__ CUtensorMap from, const __grid_constant__ CUtensorMap to, const int* rows, int column) {
  __shared__ alignas(1024) Word tile[4][32];
  __shared__ uint64_t full;
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&full, 1);
    ptx::fence_proxy_async(ptx::space_shared);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full, sizeof tile);
    ptx::cp_async_bulk_tensor_tile_gather4(ptx::space_shared, ptx::space_global, tile, &from, {column, rows[0], rows[1], rows[2], rows[3]}, &full);
  }
  __syncwarp();
  while (!ptx::mbarrier_try_wait_parity(&full, 0)) {}
  for (int i = 0; i < 4; i++) tile[i][threadIdx.x] += 1000000 * (i + 1);
  ptx::fence_proxy_async(ptx::space_shared);
  __syncwarp();
  if (threadIdx.x == 0) {
    ptx::cp_async_bulk_tensor_tile_scatter4(ptx::space_global, ptx::space_shared, &to, {column, rows[4], rows[5], rows[6], rows[7]}, tile);
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
  }
}
#endif
