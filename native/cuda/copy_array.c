/* Copies of bytes that lie behind each other in an array, row after row. */
#include "array.h"
#include "driver.h"
#include "graph/capture.h"

/* Bytes of an array from `offset` on, and the other end: memory of one kind or the other, or a part of a row of an array. */
struct line {
  CUarray array;
  size_t offset;
  CUmemorytype kind;
  const char *host;
  CUdeviceptr device;
  CUarray other;
  size_t x, y;
  /* Whether bytes go into the array; where, and whether the program waits for that. */
  bool into, waits;
  CUstream stream;
};

static CUresult copy_part(const struct line *line, size_t done, size_t bytes, size_t rows) {
  const CUDA_ARRAY3D_DESCRIPTOR *is = &line->array->descriptor;
  size_t width = is->Width * texel_bytes(is->Format, is->NumChannels), from = line->offset + done;
  size_t x = from % width, y = from / width;
  const char *host = line->host == NULL ? NULL : line->host + done;
  CUDA_MEMCPY3D box = {.WidthInBytes = bytes, .Height = rows, .Depth = 1};
  if (line->into) {
    box.dstMemoryType = CU_MEMORYTYPE_ARRAY, box.dstArray = line->array, box.dstXInBytes = x, box.dstY = y;
    box.srcMemoryType = line->kind, box.srcHost = host, box.srcDevice = line->device + done, box.srcPitch = width;
    box.srcArray = line->other, box.srcXInBytes = line->x, box.srcY = line->y;
  } else {
    box.srcMemoryType = CU_MEMORYTYPE_ARRAY, box.srcArray = line->array, box.srcXInBytes = x, box.srcY = y;
    box.dstMemoryType = line->kind, box.dstHost = (void *)(uintptr_t)host, box.dstDevice = line->device + done;
    box.dstPitch = width;
  }
  return line->waits ? cuMemcpy3D_v2(&box) : cuMemcpy3DAsync_v2(&box, line->stream);
}

/* The end of a row, whole rows, and the beginning of one. */
static CUresult copy_line(struct line line, size_t bytes) {
  NEEDS_CONTEXT(context);
  NEEDS_HANDLE(line.array, ARRAY);
  NEEDS(bytes == 0 || line.kind != CU_MEMORYTYPE_HOST || line.host != NULL);
  const CUDA_ARRAY3D_DESCRIPTOR *is = &line.array->descriptor;
  size_t texel = texel_bytes(is->Format, is->NumChannels), width = is->Width * texel;
  size_t all = width * (is->Height == 0 ? 1 : is->Height);
  NEEDS(is->Depth <= 1 && line.offset % texel == 0 && line.offset <= all && bytes <= all - line.offset);
  size_t head = (width - line.offset % width) % width;
  if (head > bytes) head = bytes;
  size_t rows = (bytes - head) / width, tail = bytes - head - rows * width;
  if (head > 0) TRY(copy_part(&line, 0, head, 1));
  if (rows > 0) TRY(copy_part(&line, head, width, rows));
  if (tail > 0) TRY(copy_part(&line, head + rows * width, tail, 1));
  return CUDA_SUCCESS;
}

#define HOST_LINE(of, at, pointer, ...) \
  ((struct line){.array = of, .offset = at, .kind = CU_MEMORYTYPE_HOST, .host = pointer, __VA_ARGS__})
#define DEVICE_LINE(of, at, address, ...) \
  ((struct line){.array = of, .offset = at, .kind = CU_MEMORYTYPE_DEVICE, .device = address, __VA_ARGS__})

API CUresult cuMemcpyHtoA_v2(CUarray to, size_t offset, const void *from, size_t bytes) {
  return copy_line(HOST_LINE(to, offset, from, .into = true, .waits = true), bytes);
}
ALSO(cuMemcpyHtoA_v2, cuMemcpyHtoA_v2_ptds);

API CUresult cuMemcpyAtoH_v2(void *to, CUarray from, size_t offset, size_t bytes) {
  return copy_line(HOST_LINE(from, offset, to, .waits = true), bytes);
}
ALSO(cuMemcpyAtoH_v2, cuMemcpyAtoH_v2_ptds);

API CUresult cuMemcpyDtoA_v2(CUarray to, size_t offset, CUdeviceptr from, size_t bytes) {
  return copy_line(DEVICE_LINE(to, offset, from, .into = true, .waits = true), bytes);
}
ALSO(cuMemcpyDtoA_v2, cuMemcpyDtoA_v2_ptds);

API CUresult cuMemcpyAtoD_v2(CUdeviceptr to, CUarray from, size_t offset, size_t bytes) {
  return copy_line(DEVICE_LINE(from, offset, to, .waits = true), bytes);
}
ALSO(cuMemcpyAtoD_v2, cuMemcpyAtoD_v2_ptds);

static size_t smaller(size_t one, size_t other) { return one < other ? one : other; }

/* As far as both rows go, again and again: what is copied at once is a part of one row in both. */
API CUresult cuMemcpyAtoA_v2(CUarray to, size_t to_offset, CUarray from, size_t from_offset, size_t bytes) {
  NEEDS_CONTEXT(context);
  NEEDS_HANDLE(to, ARRAY);
  NEEDS_HANDLE(from, ARRAY);
  const CUDA_ARRAY3D_DESCRIPTOR *is = &from->descriptor;
  size_t texel = texel_bytes(is->Format, is->NumChannels), width = is->Width * texel;
  size_t all = width * (is->Height == 0 ? 1 : is->Height);
  NEEDS(from_offset % texel == 0 && from_offset <= all && bytes <= all - from_offset && is->Depth <= 1);
  size_t into = to->descriptor.Width * texel_bytes(to->descriptor.Format, to->descriptor.NumChannels);
  for (size_t done = 0; done < bytes;) {
    size_t at = (from_offset + done) % width, part = smaller(width - at, bytes - done);
    part = smaller(part, into - (to_offset + done) % into);
    struct line line = {.array = to, .offset = to_offset + done, .kind = CU_MEMORYTYPE_ARRAY, .other = from, .x = at,
                        .y = (from_offset + done) / width, .into = true, .waits = true};
    TRY(copy_line(line, part));
    done += part;
  }
  return CUDA_SUCCESS;
}
ALSO(cuMemcpyAtoA_v2, cuMemcpyAtoA_v2_ptds);

API CUresult cuMemcpyHtoAAsync_v2(CUarray to, size_t offset, const void *from, size_t bytes, CUstream stream) {
  return copy_line(HOST_LINE(to, offset, from, .into = true, .stream = stream), bytes);
}
ALSO(cuMemcpyHtoAAsync_v2, cuMemcpyHtoAAsync_v2_ptsz);

API CUresult cuMemcpyAtoHAsync_v2(void *to, CUarray from, size_t offset, size_t bytes, CUstream stream) {
  return copy_line(HOST_LINE(from, offset, to, .stream = stream), bytes);
}
ALSO(cuMemcpyAtoHAsync_v2, cuMemcpyAtoHAsync_v2_ptsz);
