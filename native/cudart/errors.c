#include "runtime.h"
#include "state.h"

static const struct {
  cudaError_t value;
  const char *name;
  const char *text;
} errors[] = {
#define ERROR(name, value, text) {name, #name, text},
    RUNTIME_ERRORS(ERROR)
#undef ERROR
};
#define COUNT (sizeof errors / sizeof *errors)

API const char *cudaGetErrorName(cudaError_t error) {
  for (size_t i = 0; i < COUNT; i++)
    if (errors[i].value == error) return errors[i].name;
  return "unrecognized error code";
}

API const char *cudaGetErrorString(cudaError_t error) {
  for (size_t i = 0; i < COUNT; i++)
    if (errors[i].value == error) return errors[i].text;
  return "unrecognized error code";
}
