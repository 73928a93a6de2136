/* Directions of copies, as the driver API names their ends. */
#ifndef PTXRUN_CUDART_DIRECTIONS_H
#define PTXRUN_CUDART_DIRECTIONS_H

#include "state.h"

static inline CUmemorytype source_of(cudaMemcpyKind kind) {
  if (kind == cudaMemcpyDefault) return CU_MEMORYTYPE_UNIFIED;
  return kind == cudaMemcpyHostToHost || kind == cudaMemcpyHostToDevice ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
}

static inline CUmemorytype target_of(cudaMemcpyKind kind) {
  if (kind == cudaMemcpyDefault) return CU_MEMORYTYPE_UNIFIED;
  return kind == cudaMemcpyHostToHost || kind == cudaMemcpyDeviceToHost ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
}

static inline bool is_kind(cudaMemcpyKind kind) { return (unsigned)kind <= cudaMemcpyDefault; }

#endif
