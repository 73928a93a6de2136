/* Variables of modules, by what stands for them in the program. */
#include "registry.h"
#include "runtime.h"

/* Where in a variable the copy begins, and whether all of it is there. */
static cudaError_t in_variable(void **address, const void *symbol, size_t offset, size_t bytes) {
  struct entry *variable;
  cudaError_t found = find_variable(&variable, symbol);
  if (found != cudaSuccess) return found;
  if (offset > variable->bytes || bytes > variable->bytes - offset) return cudaErrorInvalidValue;
  *address = (void *)(uintptr_t)(variable->address + offset);
  return cudaSuccess;
}

API cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from, size_t bytes, size_t offset, cudaMemcpyKind kind) {
  void *to;
  BEGIN;
  if (kind != cudaMemcpyHostToDevice && kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
    return fails(cudaErrorInvalidMemcpyDirection);
  cudaError_t error = in_variable(&to, symbol, offset, bytes);
  return error == cudaSuccess ? cudaMemcpy(to, from, bytes, kind) : fails(error);
}
PER_THREAD_SYNC(cudaMemcpyToSymbol);

API cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, size_t bytes, size_t offset, cudaMemcpyKind kind) {
  void *from;
  BEGIN;
  if (kind != cudaMemcpyDeviceToHost && kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
    return fails(cudaErrorInvalidMemcpyDirection);
  cudaError_t error = in_variable(&from, symbol, offset, bytes);
  return error == cudaSuccess ? cudaMemcpy(to, from, bytes, kind) : fails(error);
}
PER_THREAD_SYNC(cudaMemcpyFromSymbol);

API cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t bytes, size_t offset,
                                        cudaMemcpyKind kind, cudaStream_t stream) {
  IN_STREAM(stream);
  return cudaMemcpyToSymbol(symbol, from, bytes, offset, kind);
}
PER_THREAD(cudaMemcpyToSymbolAsync);

API cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t bytes, size_t offset, cudaMemcpyKind kind,
                                          cudaStream_t stream) {
  IN_STREAM(stream);
  return cudaMemcpyFromSymbol(to, symbol, bytes, offset, kind);
}
PER_THREAD(cudaMemcpyFromSymbolAsync);

API cudaError_t cudaGetSymbolAddress(void **address, const void *symbol) {
  BEGIN;
  NEEDS(address != NULL);
  return fails(in_variable(address, symbol, 0, 0));
}

API cudaError_t cudaGetSymbolSize(size_t *bytes, const void *symbol) {
  struct entry *variable;
  BEGIN;
  NEEDS(bytes != NULL);
  cudaError_t found = find_variable(&variable, symbol);
  if (found == cudaSuccess) *bytes = variable->bytes;
  return fails(found);
}
