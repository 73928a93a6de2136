// What the programs share that call the runtime API: a failed check says where, and ends the program.
#pragma once
#include <cstdio>
#include <cstdlib>

#define CHECK(condition)                                                       \
  do {                                                                         \
    if (!(condition)) {                                                        \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);          \
      exit(99);                                                                \
    }                                                                          \
  } while (0)

#define GIVES(result, call)                                                                                   \
  do {                                                                                                        \
    cudaError_t got_ = (call);                                                                                \
    if (got_ != (result)) {                                                                                   \
      fprintf(stderr, "%s:%d: %s gives %s, not " #result "\n", __FILE__, __LINE__, #call, cudaGetErrorName(got_)); \
      exit(99);                                                                                               \
    }                                                                                                         \
  } while (0)
#define WORKS(call) GIVES(cudaSuccess, call)
