/**
 * What C code compiled from a module has around it so that Node can load it, by Node-API, whose functions are declared
 * here: users have no headers of Node. `instantiate(words, memory)` prepares an instance, which is an Int32Array of `size`
 * bytes; each export takes it, the list of imported functions, and its own i32. What these throw goes through.
 */
export const nodeHost = {
  types: `#include <setjmp.h>
typedef struct Env *Env; typedef struct Handle *Handle; typedef struct Info *Info; typedef struct Scope *Scope;
typedef Handle (*Callback)(Env, Info);
int napi_create_function(Env, const char *, size_t, Callback, void *, Handle *);
int napi_set_element(Env, Handle, uint32_t, Handle);
int napi_get_element(Env, Handle, uint32_t, Handle *);
int napi_create_array(Env, Handle *);
int napi_get_cb_info(Env, Info, size_t *, Handle *, Handle *, void **);
int napi_get_typedarray_info(Env, Handle, int *, size_t *, void **, Handle *, size_t *);
int napi_get_value_int32(Env, Handle, int32_t *);
int napi_create_int32(Env, int32_t, Handle *);
int napi_get_undefined(Env, Handle *);
int napi_call_function(Env, Handle, Handle, size_t, const Handle *, Handle *);
int napi_open_handle_scope(Env, Scope *);
int napi_close_handle_scope(Env, Scope);
typedef struct Host { Env env; Handle imports; jmp_buf *thrown; } Host;`,
  functions: `static __attribute__((noinline)) int32_t imported(Instance *g, int index, int count, const int32_t *a) {
  Env env = g->host.env; Scope scope; Handle called, self, given[8], result; int32_t value = 0;
  napi_open_handle_scope(env, &scope);
  napi_get_element(env, g->host.imports, index, &called);
  napi_get_undefined(env, &self);
  for (int i = 0; i < count; i++) napi_create_int32(env, a[i], given + i);
  int failed = napi_call_function(env, self, called, count, given, &result);
  if (!failed) napi_get_value_int32(env, result, &value);
  napi_close_handle_scope(env, scope);
  if (failed) longjmp(*g->host.thrown, 1);
  return value;
}`,
  entry: `static Handle enter(Env env, Info info) {
  Handle given[10]; size_t count = 10; void *data; Instance *g; int32_t a[8]; Handle result = 0; jmp_buf thrown;
  napi_get_cb_info(env, info, &count, given, 0, &data);
  napi_get_typedarray_info(env, given[0], 0, 0, (void **)&g, 0, 0);
  for (size_t i = 2; i < count; i++) napi_get_value_int32(env, given[i], a + i - 2);
  Host before = g->host;
  g->host = (Host){env, given[1], &thrown};
  if (!setjmp(thrown)) napi_create_int32(env, exported[(uintptr_t)data](g, a), &result);
  g->host = before;
  return result;
}
static Handle instantiate(Env env, Info info) {
  Handle given[2]; size_t count = 2; Instance *g;
  napi_get_cb_info(env, info, &count, given, 0, 0);
  napi_get_typedarray_info(env, given[0], 0, 0, (void **)&g, 0, 0);
  napi_get_typedarray_info(env, given[1], 0, 0, (void **)&g->memory, 0, 0);
  return 0;
}
Handle napi_register_module_v1(Env env, Handle exports) {
  Handle all, one;
  napi_create_array(env, &all);
  napi_create_int32(env, sizeof(Instance), &one);
  napi_set_element(env, all, 0, one);
  napi_create_function(env, 0, 0, instantiate, 0, &one);
  napi_set_element(env, all, 1, one);
  for (size_t i = 0; i < sizeof exported / sizeof *exported; i++) {
    napi_create_function(env, 0, 0, enter, (void *)i, &one);
    napi_set_element(env, all, 2 + i, one);
  }
  return all;
}`,
} as const;
