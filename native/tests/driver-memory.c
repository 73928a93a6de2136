/* Memory of the device and of the host, copies and sets. */
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "driver-check.h"

static void run_allocations(void) {
  begin();
  CUdeviceptr a, b, base;
  size_t free_before, free_after, total, bytes, pitch;
  WORKS(cuMemGetInfo_v2(&free_before, &total));
  WORKS(cuMemAlloc_v2(&a, 1 << 20));
  WORKS(cuMemAllocPitch_v2(&b, &pitch, 1000, 10, 4));
  CHECK(a % 256 == 0 && b % 256 == 0 && pitch >= 1000 && pitch % 4 == 0);
  WORKS(cuMemGetInfo_v2(&free_after, &total));
  CHECK(free_after + (1 << 20) + 10 * pitch == free_before && free_before <= total);
  WORKS(cuMemGetAddressRange_v2(&base, &bytes, a + 1000));
  CHECK(base == a && bytes == 1 << 20);
  /* As many as there are, each found by what lies in it. */
  CUdeviceptr many[300];
  for (int i = 0; i < COUNT(many); i++) WORKS(cuMemAlloc_v2(&many[i], 16 + (size_t)i));
  for (int i = 0; i < COUNT(many); i++) {
    WORKS(cuMemGetAddressRange_v2(&base, &bytes, many[i] + 15));
    CHECK(base == many[i] && bytes == 16 + (size_t)i);
  }
  for (int i = 0; i < COUNT(many); i++) WORKS(cuMemFree_v2(many[i]));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemAlloc_v2(&base, 0));
  GIVES(CUDA_ERROR_OUT_OF_MEMORY, cuMemAlloc_v2(&base, 2 * total));
  GIVES(CUDA_ERROR_OUT_OF_MEMORY, cuMemAlloc_v2(&base, SIZE_MAX));
  GIVES(CUDA_ERROR_OUT_OF_MEMORY, cuMemAllocPitch_v2(&base, &pitch, SIZE_MAX / 2, 16, 4));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemFree_v2(a + 4));
  WORKS(cuMemFree_v2(a));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemFree_v2(a));
  WORKS(cuMemFree_v2(b));
  WORKS(cuMemFree_v2(0));
  GIVES(CUDA_ERROR_NOT_FOUND, cuMemGetAddressRange_v2(&base, &bytes, a));
  WORKS(cuMemGetInfo_v2(&free_after, &total));
  CHECK(free_after == free_before);
  WORKS(cuMemAllocAsync(&a, 64, CU_STREAM_PER_THREAD));
  WORKS(cuMemFreeAsync(a, NULL));
}

static void run_copies(void) {
  enum { N = 9 << 20 };
  begin();
  unsigned char *bytes = malloc(N), *back = calloc(N, 1);
  for (int i = 0; i < N; i++) bytes[i] = (unsigned char)(i * 31 + (i >> 12));
  CUdeviceptr a = device_copy(bytes, N), b;
  WORKS(cuMemAlloc_v2(&b, N));
  WORKS(cuMemcpyDtoD_v2(b, a, N));
  WORKS(cuMemcpyDtoHAsync_v2(back, b, N, NULL));
  CHECK(memcmp(bytes, back, N) == 0);
  /* Onto itself, either way. */
  WORKS(cuMemcpyDtoD_v2(a + 3, a, N - 3));
  WORKS(cuMemcpyDtoD_v2(b, b + 3, N - 3));
  WORKS(cuMemcpyDtoH_v2(back, a, N));
  CHECK(memcmp(back + 3, bytes, N - 3) == 0);
  WORKS(cuMemcpy((CUdeviceptr)(uintptr_t)back, b, N));
  CHECK(memcmp(back, bytes + 3, N - 3) == 0);
  WORKS(cuMemcpy(b + 1, (CUdeviceptr)(uintptr_t)bytes, 100));
  WORKS(cuMemcpyDtoH_v2(back, b, 101));
  CHECK(memcmp(back + 1, bytes, 100) == 0);
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoD_v2(a + 10, bytes, N));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoD_v2(a - 1, bytes, 1));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpyDtoH_v2(back, 0x1234, 1));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoD_v2(a, (void *)64, 8));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpyDtoH_v2((void *)64, a, 8));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpyDtoD_v2(a, b, SIZE_MAX));
  WORKS(cuMemcpyHtoD_v2(a, NULL, 0));
  WORKS(cuCtxSynchronize());
  free(bytes);
  free(back);
}

/* Copies so large that both sides work on them at once, from and to memory with a page that cannot be read, or not written. */
static void run_large(void) {
  enum { SIZE = 5 << 20, HOLE = 3 << 20, PAGE = 4096 };
  begin();
  unsigned char *memory = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(memory != MAP_FAILED);
  for (int i = 0; i < SIZE; i++) memory[i] = (unsigned char)(i % 251);
  CUdeviceptr data;
  WORKS(cuMemAlloc_v2(&data, SIZE));
  WORKS(cuMemcpyHtoD_v2(data, memory, SIZE));
  CHECK(mprotect(memory + HOLE, PAGE, PROT_NONE) == 0);
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoD_v2(data, memory, SIZE));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoD_v2(data, memory + HOLE - 5, 10));
  WORKS(cuMemcpyHtoD_v2(data, memory, HOLE));
  CHECK(mprotect(memory + HOLE, PAGE, PROT_READ) == 0);
  memset(memory, 0, HOLE);
  memset(memory + HOLE + PAGE, 0, SIZE - HOLE - PAGE);
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpyDtoH_v2(memory, data, SIZE));
  for (int i = 0; i < HOLE - PAGE; i++) CHECK(memory[i] == (unsigned char)(i % 251));
  CHECK(memory[HOLE] == HOLE % 251 && memory[HOLE + PAGE] == 0);
  /* What was left of the message is not taken for the next one. */
  WORKS(cuMemcpyDtoH_v2(memory, data, HOLE));
  WORKS(cuMemcpyDtoH_v2(memory + HOLE + PAGE, data, 100));
  CHECK(memory[HOLE - 1] == (HOLE - 1) % 251 && memory[HOLE + PAGE + 99] == 99);
  /* More than launches that touch this process's memory leave, and more than there is. */
  CUdeviceptr most;
  size_t available, total;
  WORKS(cuMemGetInfo_v2(&available, &total));
  GIVES(CUDA_ERROR_OUT_OF_MEMORY, cuMemAlloc_v2(&most, total + 1));
  if (total > 1500u << 20) WORKS(cuMemAlloc_v2(&most, 1500u << 20));
  GIVES(CUDA_ERROR_OUT_OF_MEMORY, cuMemAlloc_v2(&most, total - (100 << 20)));
}

static void run_boxes(void) {
  begin();
  unsigned char from[6][8][10], to[4][5][7] = {0};
  for (int i = 0; i < (int)sizeof from; i++) ((unsigned char *)from)[i] = (unsigned char)i;
  CUdeviceptr whole, part;
  size_t pitch;
  WORKS(cuMemAllocPitch_v2(&whole, &pitch, 10, 8 * 6, 4));
  CUDA_MEMCPY3D in = {.srcMemoryType = CU_MEMORYTYPE_HOST, .srcHost = from, .srcPitch = 10, .srcHeight = 8};
  in.dstMemoryType = CU_MEMORYTYPE_DEVICE, in.dstDevice = whole, in.dstPitch = pitch, in.dstHeight = 8;
  in.WidthInBytes = 10, in.Height = 8, in.Depth = 6;
  WORKS(cuMemcpy3D_v2(&in));
  CUDA_MEMCPY3D out = {.srcMemoryType = CU_MEMORYTYPE_DEVICE, .srcDevice = whole, .srcPitch = pitch, .srcHeight = 8};
  out.srcXInBytes = 2, out.srcY = 1, out.srcZ = 1;
  out.dstMemoryType = CU_MEMORYTYPE_HOST, out.dstHost = to, out.dstPitch = 7, out.dstHeight = 5;
  out.dstXInBytes = 1, out.WidthInBytes = 6, out.Height = 5, out.Depth = 4;
  WORKS(cuMemcpy3DAsync_v2(&out, NULL));
  for (int z = 0; z < 4; z++)
    for (int y = 0; y < 5; y++)
      for (int x = 0; x < 7; x++) CHECK(to[z][y][x] == (x == 0 ? 0 : from[z + 1][y + 1][x + 1]));
  WORKS(cuMemAlloc_v2(&part, 12));
  CUDA_MEMCPY2D flat = {.srcMemoryType = CU_MEMORYTYPE_DEVICE, .srcDevice = whole, .srcPitch = pitch, .srcXInBytes = 3};
  flat.dstMemoryType = CU_MEMORYTYPE_UNIFIED, flat.dstDevice = part, flat.dstPitch = 4, flat.WidthInBytes = 4, flat.Height = 3;
  WORKS(cuMemcpy2D_v2(&flat));
  unsigned char words[12];
  WORKS(cuMemcpyDtoH_v2(words, part, 12));
  for (int i = 0; i < 12; i++) CHECK(words[i] == from[0][i / 4][3 + i % 4]);
  flat.Height = 4;
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpy2DUnaligned_v2(&flat));
  flat.dstPitch = 3;
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpy2D_v2(&flat));
  flat.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  GIVES(CUDA_ERROR_INVALID_HANDLE, cuMemcpy2D_v2(&flat));
  out.Depth = SIZE_MAX;
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpy3D_v2(&out));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpy3D_v2(NULL));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpy2D_v2(NULL));
}

static void run_sets(void) {
  begin();
  CUdeviceptr a, shared;
  uint32_t words[16];
  WORKS(cuMemAlloc_v2(&a, sizeof words));
  WORKS(cuMemsetD8_v2(a, 0x5a, sizeof words));
  WORKS(cuMemsetD16_v2(a + 2, 0x1234, 3));
  WORKS(cuMemsetD32Async(a + 16, 0xdeadbeef, 2, NULL));
  WORKS(cuMemsetD2D8_v2(a + 32, 8, 0, 3, 4));
  WORKS(cuMemcpyDtoH_v2(words, a, sizeof words));
  const uint32_t wanted[16] = {0x12345a5a, 0x12341234, 0x5a5a5a5a, 0x5a5a5a5a, 0xdeadbeef, 0xdeadbeef, 0x5a5a5a5a, 0x5a5a5a5a,
                               0x5a000000, 0x5a5a5a5a, 0x5a000000, 0x5a5a5a5a, 0x5a000000, 0x5a5a5a5a, 0x5a000000, 0x5a5a5a5a};
  CHECK(memcmp(words, wanted, sizeof words) == 0);
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemsetD32_v2(a + 2, 0, 1));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemsetD32_v2(a, 0, 17));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemsetD8_v2((CUdeviceptr)(uintptr_t)words, 0, 4));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemsetD2D32_v2(a, 4, 0, 2, 2));
  WORKS(cuMemAllocManaged(&shared, 16, 1));
  WORKS(cuMemsetD32_v2(shared, 3, 4));
  CHECK(((uint32_t *)(uintptr_t)shared)[3] == 3);
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemsetD32_v2(shared, 3, 5));
  WORKS(cuMemFree_v2(shared));
}

static void run_pointers(void) {
  CUcontext context = begin(), its;
  CUdeviceptr a, managed, start;
  void *host;
  unsigned type, is_managed;
  size_t bytes;
  WORKS(cuMemAlloc_v2(&a, 100));
  WORKS(cuMemAllocHost_v2(&host, 4096));
  WORKS(cuMemAllocManaged(&managed, 64, 1));
  memset(host, 1, 4096);
  WORKS(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, a + 99));
  CHECK(type == CU_MEMORYTYPE_DEVICE);
  WORKS(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, (CUdeviceptr)(uintptr_t)host));
  CHECK(type == CU_MEMORYTYPE_HOST);
  GIVES(CUDA_ERROR_INVALID_VALUE, cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, (CUdeviceptr)(uintptr_t)&type));
  CUpointer_attribute which[] = {CU_POINTER_ATTRIBUTE_CONTEXT, CU_POINTER_ATTRIBUTE_IS_MANAGED,
                                 CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, CU_POINTER_ATTRIBUTE_RANGE_SIZE};
  void *into[] = {&its, &is_managed, &start, &bytes};
  WORKS(cuPointerGetAttributes(4, which, into, managed + 63));
  CHECK(its == context && is_managed == 1 && start == managed && bytes == 64);
  WORKS(cuPointerGetAttributes(2, which, into, managed + (1 << 20)));
  CHECK(its == NULL && is_managed == 0);
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemFreeHost((char *)host + 1));
  WORKS(cuMemFreeHost(host));
  /* The process has its pages no longer. */
  CHECK(msync(host, 4096, MS_ASYNC) == -1 && errno == ENOMEM);
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemFreeHost(host));
}

int main(int argc, char **argv) {
  static const struct part_of_test parts[] = {
      {"allocations", run_allocations}, {"copies", run_copies},     {"boxes", run_boxes},
      {"large", run_large},
      {"sets", run_sets},               {"pointers", run_pointers},
  };
  return run_part(parts, COUNT(parts), argc, argv);
}
