/* Many copies at once. Their attributes are about where memory is, and when it may be read. */
#include "array.h"
#include "driver.h"

API CUresult cuMemcpyBatchAsync_v2(CUdeviceptr *to, CUdeviceptr *from, size_t *bytes, size_t count, void *attributes,
                                   size_t *indices, size_t number, CUstream stream) {
  return cuMemcpyBatchAsync(to, from, bytes, count, attributes, indices, number, NULL, stream);
}
ALSO(cuMemcpyBatchAsync_v2, cuMemcpyBatchAsync_v2_ptsz);

/* Of CUDA 12, which says which one has failed. */
API CUresult cuMemcpyBatchAsync(CUdeviceptr *to, CUdeviceptr *from, size_t *bytes, size_t count, void *attributes,
                                size_t *indices, size_t number, size_t *failed, CUstream stream) {
  NEEDS_CONTEXT(context);
  /* The oldest kind of stream has none. */
  if (!object_is(stream, STREAM) && stream != CU_STREAM_PER_THREAD) return CUDA_ERROR_INVALID_HANDLE;
  NEEDS(to != NULL && from != NULL && bytes != NULL && count > 0 && attributes != NULL && indices != NULL);
  NEEDS(number > 0 && number <= count && indices[0] == 0);
  for (size_t i = 0; i < count; i++) {
    NEEDS(bytes[i] > 0);
    CUresult result = cuMemcpyAsync(to[i], from[i], bytes[i], stream);
    if (result != CUDA_SUCCESS && failed != NULL) *failed = i;
    TRY(result);
  }
  return CUDA_SUCCESS;
}
ALSO(cuMemcpyBatchAsync, cuMemcpyBatchAsync_ptsz);

/* Sizes count texels where an array takes part, and bytes otherwise. */
static size_t unit_of(const CUDA_MEMCPY3D_BATCH_OP *copy) {
  const CUmemcpy3DOperand *ends[] = {&copy->src, &copy->dst};
  for (int i = 0; i < 2; i++)
    if (ends[i]->type == CU_MEMCPY_OPERAND_TYPE_ARRAY) {
      const CUDA_ARRAY3D_DESCRIPTOR *is = &ends[i]->op.array.array->descriptor;
      return texel_bytes(is->Format, is->NumChannels);
    }
  return 1;
}

static CUresult check_end(const CUmemcpy3DOperand *end) {
  if (end->type == CU_MEMCPY_OPERAND_TYPE_ARRAY) NEEDS_HANDLE(end->op.array.array, ARRAY);
  NEEDS(end->type == CU_MEMCPY_OPERAND_TYPE_ARRAY || end->type == CU_MEMCPY_OPERAND_TYPE_POINTER);
  return CUDA_SUCCESS;
}

static CUresult copy_one(const CUDA_MEMCPY3D_BATCH_OP *copy, CUstream stream) {
  TRY(check_end(&copy->src));
  TRY(check_end(&copy->dst));
  size_t unit = unit_of(copy);
  CUDA_MEMCPY3D box = {.WidthInBytes = copy->width * unit, .Height = copy->height, .Depth = copy->depth};
  box.srcMemoryType = copy->src.type == CU_MEMCPY_OPERAND_TYPE_ARRAY ? CU_MEMORYTYPE_ARRAY : CU_MEMORYTYPE_UNIFIED;
  box.dstMemoryType = copy->dst.type == CU_MEMCPY_OPERAND_TYPE_ARRAY ? CU_MEMORYTYPE_ARRAY : CU_MEMORYTYPE_UNIFIED;
  if (box.srcMemoryType == CU_MEMORYTYPE_ARRAY) {
    box.srcArray = copy->src.op.array.array;
    box.srcXInBytes = copy->src.op.array.x * unit, box.srcY = copy->src.op.array.y, box.srcZ = copy->src.op.array.z;
  } else {
    box.srcDevice = copy->src.op.ptr.ptr;
    box.srcPitch = copy->src.op.ptr.rowLength * unit, box.srcHeight = copy->src.op.ptr.layerHeight;
  }
  if (box.dstMemoryType == CU_MEMORYTYPE_ARRAY) {
    box.dstArray = copy->dst.op.array.array;
    box.dstXInBytes = copy->dst.op.array.x * unit, box.dstY = copy->dst.op.array.y, box.dstZ = copy->dst.op.array.z;
  } else {
    box.dstDevice = copy->dst.op.ptr.ptr;
    box.dstPitch = copy->dst.op.ptr.rowLength * unit, box.dstHeight = copy->dst.op.ptr.layerHeight;
  }
  return cuMemcpy3DAsync_v2(&box, stream);
}

API CUresult cuMemcpy3DBatchAsync(size_t count, CUDA_MEMCPY3D_BATCH_OP *copies, size_t *failed, unsigned long long flags,
                                  CUstream stream) {
  NEEDS_CONTEXT(context);
  if (!object_is(stream, STREAM) && stream != CU_STREAM_PER_THREAD) return CUDA_ERROR_INVALID_HANDLE;
  NEEDS(count > 0 && copies != NULL && flags == 0);
  for (size_t i = 0; i < count; i++) {
    CUresult result = copy_one(&copies[i], stream);
    if (result != CUDA_SUCCESS && failed != NULL) *failed = i;
    TRY(result);
  }
  return CUDA_SUCCESS;
}
ALSO(cuMemcpy3DBatchAsync, cuMemcpy3DBatchAsync_ptsz);

API CUresult cuMemcpy3DBatchAsync_v2(size_t count, CUDA_MEMCPY3D_BATCH_OP *copies, unsigned long long flags, CUstream stream) {
  return cuMemcpy3DBatchAsync(count, copies, NULL, flags, stream);
}
ALSO(cuMemcpy3DBatchAsync_v2, cuMemcpy3DBatchAsync_v2_ptsz);
