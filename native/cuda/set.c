#include <string.h>

#include "calls.h"
#include "driver.h"
#include "graph/capture.h"
#include "ranges.h"
#include "target.h"

/* Memory of this process, which it sets by itself. */
static CUresult set_here(uint64_t address, uint32_t value, uint32_t width, uint64_t count, uint64_t rows, uint64_t pitch) {
  NEEDS(ranges_take(address, address + (rows - 1) * pitch + count * width));
  for (uint64_t row = 0; row < rows; row++)
    for (uint64_t i = 0; i < count; i++)
      memcpy((void *)(uintptr_t)(address + row * pitch + i * width), &value, width);
  return CUDA_SUCCESS;
}

static CUresult set_rows(CUdeviceptr address, uint32_t value, uint32_t width, size_t count, size_t rows, size_t pitch) {
  NEEDS(address % width == 0);
  if (count == 0 || rows == 0) return CUDA_SUCCESS;
  const struct range *range = range_at(address);
  bool here = range != NULL && range->kind != DEVICE_RANGE;
  uint64_t most = here ? (uint64_t)1 << 46 : device_memory();
  NEEDS(count <= most && rows <= most && pitch <= most && (rows == 1 || pitch <= most / rows));
  NEEDS(rows == 1 || (pitch >= count * width && pitch % width == 0));
  if (here) return set_here(address, value, width, count, rows, pitch);
  uint32_t what[2] = {value, width};
  uint64_t where = address, words[3] = {count, rows, pitch};
  struct part parts[] = {{&where, sizeof where}, {what, sizeof what}, {words, sizeof words}};
  return call_for(CALL_SET, parts, 3, NULL, 0);
}

static CUresult set_now(CUdeviceptr address, uint32_t value, uint32_t width, size_t count, size_t rows, size_t pitch) {
  NEEDS_CONTEXT(context);
  TRY(capture_legacy());
  return set_rows(address, value, width, count, rows, pitch);
}

static CUresult capture(CUstream stream, CUdeviceptr address, uint32_t value, uint32_t width, size_t count, size_t rows,
                        size_t pitch) {
  CUgraphNodeParams params = {.type = CU_GRAPH_NODE_TYPE_MEMSET, .memset = {address, pitch, value, width, count, rows, NULL}};
  return count == 0 || rows == 0 ? CUDA_SUCCESS : capture_node(stream, &params, NULL);
}

static CUresult set_in(CUstream stream, CUdeviceptr address, uint32_t value, uint32_t width, size_t count, size_t rows,
                       size_t pitch) {
  NEEDS_CONTEXT(context);
  IN_STREAM(stream, capture(stream, address, value, width, count, rows, pitch));
  return set_rows(address, value, width, count, rows, pitch);
}

#define SETS(bits, type)                                                                                            \
  API CUresult cuMemsetD##bits##_v2(CUdeviceptr address, type value, size_t count) {                                \
    return set_now(address, value, sizeof value, count, 1, 0);                                                      \
  }                                                                                                                 \
  ALSO(cuMemsetD##bits##_v2, cuMemsetD##bits##_v2_ptds);                                                            \
  API CUresult cuMemsetD2D##bits##_v2(CUdeviceptr address, size_t pitch, type value, size_t width, size_t height) { \
    return set_now(address, value, sizeof value, width, height, pitch);                                             \
  }                                                                                                                 \
  ALSO(cuMemsetD2D##bits##_v2, cuMemsetD2D##bits##_v2_ptds);                                                        \
  API CUresult cuMemsetD##bits##Async(CUdeviceptr address, type value, size_t count, CUstream stream) {             \
    return set_in(stream, address, value, sizeof value, count, 1, 0);                                               \
  }                                                                                                                 \
  ALSO(cuMemsetD##bits##Async, cuMemsetD##bits##Async_ptsz);                                                        \
  API CUresult cuMemsetD2D##bits##Async(CUdeviceptr address, size_t pitch, type value, size_t width, size_t height, \
                                        CUstream stream) {                                                          \
    return set_in(stream, address, value, sizeof value, width, height, pitch);                                      \
  }                                                                                                                 \
  ALSO(cuMemsetD2D##bits##Async, cuMemsetD2D##bits##Async_ptsz);

SETS(8, unsigned char)
SETS(16, unsigned short)
SETS(32, unsigned int)
