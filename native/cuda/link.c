/* Links modules: what cuLinkComplete gives is the text of one module, which cuModuleLoadData takes as it would machine code. */
#include <stdlib.h>
#include <string.h>

#include "calls.h"
#include "driver.h"
#include "modules.h"

struct CUlinkState_st {
  struct object object;
  /* Of each input the u32 bytes of its name, the name, the u64 bytes of what it is, and these. */
  unsigned char *inputs;
  size_t count;
  /* The linked text; NULL before. */
  char *text;
  /* Where logs go, as the caller of cuLinkCreate has them. */
  unsigned options;
  CUjit_option *option;
  void **values;
};

#define NEEDS_LINK(state)                 \
  NEEDS_INIT;                             \
  NEEDS_HANDLE(state, LINK)

API CUresult cuLinkCreate_v2(unsigned count, CUjit_option *options, void **values, CUlinkState *state) {
  NEEDS_CONTEXT(context);
  NEEDS(state != NULL && (count == 0 || (options != NULL && values != NULL)));
  *state = object_new(LINK, sizeof **state, context);
  if (*state == NULL) return CUDA_ERROR_OUT_OF_MEMORY;
  (*state)->options = count;
  (*state)->option = options;
  (*state)->values = values;
  return CUDA_SUCCESS;
}
ALSO(cuLinkCreate_v2, cuLinkCreate);

static CUresult add(CUlinkState state, const void *data, uint64_t bytes, const char *name) {
  uint32_t length = (uint32_t)strlen(name);
  size_t more = sizeof length + length + sizeof bytes + bytes;
  unsigned char *inputs = realloc(state->inputs, state->count + more);
  if (inputs == NULL) return CUDA_ERROR_OUT_OF_MEMORY;
  unsigned char *to = inputs + state->count;
  memcpy(to, &length, sizeof length);
  memcpy(to += sizeof length, name, length);
  memcpy(to += length, &bytes, sizeof bytes);
  memcpy(to + sizeof bytes, data, bytes);
  state->inputs = inputs;
  state->count += more;
  return CUDA_SUCCESS;
}

/* Whatever type it is said to be, its first bytes say what it is. */
API CUresult cuLinkAddData_v2(CUlinkState state, int type, void *data, size_t size, const char *name, unsigned count,
                              CUjit_option *options, void **values) {
  (void)type, (void)count, (void)options, (void)values;
  NEEDS_LINK(state);
  NEEDS(data != NULL && size > 0);
  return add(state, data, size, name == NULL ? "<input>" : name);
}
ALSO(cuLinkAddData_v2, cuLinkAddData);

API CUresult cuLinkAddFile_v2(CUlinkState state, int type, const char *path, unsigned count, CUjit_option *options, void **values) {
  (void)type, (void)count, (void)options, (void)values;
  NEEDS_LINK(state);
  NEEDS(path != NULL);
  struct image image;
  TRY(image_in(path, &image));
  CUresult result = add(state, image.bytes, image.count, path);
  free(image.bytes);
  return result;
}
ALSO(cuLinkAddFile_v2, cuLinkAddFile);

API CUresult cuLinkComplete(CUlinkState state, void **image, size_t *size) {
  NEEDS_LINK(state);
  NEEDS(image != NULL && state->count > 0);
  struct part part = {state->inputs, state->count};
  struct reply reply;
  CUresult result = call(CALL_LINK, &part, 1, &reply);
  if (result == CUDA_SUCCESS) {
    free(state->text);
    state->text = reply.text;
    reply.text = NULL;
    *image = state->text;
    if (size != NULL) *size = state->text == NULL ? 0 : strlen(state->text) + 1;
  } else
    jit_say(reply.text == NULL ? "" : reply.text, state->options, state->option, state->values);
  reply_free(&reply);
  return result;
}

void link_free(CUlinkState state) {
  free(state->inputs);
  free(state->text);
  object_free(state);
}

API CUresult cuLinkDestroy(CUlinkState state) {
  NEEDS_LINK(state);
  link_free(state);
  return CUDA_SUCCESS;
}
