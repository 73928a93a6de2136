/* Words that a stream writes, and waits for. What a stream waits for has been written before, or is written by nobody. */
#include <string.h>

#include "../report.h"
#include "driver.h"
#include "graph/capture.h"

enum { GREATER_OR_EQUAL, EQUAL, AND, NOR };
#define FLUSH_TOO (1u << 30)

enum { WAIT_32 = 1, WRITE_32 = 2, FLUSH_WRITES = 3, WAIT_64 = 4, WRITE_64 = 5, BARRIER = 6 };

static CUresult write_value(CUstream stream, CUdeviceptr address, uint64_t value, size_t bytes, unsigned flags) {
  NEEDS_CONTEXT(context);
  IN_STREAM(stream, capture_cannot(stream));
  NEEDS(address != 0 && address % bytes == 0 && flags <= 1);
  return cuMemcpyHtoDAsync_v2(address, &value, bytes, stream);
}

static bool holds(uint64_t there, uint64_t value, size_t bytes, unsigned how) {
  /* Words of 32 bits in the upper halves, so that the sign is where it should be. */
  int up = bytes == 4 ? 32 : 0;
  there <<= up, value <<= up;
  switch (how) {
    case GREATER_OR_EQUAL: return (int64_t)(there - value) >= 0;
    case EQUAL: return there == value;
    case AND: return (there & value) != 0;
    default: return (~(there | value)) >> up != 0;
  }
}

static CUresult wait_value(CUstream stream, CUdeviceptr address, uint64_t value, size_t bytes, unsigned flags) {
  NEEDS_CONTEXT(context);
  uint64_t there = 0;
  IN_STREAM(stream, capture_cannot(stream));
  NEEDS(address != 0 && address % bytes == 0 && (flags & ~FLUSH_TOO) <= NOR);
  TRY(cuMemcpyDtoHAsync_v2(&there, address, bytes, stream));
  if (bytes == 4) value = (uint32_t)value;
  if (holds(there, value, bytes, flags & ~FLUSH_TOO)) return CUDA_SUCCESS;
  say("ptxrun: a stream waits for 0x%llx at 0x%llx, where 0x%llx is: streams run at once here, and cannot wait for what comes "
      "later\n",
      (unsigned long long)value, (unsigned long long)address, (unsigned long long)there);
  return CUDA_ERROR_NOT_SUPPORTED;
}

#define VALUES(bits)                                                                                                    \
  API CUresult cuStreamWriteValue##bits##_v2(CUstream stream, CUdeviceptr address, uint##bits##_t value, unsigned flags) { \
    return write_value(stream, address, value, sizeof value, flags);                                                    \
  }                                                                                                                     \
  ALSO(cuStreamWriteValue##bits##_v2, cuStreamWriteValue##bits##_v2_ptsz);                                              \
  ALSO(cuStreamWriteValue##bits##_v2, cuStreamWriteValue##bits);                                                        \
  ALSO(cuStreamWriteValue##bits##_v2, cuStreamWriteValue##bits##_ptsz);                                                 \
  API CUresult cuStreamWaitValue##bits##_v2(CUstream stream, CUdeviceptr address, uint##bits##_t value, unsigned flags) { \
    return wait_value(stream, address, value, sizeof value, flags);                                                     \
  }                                                                                                                     \
  ALSO(cuStreamWaitValue##bits##_v2, cuStreamWaitValue##bits##_v2_ptsz);                                                \
  ALSO(cuStreamWaitValue##bits##_v2, cuStreamWaitValue##bits);                                                          \
  ALSO(cuStreamWaitValue##bits##_v2, cuStreamWaitValue##bits##_ptsz);

VALUES(32)
VALUES(64)

API CUresult cuStreamBatchMemOp_v2(CUstream stream, unsigned count, CUstreamBatchMemOpParams *all, unsigned flags) {
  NEEDS_CONTEXT(context);
  NEEDS(count <= 256 && (count == 0 || all != NULL) && flags == 0);
  if (!is_stream(stream)) return CUDA_ERROR_INVALID_HANDLE;
  for (unsigned i = 0; i < count; i++) {
    CUdeviceptr address = all[i].value.address;
    uint64_t value = all[i].value.value64;
    unsigned how = all[i].value.flags;
    switch (all[i].operation) {
      case WAIT_32: TRY(wait_value(stream, address, value, 4, how)); break;
      case WRITE_32: TRY(write_value(stream, address, value, 4, how)); break;
      case WAIT_64: TRY(wait_value(stream, address, value, 8, how)); break;
      case WRITE_64: TRY(write_value(stream, address, value, 8, how)); break;
      /* Everything is in order anyway. */
      case FLUSH_WRITES: case BARRIER: break;
      default: return CUDA_ERROR_INVALID_VALUE;
    }
  }
  return CUDA_SUCCESS;
}
ALSO(cuStreamBatchMemOp_v2, cuStreamBatchMemOp_v2_ptsz);
ALSO(cuStreamBatchMemOp_v2, cuStreamBatchMemOp);
ALSO(cuStreamBatchMemOp_v2, cuStreamBatchMemOp_ptsz);
