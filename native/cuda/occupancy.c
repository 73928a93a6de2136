/* How many blocks a multiprocessor holds, by threads and shared memory: registers are not counted, they are the compiler's. */
#include "driver.h"
#include "modules.h"
#include "target.h"

static int least(int a, int b) { return a < b ? a : b; }

/* The system's own shared memory of a block, from sm_80 on. */
static int reserved(void) { return target()->number >= 80 ? 1024 : 0; }

static int blocks_of(CUfunction function, int threads, size_t dynamic) {
  const struct target *t = target();
  int resident = (threads + 31) / 32 * 32;
  if (threads > function->most_threads || dynamic + (size_t)function->shared > (size_t)t->shared_block) return 0;
  int shared = function->shared + (int)dynamic + reserved();
  int blocks = least(t->blocks, t->threads / resident);
  return shared == 0 ? blocks : least(blocks, t->shared / shared);
}

API CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, CUfunction function, int threads, size_t dynamic,
                                                                  unsigned flags) {
  NEEDS_CONTEXT(context);
  NEEDS(blocks != NULL && threads > 0 && flags <= 1);
  NEEDS_FUNCTION(function);
  *blocks = blocks_of(function, threads, dynamic);
  return CUDA_SUCCESS;
}

API CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction function, int threads, size_t dynamic) {
  return cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, threads, dynamic, 0);
}

API CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int *grid, int *block, CUfunction function, CUoccupancyB2DSize shared_of,
                                                       size_t dynamic, int limit, unsigned flags) {
  NEEDS_CONTEXT(context);
  NEEDS(grid != NULL && block != NULL && limit >= 0 && flags <= 1);
  NEEDS_FUNCTION(function);
  int most = function->most_threads, best = 0, multiprocessors;
  if (limit > 0) most = least(most, limit);
  TRY(cuDeviceGetAttribute(&multiprocessors, 16, 0));
  *grid = *block = 0;
  for (int threads = most; threads > 0; threads = (threads - 1) / 32 * 32) {
    int blocks = blocks_of(function, threads, shared_of == NULL ? dynamic : shared_of(threads));
    if (blocks * threads <= best) continue;
    best = blocks * threads;
    *block = threads;
    *grid = blocks * multiprocessors;
  }
  return best == 0 ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

API CUresult cuOccupancyMaxPotentialBlockSize(int *grid, int *block, CUfunction function, CUoccupancyB2DSize shared_of,
                                              size_t dynamic, int limit) {
  return cuOccupancyMaxPotentialBlockSizeWithFlags(grid, block, function, shared_of, dynamic, limit, 0);
}

API CUresult cuOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, CUfunction function, int blocks, int threads) {
  NEEDS_CONTEXT(context);
  NEEDS(bytes != NULL && blocks > 0 && threads > 0);
  NEEDS_FUNCTION(function);
  const struct target *t = target();
  NEEDS(blocks <= least(t->blocks, t->threads / ((threads + 31) / 32 * 32)));
  int each = least(t->shared / blocks - reserved(), t->shared_block) - function->shared;
  *bytes = each > 0 ? (size_t)each : 0;
  return CUDA_SUCCESS;
}

static CUresult cluster_of(const CUlaunchConfig *config, CUfunction function, int *size) {
  unsigned blocks = 1;
  for (int i = 0; i < 3; i++)
    if (function->cluster[i] > 0) blocks *= function->cluster[i];
  NEEDS(config->numAttrs == 0 || config->attrs != NULL);
  for (unsigned i = 0; i < config->numAttrs; i++)
    if (config->attrs[i].id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION)
      blocks = config->attrs[i].value.clusterDim.x * config->attrs[i].value.clusterDim.y * config->attrs[i].value.clusterDim.z;
  NEEDS(blocks > 0);
  if (blocks > (function->non_portable ? 16u : 8u)) return CUDA_ERROR_INVALID_CLUSTER_SIZE;
  *size = (int)blocks;
  return CUDA_SUCCESS;
}

API CUresult cuOccupancyMaxActiveClusters(int *clusters, CUfunction function, const CUlaunchConfig *config) {
  NEEDS_CONTEXT(context);
  NEEDS(clusters != NULL && config != NULL);
  NEEDS_FUNCTION(function);
  if (!target()->clusters) return CUDA_ERROR_NOT_SUPPORTED;
  int size, multiprocessors;
  TRY(cluster_of(config, function, &size));
  TRY(cuDeviceGetAttribute(&multiprocessors, 16, 0));
  unsigned threads = config->blockDimX * config->blockDimY * config->blockDimZ;
  NEEDS(threads > 0 && threads <= 1024);
  *clusters = blocks_of(function, (int)threads, config->sharedMemBytes) * multiprocessors / size;
  return CUDA_SUCCESS;
}

API CUresult cuOccupancyMaxPotentialClusterSize(int *size, CUfunction function, const CUlaunchConfig *config) {
  NEEDS_CONTEXT(context);
  NEEDS(size != NULL && config != NULL);
  NEEDS_FUNCTION(function);
  if (!target()->clusters) return CUDA_ERROR_NOT_SUPPORTED;
  *size = function->non_portable ? 16 : 8;
  return CUDA_SUCCESS;
}
