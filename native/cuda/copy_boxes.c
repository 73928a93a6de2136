/* Copies of two and three dimensions. */
#include "array.h"
#include "copy.h"
#include "driver.h"
#include "graph/capture.h"

/* One end of a copy, as both structures describe it. */
struct corner {
  CUmemorytype kind;
  const void *host;
  CUdeviceptr device;
  CUarray array;
  size_t x, y, z, level, pitch, height;
};

static CUresult place_of(struct place *place, const struct corner *corner, size_t width, size_t height, size_t depth) {
  switch (corner->kind) {
    case CU_MEMORYTYPE_HOST: *place = host_place(corner->host); break;
    case CU_MEMORYTYPE_DEVICE: *place = device_place(corner->device); break;
    case CU_MEMORYTYPE_UNIFIED: *place = any_place(corner->device); break;
    case CU_MEMORYTYPE_ARRAY: {
      NEEDS(corner->level == 0);
      const size_t at[3] = {corner->x, corner->y, corner->z}, box[3] = {width, height, depth};
      return array_place(place, corner->array, at, box);
    }
    default: return CUDA_ERROR_INVALID_VALUE;
  }
  NEEDS(corner->level == 0);
  place->pitch = corner->pitch == 0 ? corner->x + width : corner->pitch;
  NEEDS(height * depth == 1 || place->pitch >= corner->x + width);
  size_t rows = corner->height == 0 ? corner->y + height : corner->height;
  NEEDS(depth == 1 || rows >= corner->y + height);
  place->slice = place->pitch * rows;
  place->address += corner->z * place->slice + corner->y * place->pitch + corner->x;
  return CUDA_SUCCESS;
}

static CUresult copy_box(const CUDA_MEMCPY3D *copy) {
  struct place into, out;
  struct corner to = {.kind = copy->dstMemoryType, .host = copy->dstHost, .device = copy->dstDevice, .array = copy->dstArray};
  struct corner from = {.kind = copy->srcMemoryType, .host = copy->srcHost, .device = copy->srcDevice, .array = copy->srcArray};
  to.x = copy->dstXInBytes, to.y = copy->dstY, to.z = copy->dstZ, to.level = copy->dstLOD;
  to.pitch = copy->dstPitch, to.height = copy->dstHeight;
  from.x = copy->srcXInBytes, from.y = copy->srcY, from.z = copy->srcZ, from.level = copy->srcLOD;
  from.pitch = copy->srcPitch, from.height = copy->srcHeight;
  size_t width = copy->WidthInBytes, height = copy->Height, depth = copy->Depth;
  /* No extent can be larger than an address space, nor can their product. */
  const size_t most = (size_t)1 << 40;
  NEEDS(width < most && height < most && depth < most);
  NEEDS(to.x < most && to.y < most && to.z < most && from.x < most && from.y < most && from.z < most);
  if (width == 0 || height == 0 || depth == 0) return CUDA_SUCCESS;
  TRY(place_of(&into, &to, width, height, depth));
  TRY(place_of(&out, &from, width, height, depth));
  return copy_bytes(into, out, width, height, depth);
}

/* The contexts stand where nothing is read: all have the same memory. */
static CUDA_MEMCPY3D as_box(const CUDA_MEMCPY2D *copy) {
  return (CUDA_MEMCPY3D){.srcXInBytes = copy->srcXInBytes,
                         .srcY = copy->srcY,
                         .srcMemoryType = copy->srcMemoryType,
                         .srcHost = copy->srcHost,
                         .srcDevice = copy->srcDevice,
                         .srcArray = copy->srcArray,
                         .srcPitch = copy->srcPitch,
                         .dstXInBytes = copy->dstXInBytes,
                         .dstY = copy->dstY,
                         .dstMemoryType = copy->dstMemoryType,
                         .dstHost = copy->dstHost,
                         .dstDevice = copy->dstDevice,
                         .dstArray = copy->dstArray,
                         .dstPitch = copy->dstPitch,
                         .WidthInBytes = copy->WidthInBytes,
                         .Height = copy->Height,
                         .Depth = 1};
}

API CUresult cuMemcpy3D_v2(const CUDA_MEMCPY3D *copy) {
  NEEDS_CONTEXT(context);
  NEEDS(copy != NULL);
  TRY(capture_blocking());
  return copy_box(copy);
}
ALSO(cuMemcpy3D_v2, cuMemcpy3D_v2_ptds);
ALSO(cuMemcpy3D_v2, cuMemcpy3DPeer);
ALSO(cuMemcpy3D_v2, cuMemcpy3DPeer_ptds);

API CUresult cuMemcpy2D_v2(const CUDA_MEMCPY2D *copy) {
  NEEDS(copy != NULL);
  CUDA_MEMCPY3D box = as_box(copy);
  return cuMemcpy3D_v2(&box);
}
ALSO(cuMemcpy2D_v2, cuMemcpy2D_v2_ptds);
ALSO(cuMemcpy2D_v2, cuMemcpy2DUnaligned_v2);
ALSO(cuMemcpy2D_v2, cuMemcpy2DUnaligned_v2_ptds);

static CUresult capture(const CUDA_MEMCPY3D *copy, CUstream stream) {
  CUgraphNodeParams params = {.type = CU_GRAPH_NODE_TYPE_MEMCPY};
  if (copy->WidthInBytes == 0 || copy->Height == 0 || copy->Depth == 0) return CUDA_SUCCESS;
  params.memcpy.copyParams = *copy;
  return capture_node(stream, &params, NULL);
}

API CUresult cuMemcpy3DAsync_v2(const CUDA_MEMCPY3D *copy, CUstream stream) {
  NEEDS_CONTEXT(context);
  NEEDS(copy != NULL);
  IN_STREAM(stream, capture(copy, stream));
  return copy_box(copy);
}
ALSO(cuMemcpy3DAsync_v2, cuMemcpy3DAsync_v2_ptsz);
ALSO(cuMemcpy3DAsync_v2, cuMemcpy3DPeerAsync);
ALSO(cuMemcpy3DAsync_v2, cuMemcpy3DPeerAsync_ptsz);

API CUresult cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D *copy, CUstream stream) {
  NEEDS(copy != NULL);
  CUDA_MEMCPY3D box = as_box(copy);
  return cuMemcpy3DAsync_v2(&box, stream);
}
ALSO(cuMemcpy2DAsync_v2, cuMemcpy2DAsync_v2_ptsz);
