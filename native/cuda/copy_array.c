/* Copies of bytes that lie behind each other in an array, row after row. */
#include "array.h"
#include "driver.h"

/* Bytes of an array from `offset` on. */
struct line {
  CUarray array;
  size_t offset;
};

static CUresult copy_part(const struct line *line, size_t done, struct place other, bool into, size_t bytes, size_t rows) {
  struct place place;
  const CUDA_ARRAY3D_DESCRIPTOR *is = &line->array->descriptor;
  size_t width = is->Width * texel_bytes(is->Format, is->NumChannels), from = line->offset + done;
  const size_t at[3] = {from % width, from / width, 0}, box[3] = {bytes, rows, 1};
  TRY(array_place(&place, line->array, at, box));
  other.address += done;
  other.pitch = width;
  return into ? copy_bytes(place, other, bytes, rows, 1) : copy_bytes(other, place, bytes, rows, 1);
}

/* The end of a row, whole rows, and the beginning of one. */
static CUresult copy_line(struct line line, struct place other, size_t bytes, bool into) {
  NEEDS_HANDLE(line.array, ARRAY);
  const CUDA_ARRAY3D_DESCRIPTOR *is = &line.array->descriptor;
  size_t texel = texel_bytes(is->Format, is->NumChannels), width = is->Width * texel;
  size_t all = width * (is->Height == 0 ? 1 : is->Height);
  NEEDS(is->Depth <= 1 && line.offset % texel == 0 && line.offset <= all && bytes <= all - line.offset);
  size_t head = (width - line.offset % width) % width;
  if (head > bytes) head = bytes;
  size_t rows = (bytes - head) / width, tail = bytes - head - rows * width;
  if (head > 0) TRY(copy_part(&line, 0, other, into, head, 1));
  if (rows > 0) TRY(copy_part(&line, head, other, into, width, rows));
  if (tail > 0) TRY(copy_part(&line, head + rows * width, other, into, tail, 1));
  return CUDA_SUCCESS;
}

API CUresult cuMemcpyHtoA_v2(CUarray to, size_t offset, const void *from, size_t bytes) {
  NEEDS_CONTEXT(context);
  NEEDS(bytes == 0 || from != NULL);
  return copy_line((struct line){to, offset}, host_place(from), bytes, true);
}
ALSO(cuMemcpyHtoA_v2, cuMemcpyHtoA_v2_ptds);

API CUresult cuMemcpyAtoH_v2(void *to, CUarray from, size_t offset, size_t bytes) {
  NEEDS_CONTEXT(context);
  NEEDS(bytes == 0 || to != NULL);
  return copy_line((struct line){from, offset}, host_place(to), bytes, false);
}
ALSO(cuMemcpyAtoH_v2, cuMemcpyAtoH_v2_ptds);

API CUresult cuMemcpyDtoA_v2(CUarray to, size_t offset, CUdeviceptr from, size_t bytes) {
  NEEDS_CONTEXT(context);
  return copy_line((struct line){to, offset}, device_place(from), bytes, true);
}
ALSO(cuMemcpyDtoA_v2, cuMemcpyDtoA_v2_ptds);

API CUresult cuMemcpyAtoD_v2(CUdeviceptr to, CUarray from, size_t offset, size_t bytes) {
  NEEDS_CONTEXT(context);
  return copy_line((struct line){from, offset}, device_place(to), bytes, false);
}
ALSO(cuMemcpyAtoD_v2, cuMemcpyAtoD_v2_ptds);

/* As far as both rows go, again and again. */
API CUresult cuMemcpyAtoA_v2(CUarray to, size_t to_offset, CUarray from, size_t from_offset, size_t bytes) {
  NEEDS_CONTEXT(context);
  NEEDS_HANDLE(to, ARRAY);
  NEEDS_HANDLE(from, ARRAY);
  const CUDA_ARRAY3D_DESCRIPTOR *is = &from->descriptor;
  size_t texel = texel_bytes(is->Format, is->NumChannels), width = is->Width * texel;
  size_t all = width * (is->Height == 0 ? 1 : is->Height);
  NEEDS(from_offset % texel == 0 && from_offset <= all && bytes <= all - from_offset && is->Depth <= 1);
  for (size_t done = 0; done < bytes;) {
    struct place place;
    size_t at = (from_offset + done) % width, part = width - at < bytes - done ? width - at : bytes - done;
    const size_t corner[3] = {at, (from_offset + done) / width, 0}, box[3] = {part, 1, 1};
    TRY(array_place(&place, from, corner, box));
    TRY(copy_line((struct line){to, to_offset + done}, place, part, true));
    done += part;
  }
  return CUDA_SUCCESS;
}
ALSO(cuMemcpyAtoA_v2, cuMemcpyAtoA_v2_ptds);

API CUresult cuMemcpyHtoAAsync_v2(CUarray to, size_t offset, const void *from, size_t bytes, CUstream stream) {
  LOCKED;
  if (!is_stream(stream)) return CUDA_ERROR_INVALID_HANDLE;
  return cuMemcpyHtoA_v2(to, offset, from, bytes);
}
ALSO(cuMemcpyHtoAAsync_v2, cuMemcpyHtoAAsync_v2_ptsz);

API CUresult cuMemcpyAtoHAsync_v2(void *to, CUarray from, size_t offset, size_t bytes, CUstream stream) {
  LOCKED;
  if (!is_stream(stream)) return CUDA_ERROR_INVALID_HANDLE;
  return cuMemcpyAtoH_v2(to, from, offset, bytes);
}
ALSO(cuMemcpyAtoHAsync_v2, cuMemcpyAtoHAsync_v2_ptsz);
