/* Variables of modules, by what stands for them in the program. */
#include "registry.h"
#include "runtime.h"

cudaError_t symbol_address(void **address, const void *symbol, size_t offset, size_t bytes) {
  struct entry *variable;
  cudaError_t found = find_variable(&variable, symbol);
  if (found != cudaSuccess) return found;
  if (offset > variable->bytes || bytes > variable->bytes - offset) return cudaErrorInvalidValue;
  *address = (void *)(uintptr_t)(variable->address + offset);
  return cudaSuccess;
}

static cudaError_t into_symbol(void **to, const void *symbol, size_t bytes, size_t offset, cudaMemcpyKind kind) {
  bool can_be = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice || kind == cudaMemcpyDefault;
  return can_be ? symbol_address(to, symbol, offset, bytes) : cudaErrorInvalidMemcpyDirection;
}

static cudaError_t out_of_symbol(void **from, const void *symbol, size_t bytes, size_t offset, cudaMemcpyKind kind) {
  bool can_be = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice || kind == cudaMemcpyDefault;
  return can_be ? symbol_address(from, symbol, offset, bytes) : cudaErrorInvalidMemcpyDirection;
}

API cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from, size_t bytes, size_t offset, cudaMemcpyKind kind) {
  void *to;
  BEGIN;
  cudaError_t error = into_symbol(&to, symbol, bytes, offset, kind);
  return error == cudaSuccess ? cudaMemcpy(to, from, bytes, kind) : fails(error);
}
PER_THREAD_SYNC(cudaMemcpyToSymbol);

API cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, size_t bytes, size_t offset, cudaMemcpyKind kind) {
  void *from;
  BEGIN;
  cudaError_t error = out_of_symbol(&from, symbol, bytes, offset, kind);
  return error == cudaSuccess ? cudaMemcpy(to, from, bytes, kind) : fails(error);
}
PER_THREAD_SYNC(cudaMemcpyFromSymbol);

API cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t bytes, size_t offset,
                                        cudaMemcpyKind kind, cudaStream_t stream) {
  void *to;
  IN_STREAM(stream);
  cudaError_t error = into_symbol(&to, symbol, bytes, offset, kind);
  return error == cudaSuccess ? cudaMemcpyAsync(to, from, bytes, kind, stream) : fails(error);
}
PER_THREAD(cudaMemcpyToSymbolAsync);

API cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t bytes, size_t offset, cudaMemcpyKind kind,
                                          cudaStream_t stream) {
  void *from;
  IN_STREAM(stream);
  cudaError_t error = out_of_symbol(&from, symbol, bytes, offset, kind);
  return error == cudaSuccess ? cudaMemcpyAsync(to, from, bytes, kind, stream) : fails(error);
}
PER_THREAD(cudaMemcpyFromSymbolAsync);

API cudaError_t cudaGetSymbolAddress(void **address, const void *symbol) {
  BEGIN;
  NEEDS(address != NULL);
  return fails(symbol_address(address, symbol, 0, 0));
}

API cudaError_t cudaGetSymbolSize(size_t *bytes, const void *symbol) {
  struct entry *variable;
  BEGIN;
  NEEDS(bytes != NULL);
  cudaError_t found = find_variable(&variable, symbol);
  if (found == cudaSuccess) *bytes = variable->bytes;
  return fails(found);
}
