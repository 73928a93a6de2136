/* Launches that need much of the device's memory to be replayed: variables, constants, pointers in memory, what was freed. */

#include "driver-check.h"
#include "driver-kernels.h"

/* table[0][i] = table[1][i] + addend, for each thread i; counter counts threads. The second module's variables have the same names. */
static const char adding[] = HEAD
    ".visible .const .align 4 .u32 addend = 7;\n.visible .global .align 4 .u32 counter;\n"
    ".visible .entry adding(.param .u64 table, .param .u32 from) {\n"
    "  .reg .b32 %r<6>; .reg .b64 %d<6>;\n"
    "  ld.param.u64 %d1, [table]; ld.param.u32 %r5, [from]; ld.global.u64 %d2, [%d1]; ld.global.u64 %d3, [%d1+8];\n"
    "  mov.u32 %r1, %tid.x; add.s32 %r1, %r1, %r5; mul.wide.u32 %d4, %r1, 4; add.s64 %d2, %d2, %d4; add.s64 %d3, %d3, %d4;\n"
    "  ld.global.u32 %r2, [%d3]; ld.const.u32 %r3, [addend]; add.s32 %r2, %r2, %r3;\n"
    "  atom.global.add.u32 %r4, [counter], 1;\n"
    "  st.global.u32 [%d2], %r2; ret;\n}\n";

/* The first words of NaNs that are quiet, signaling and of both signs. */
static const unsigned payloads[8] = {0x7fc00000, 0x7f800001, 0xffc12345, 0xff812345, 0, 0x80000000, 1, 0x7fffffff};

static CUdeviceptr table, out, in;

static CUfunction prepare(void) {
  begin();
  CUmodule module;
  CUdeviceptr between, addend;
  size_t bytes;
  kernel_of(adding, "adding");
  WORKS(cuMemAlloc_v2(&between, 1000));
  CUfunction function;
  WORKS(cuModuleLoadData(&module, adding));
  WORKS(cuModuleGetFunction(&function, module, "adding"));
  WORKS(cuModuleGetGlobal_v2(&addend, &bytes, module, "addend"));
  unsigned zero = 0;
  WORKS(cuMemcpyHtoD_v2(addend, &zero, sizeof zero));
  WORKS(cuMemAlloc_v2(&out, sizeof payloads));
  WORKS(cuMemsetD8_v2(out, 0xee, sizeof payloads));
  in = device_copy(payloads, sizeof payloads);
  CUdeviceptr both[2] = {out, in};
  table = device_copy(both, sizeof both);
  WORKS(cuMemFree_v2(between));
  return function;
}

static CUresult launch(CUfunction function, unsigned from, unsigned threads) {
  void *parameters[] = {&table, &from};
  WORKS(launch_one(function, threads, parameters));
  return cuCtxSynchronize();
}

static void run_well(void) {
  CUfunction function = prepare();
  for (int times = 0; times < 2; times++) WORKS(launch(function, 0, 8));
  unsigned result[8];
  WORKS(cuMemcpyDtoH_v2(result, out, sizeof result));
  CHECK(memcmp(result, payloads, sizeof result) == 0);
}

static void run_beyond(void) { GIVES(CUDA_ERROR_ILLEGAL_ADDRESS, launch(prepare(), 3, 8)); }

static void run_freed(void) {
  CUfunction function = prepare();
  WORKS(cuMemFree_v2(in));
  GIVES(CUDA_ERROR_ILLEGAL_ADDRESS, launch(function, 0, 8));
}

/* Words of the host, shared with the device, which lie in the middle of a page. */
static void run_shared(void) {
  CUfunction function = prepare();
  static unsigned words[3000];
  WORKS(cuMemHostRegister_v2(words + 100, 32, 0));
  CUdeviceptr pointer;
  WORKS(cuMemHostGetDevicePointer_v2(&pointer, words + 100, 0));
  WORKS(cuMemcpyHtoD_v2(table, &pointer, sizeof pointer));
  WORKS(launch(function, 0, 8));
  CHECK(memcmp(words + 100, payloads, 32) == 0);
  GIVES(CUDA_ERROR_ILLEGAL_ADDRESS, launch(function, 1, 8));
}

static void run_endless(void) {
  prepare();
  CUfunction function = kernel_of(endless, "endless");
  /* The worker keeps what it was told when it started; from here on less is allowed. */
  CHECK(setenv("PTXRUN_TIMEOUT", "0.5", 1) == 0);
  WORKS(launch_one(function, 1, NULL));
  GIVES(CUDA_ERROR_LAUNCH_TIMEOUT, cuCtxSynchronize());
}

int main(int argc, char **argv) {
  static const struct part_of_test parts[] = {
      {"well", run_well}, {"beyond", run_beyond}, {"freed", run_freed}, {"shared", run_shared}, {"endless", run_endless},
  };
  return run_part(parts, COUNT(parts), argc, argv);
}
