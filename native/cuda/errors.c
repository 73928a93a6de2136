#include "state.h"

static const struct {
  CUresult value;
  const char *name;
  const char *text;
} results[] = {
#define RESULT(name, value, text) {name, #name, text},
    RESULTS(RESULT)
#undef RESULT
};
#define COUNT (sizeof results / sizeof *results)

API CUresult cuGetErrorName(CUresult error, const char **name) {
  NEEDS(name != NULL);
  *name = NULL;
  for (size_t i = 0; i < COUNT; i++)
    if (results[i].value == error) *name = results[i].name;
  return *name == NULL ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

API CUresult cuGetErrorString(CUresult error, const char **text) {
  NEEDS(text != NULL);
  *text = NULL;
  for (size_t i = 0; i < COUNT; i++)
    if (results[i].value == error) *text = results[i].text;
  return *text == NULL ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}
