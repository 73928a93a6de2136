/* Arrays, textures and surfaces: what kernels read, against formulas of CUDA's programming guide. */
#include "driver-check.h"
#include "image-kernels.h"

#define SIZE 4u
#define LOOKUPS 8

static CUmodule module;

static void prepare(void) {
  begin();
  WORKS(cuModuleLoadData(&module, image_kernels));
}

static CUarray array_of(size_t width, size_t height, size_t depth, CUarray_format format, unsigned channels, unsigned flags) {
  CUarray array;
  CUDA_ARRAY3D_DESCRIPTOR is = {width, height, depth, format, channels, flags}, same;
  WORKS(cuArray3DCreate_v2(&array, &is));
  WORKS(cuArray3DGetDescriptor_v2(&same, array));
  CHECK(memcmp(&is, &same, sizeof is) == 0);
  return array;
}

/* Fills an array, or reads it, with rows without gaps. */
static void transfer(CUarray array, void *host, size_t row, size_t rows, size_t slices, int into) {
  CUDA_MEMCPY3D copy = {.WidthInBytes = row, .Height = rows, .Depth = slices};
  copy.srcMemoryType = into ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_ARRAY;
  copy.dstMemoryType = into ? CU_MEMORYTYPE_ARRAY : CU_MEMORYTYPE_HOST;
  copy.srcHost = copy.dstHost = host;
  copy.srcArray = copy.dstArray = array;
  copy.srcPitch = copy.dstPitch = row;
  copy.srcHeight = copy.dstHeight = rows;
  WORKS(cuMemcpy3D_v2(&copy));
}

static CUtexObject texture_of(CUarray array, CUaddress_mode mode, CUfilter_mode filter, unsigned flags) {
  CUtexObject texture;
  CUDA_RESOURCE_DESC resource = {.resType = CU_RESOURCE_TYPE_ARRAY, .res.array.hArray = array};
  CUDA_TEXTURE_DESC how = {{mode, mode, mode}, filter, .flags = flags, .borderColor = {-1, -2, -3, -4}};
  WORKS(cuTexObjectCreate(&texture, &resource, &how, NULL));
  return texture;
}

/* Runs a kernel on a block of these threads and so many layers of blocks, and gives what it has stored. */
static void looked_up(const char *name, CUtexObject texture, float start, float step, unsigned rows, unsigned slices, void *out,
                      size_t bytes) {
  CUfunction function;
  CUdeviceptr result;
  WORKS(cuModuleGetFunction(&function, module, name));
  WORKS(cuMemAlloc_v2(&result, bytes));
  void *parameters[] = {&result, &texture, &start, &step};
  WORKS(cuLaunchKernel(function, 1, 1, slices, LOOKUPS, rows, 1, 0, NULL, parameters, NULL));
  WORKS(cuMemcpyDtoH_v2(out, result, bytes));
  WORKS(cuMemFree_v2(result));
}

/* The texel that an index stands for; -1 for the border. */
static int index_of(long index, int size, CUaddress_mode mode) {
  if (index >= 0 && index < size) return (int)index;
  if (mode == CU_TR_ADDRESS_MODE_WRAP) return (int)(((index % size) + size) % size);
  if (mode == CU_TR_ADDRESS_MODE_BORDER) return -1;
  return index < 0 ? 0 : size - 1;
}

static long down(double value) {
  long whole = (long)value;
  return whole > value ? whole - 1 : whole;
}

/* frac(x), and 1 - frac(x) where floor(x) is odd. */
static double mirrored(double x) {
  long period = down(x);
  return period % 2 == 0 ? x - period : 1 - (x - period);
}

/* Two texels of an axis and the weight of the second one in 256ths; of the nearest texel alone it is 0. */
struct pair {
  int first, second, weight;
};

static struct pair pair_of(double x, int size, CUaddress_mode mode, CUfilter_mode filter, int normalized) {
  if (!normalized && mode != CU_TR_ADDRESS_MODE_BORDER) mode = CU_TR_ADDRESS_MODE_CLAMP;
  double u = (mode == CU_TR_ADDRESS_MODE_MIRROR ? mirrored(x) : x) * (normalized ? size : 1);
  if (filter == CU_TR_FILTER_MODE_POINT) {
    int at = index_of(down(u), size, mode);
    return (struct pair){at, at, 0};
  }
  long begin = down(u - 0.5);
  /* All coordinates here are multiples of an eighth, so the weight is whole. */
  return (struct pair){index_of(begin, size, mode), index_of(begin + 1, size, mode), (int)((u - 0.5 - begin) * 256)};
}

static double texel_at(const float *texels, struct pair x, struct pair y, struct pair z, int corner) {
  int at[3] = {corner & 1 ? x.second : x.first, corner & 2 ? y.second : y.first, corner & 4 ? z.second : z.first};
  if (at[0] < 0 || at[1] < 0 || at[2] < 0) return -1;
  return texels[(at[2] * (int)SIZE + at[1]) * (int)SIZE + at[0]];
}

static float expected(const float *texels, struct pair x, struct pair y, struct pair z) {
  double sum = 0;
  for (int corner = 0; corner < 8; corner++) {
    double weight = (corner & 1 ? x.weight : 256 - x.weight) * (double)(corner & 2 ? y.weight : 256 - y.weight) *
                    (corner & 4 ? z.weight : 256 - z.weight);
    if (weight > 0) sum += weight * texel_at(texels, x, y, z, corner);
  }
  return (float)(sum / (256.0 * 256 * 256));
}

static float texels[SIZE * SIZE * SIZE];

static void number_texels(void) {
  for (unsigned i = 0; i < SIZE * SIZE * SIZE; i++) texels[i] = (float)((i * 37) % 64);
}

/* Every address mode and filter, with coordinates in texels and from 0 to 1. */
static void compare(const char *name, CUarray array, unsigned rows, unsigned slices) {
  static const struct pair only = {0, 0, 0};
  float out[LOOKUPS * LOOKUPS * SIZE];
  for (unsigned mode = 0; mode < 4; mode++)
    for (unsigned filter = 0; filter < 2; filter++)
      for (int normalized = 0; normalized < 2; normalized++) {
        float start = normalized ? -0.8125f : -3.25f, step = normalized ? 0.34375f : 1.375f;
        CUtexObject texture = texture_of(array, mode, filter, normalized ? CU_TRSF_NORMALIZED_COORDINATES : 0);
        looked_up(name, texture, start, step, rows, slices, out, sizeof(float) * LOOKUPS * rows * slices);
        for (unsigned i = 0; i < LOOKUPS * rows * slices; i++) {
          struct pair pairs[3];
          unsigned at[3] = {i % LOOKUPS, i / LOOKUPS % rows, i / LOOKUPS / rows};
          for (int axis = 0; axis < 3; axis++) pairs[axis] = pair_of(start + step * at[axis], (int)SIZE, mode, filter, normalized);
          if (rows == 1) pairs[1] = only;
          if (slices == 1) pairs[2] = only;
          float want = expected(texels, pairs[0], pairs[1], pairs[2]);
          if (out[i] == want) continue;
          fprintf(stderr, "%s: mode %u filter %u normalized %d at %u,%u,%u: %g, not %g\n", name, mode, filter, normalized, at[0],
                  at[1], at[2], out[i], want);
          exit(99);
        }
        WORKS(cuTexObjectDestroy(texture));
      }
}

static void lines(void) {
  prepare();
  number_texels();
  CUarray array = array_of(SIZE, 0, 0, CU_AD_FORMAT_FLOAT, 1, 0);
  WORKS(cuMemcpyHtoA_v2(array, 0, texels, SIZE * sizeof *texels));
  compare("line", array, 1, 1);
}

static void planes(void) {
  prepare();
  number_texels();
  CUarray array = array_of(SIZE, SIZE, 0, CU_AD_FORMAT_FLOAT, 1, 0);
  CUDA_MEMCPY2D copy = {.srcMemoryType = CU_MEMORYTYPE_HOST, .srcHost = texels, .dstMemoryType = CU_MEMORYTYPE_ARRAY,
                        .dstArray = array, .WidthInBytes = SIZE * sizeof *texels, .Height = SIZE};
  WORKS(cuMemcpy2D_v2(&copy));
  compare("plane", array, LOOKUPS, 1);
}

static void volumes(void) {
  prepare();
  number_texels();
  CUarray array = array_of(SIZE, SIZE, SIZE, CU_AD_FORMAT_FLOAT, 1, 0);
  transfer(array, texels, SIZE * sizeof *texels, SIZE, SIZE, 1);
  compare("volume", array, LOOKUPS, SIZE);
}

static void layers(void) {
  float out[LOOKUPS * LOOKUPS * 3];
  prepare();
  number_texels();
  CUarray array = array_of(SIZE, SIZE, 3, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_LAYERED);
  transfer(array, texels, SIZE * sizeof *texels, SIZE, 3, 1);
  CUtexObject texture = texture_of(array, CU_TR_ADDRESS_MODE_CLAMP, CU_TR_FILTER_MODE_POINT, 0);
  looked_up("layers", texture, 0.5f, 1, LOOKUPS, 3, out, sizeof out);
  for (unsigned z = 0; z < 3; z++)
    for (unsigned y = 0; y < SIZE; y++)
      CHECK(memcmp(&out[(z * LOOKUPS + y) * LOOKUPS], &texels[(z * SIZE + y) * SIZE], SIZE * sizeof *texels) == 0);
  array = array_of(1, 1, 6, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_CUBEMAP);
  transfer(array, texels, sizeof *texels, 1, 6, 1);
  texture = texture_of(array, CU_TR_ADDRESS_MODE_CLAMP, CU_TR_FILTER_MODE_POINT, CU_TRSF_NORMALIZED_COORDINATES);
  CUfunction faces;
  CUdeviceptr result;
  WORKS(cuModuleGetFunction(&faces, module, "faces"));
  WORKS(cuMemAlloc_v2(&result, sizeof out));
  void *parameters[] = {&result, &texture};
  WORKS(launch_one(faces, 6, parameters));
  WORKS(cuMemcpyDtoH_v2(out, result, 6 * sizeof *out));
  CHECK(memcmp(out, texels, 6 * sizeof *out) == 0);
}

static void levels(void) {
  float out[LOOKUPS * LOOKUPS * 3];
  prepare();
  number_texels();
  CUmipmappedArray mipmapped;
  CUarray level;
  CUDA_ARRAY3D_DESCRIPTOR is = {SIZE, SIZE, 0, CU_AD_FORMAT_FLOAT, 1, 0};
  WORKS(cuMipmappedArrayCreate(&mipmapped, &is, 9));
  for (unsigned i = 0; i < 3; i++) {
    WORKS(cuMipmappedArrayGetLevel(&level, mipmapped, i));
    WORKS(cuArray3DGetDescriptor_v2(&is, level));
    CHECK(is.Width == SIZE >> i && is.Height == SIZE >> i && is.Depth == 0);
    transfer(level, &texels[16 * i], is.Width * sizeof *texels, is.Height, 1, 1);
  }
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMipmappedArrayGetLevel(&level, mipmapped, 3));
  GIVES(CUDA_ERROR_INVALID_HANDLE, cuArrayDestroy(level));
  CUtexObject texture, second;
  CUDA_RESOURCE_DESC resource = {.resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY, .res.mipmap.hMipmappedArray = mipmapped};
  CUDA_TEXTURE_DESC how = {.flags = 0, .maxMipmapLevelClamp = 10};
  GIVES(CUDA_ERROR_INVALID_VALUE, cuTexObjectCreate(&texture, &resource, &how, NULL));
  how.flags = CU_TRSF_NORMALIZED_COORDINATES;
  WORKS(cuTexObjectCreate(&texture, &resource, &how, NULL));
  looked_up("levels", texture, 0, 0.125f, LOOKUPS, 3, out, sizeof out);
  for (unsigned z = 0; z < 3; z++)
    for (unsigned y = 0; y < LOOKUPS; y++)
      for (unsigned x = 0; x < LOOKUPS; x++) {
        unsigned size = SIZE >> z;
        CHECK(out[(z * LOOKUPS + y) * LOOKUPS + x] == texels[16 * z + y * size / LOOKUPS * size + x * size / LOOKUPS]);
      }
  /* Seams are of cubes alone. */
  how.flags |= CU_TRSF_SEAMLESS_CUBEMAP;
  GIVES(CUDA_ERROR_INVALID_VALUE, cuTexObjectCreate(&second, &resource, &how, NULL));
  how.flags = CU_TRSF_NORMALIZED_COORDINATES;
  CUDA_RESOURCE_VIEW_DESC view = {0, SIZE, SIZE, 0, 1, 1, 0, 0, {0}}, same;
  WORKS(cuTexObjectCreate(&second, &resource, &how, &view));
  WORKS(cuTexObjectGetResourceViewDesc(&same, second));
  CHECK(memcmp(&view, &same, sizeof view) == 0);
  looked_up("levels", second, 0, 0.125f, 1, 1, out, LOOKUPS * sizeof *out);
  CHECK(out[0] == texels[16] && out[7] == texels[17]);
  view.lastMipmapLevel = 3;
  GIVES(CUDA_ERROR_INVALID_VALUE, cuTexObjectCreate(&second, &resource, &how, &view));
  /* One level as an array of its own. */
  WORKS(cuMipmappedArrayGetLevel(&level, mipmapped, 1));
  texture = texture_of(level, CU_TR_ADDRESS_MODE_CLAMP, CU_TR_FILTER_MODE_POINT, 0);
  looked_up("plane", texture, 0, 1, 2, 1, out, 2 * LOOKUPS * sizeof *out);
  CHECK(out[0] == texels[16] && out[1] == texels[17] && out[LOOKUPS] == texels[18] && out[LOOKUPS + 1] == texels[19]);
  WORKS(cuMipmappedArrayDestroy(mipmapped));
  GIVES(CUDA_ERROR_INVALID_HANDLE, cuArray3DGetDescriptor_v2(&is, level));
  GIVES(CUDA_ERROR_INVALID_HANDLE, cuTexObjectCreate(&texture, &resource, &how, NULL));
  /* One texel is its own smallest level. */
  is = (CUDA_ARRAY3D_DESCRIPTOR){1, 1, 0, CU_AD_FORMAT_FLOAT, 1, 0};
  WORKS(cuMipmappedArrayCreate(&mipmapped, &is, 2));
  WORKS(cuMipmappedArrayGetLevel(&level, mipmapped, 0));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMipmappedArrayGetLevel(&level, mipmapped, 1));
}

static void fractions(void) {
  unsigned char bytes[SIZE * SIZE * 4], back[sizeof bytes];
  float out[LOOKUPS * LOOKUPS * 4];
  prepare();
  for (unsigned i = 0; i < sizeof bytes; i++) bytes[i] = (unsigned char)(i * 73 + 5);
  CUarray array = array_of(SIZE, SIZE, 0, CU_AD_FORMAT_UNSIGNED_INT8, 4, 0);
  transfer(array, bytes, 4 * SIZE, SIZE, 1, 1);
  transfer(array, back, 4 * SIZE, SIZE, 1, 0);
  CHECK(memcmp(bytes, back, sizeof bytes) == 0);
  CUtexObject texture = texture_of(array, CU_TR_ADDRESS_MODE_CLAMP, CU_TR_FILTER_MODE_POINT, 0);
  looked_up("colours", texture, 0, 1, SIZE, 1, out, sizeof(float) * 4 * LOOKUPS * SIZE);
  for (unsigned y = 0; y < SIZE; y++)
    for (unsigned i = 0; i < 4 * SIZE; i++) CHECK(out[4 * LOOKUPS * y + i] == (float)(bytes[4 * SIZE * y + i] / 255.0));
  /* In the middle of four texels. */
  texture = texture_of(array, CU_TR_ADDRESS_MODE_CLAMP, CU_TR_FILTER_MODE_LINEAR, 0);
  looked_up("colours", texture, 1, 1, 1, 1, out, sizeof(float) * 4 * LOOKUPS);
  for (int i = 0; i < 4; i++)
    CHECK(out[i] == (float)((bytes[i] + bytes[4 + i] + bytes[16 + i] + bytes[20 + i]) / 255.0 / 4));
  texture = texture_of(array, CU_TR_ADDRESS_MODE_CLAMP, CU_TR_FILTER_MODE_POINT, CU_TRSF_READ_AS_INTEGER);
  looked_up("bytes", texture, 0, 0, SIZE, 1, out, sizeof(float) * LOOKUPS * SIZE);
  for (unsigned y = 0; y < SIZE; y++) CHECK(memcmp(&out[LOOKUPS * y], &bytes[4 * SIZE * y], 4 * SIZE) == 0);
  /* A linear filter of what stays an integer rounds, here at the corners of texels. */
  float near[LOOKUPS * SIZE];
  texture = texture_of(array, CU_TR_ADDRESS_MODE_CLAMP, CU_TR_FILTER_MODE_LINEAR, CU_TRSF_READ_AS_INTEGER);
  looked_up("bytes", texture, 0, 0, SIZE, 1, near, sizeof near);
  for (unsigned y = 0; y < SIZE; y++)
    for (unsigned i = 0; i < 4 * SIZE; i++) {
      unsigned left = i < 4 ? i : i - 4, above = y == 0 ? 0 : y - 1;
      unsigned sum = bytes[4 * SIZE * above + left] + bytes[4 * SIZE * above + i] + bytes[4 * SIZE * y + left] + bytes[4 * SIZE * y + i];
      CHECK(((unsigned char *)near)[4 * LOOKUPS * y + i] == (sum + 1 + (sum / 4 & 1)) / 4);
    }
  CUDA_TEXTURE_DESC how;
  WORKS(cuTexObjectGetTextureDesc(&how, texture));
  CHECK(how.filterMode == CU_TR_FILTER_MODE_LINEAR && how.flags == CU_TRSF_READ_AS_INTEGER);
}

static void memory(void) {
  float out[LOOKUPS * LOOKUPS];
  CUtexObject texture;
  CUdeviceptr pitched;
  size_t pitch;
  prepare();
  number_texels();
  CUdeviceptr plain = device_copy(texels, sizeof texels);
  CUDA_RESOURCE_DESC resource = {.resType = CU_RESOURCE_TYPE_LINEAR,
                                 .res.linear = {plain, CU_AD_FORMAT_FLOAT, 1, 4 * sizeof *texels}};
  CUDA_TEXTURE_DESC how = {.filterMode = CU_TR_FILTER_MODE_POINT};
  WORKS(cuTexObjectCreate(&texture, &resource, &how, NULL));
  looked_up("fetch", texture, 0, 0, 1, 1, out, LOOKUPS * sizeof *out);
  CHECK(memcmp(&out[2], texels, 4 * sizeof *texels) == 0);
  CHECK(out[0] == 0 && out[1] == 0 && out[6] == 0 && out[7] == 0);
  resource.res.linear.sizeInBytes = sizeof texels + 4;
  GIVES(CUDA_ERROR_INVALID_VALUE, cuTexObjectCreate(&texture, &resource, &how, NULL));
  resource.res.linear.sizeInBytes = 16, resource.res.linear.devPtr += 4;
  GIVES(CUDA_ERROR_INVALID_VALUE, cuTexObjectCreate(&texture, &resource, &how, NULL));
  WORKS(cuMemAllocPitch_v2(&pitched, &pitch, SIZE * sizeof *texels, SIZE, 4));
  for (unsigned y = 0; y < SIZE; y++) WORKS(cuMemcpyHtoD_v2(pitched + y * pitch, &texels[y * SIZE], SIZE * sizeof *texels));
  resource = (CUDA_RESOURCE_DESC){.resType = CU_RESOURCE_TYPE_PITCH2D,
                                  .res.pitch2D = {pitched, CU_AD_FORMAT_FLOAT, 1, SIZE, SIZE, pitch}};
  WORKS(cuTexObjectCreate(&texture, &resource, &how, NULL));
  looked_up("plane", texture, 0, 1, SIZE, 1, out, LOOKUPS * SIZE * sizeof *out);
  for (unsigned y = 0; y < SIZE; y++) CHECK(memcmp(&out[LOOKUPS * y], &texels[SIZE * y], SIZE * sizeof *texels) == 0);
  resource.res.pitch2D.height = 1000;
  GIVES(CUDA_ERROR_INVALID_VALUE, cuTexObjectCreate(&texture, &resource, &how, NULL));
}

static void surfaces(void) {
  float rows[SIZE][SIZE];
  CUsurfObject surface;
  CUfunction paint, twice;
  CUDA_RESOURCE_DESC same;
  prepare();
  WORKS(cuModuleGetFunction(&paint, module, "paint"));
  WORKS(cuModuleGetFunction(&twice, module, "twice"));
  CUarray plain = array_of(SIZE, SIZE, 0, CU_AD_FORMAT_FLOAT, 1, 0);
  CUDA_RESOURCE_DESC resource = {.resType = CU_RESOURCE_TYPE_ARRAY, .res.array.hArray = plain};
  GIVES(CUDA_ERROR_INVALID_VALUE, cuSurfObjectCreate(&surface, &resource));
  resource.res.array.hArray = array_of(SIZE, SIZE, 0, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_SURFACE_LDST);
  WORKS(cuSurfObjectCreate(&surface, &resource));
  WORKS(cuSurfObjectGetResourceDesc(&same, surface));
  CHECK(same.res.array.hArray == resource.res.array.hArray);
  float first = 3;
  void *painted[] = {&surface, &first}, *doubled[] = {&surface};
  WORKS(cuLaunchKernel(paint, 1, 1, 1, SIZE, SIZE, 1, 0, NULL, painted, NULL));
  WORKS(cuLaunchKernel(twice, 1, 1, 1, SIZE, SIZE, 1, 0, NULL, doubled, NULL));
  transfer(same.res.array.hArray, rows, sizeof *rows, SIZE, 1, 0);
  for (unsigned y = 0; y < SIZE; y++)
    for (unsigned x = 0; x < SIZE; x++) CHECK(rows[y][x] == (float)(2 * (3 + x + 10 * y)));
  WORKS(cuSurfObjectDestroy(surface));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuSurfObjectDestroy(surface));
}

static void array_copies(void) {
  unsigned short numbers[24], back[24];
  prepare();
  for (int i = 0; i < 24; i++) numbers[i] = (unsigned short)(1000 + i);
  CUarray array = array_of(6, 4, 0, CU_AD_FORMAT_UNSIGNED_INT16, 1, 0), other = array_of(4, 6, 0, CU_AD_FORMAT_HALF, 1, 0);
  /* Behind each other, through the ends of rows. */
  WORKS(cuMemcpyHtoAAsync_v2(array, 0, numbers, 8, NULL));
  WORKS(cuMemcpyHtoA_v2(array, 8, &numbers[4], 40));
  WORKS(cuMemcpyAtoH_v2(back, array, 0, sizeof back));
  CHECK(memcmp(numbers, back, sizeof back) == 0);
  WORKS(cuMemcpyAtoA_v2(other, 0, array, 0, sizeof back));
  memset(back, 0, sizeof back);
  WORKS(cuMemcpyAtoHAsync_v2(back, other, 2, sizeof back - 2, NULL));
  CHECK(memcmp(&numbers[1], back, sizeof back - 2) == 0);
  CUdeviceptr device = device_copy(numbers, sizeof numbers);
  WORKS(cuMemcpyDtoA_v2(other, 10, device, 12));
  WORKS(cuMemcpyAtoD_v2(device + 24, other, 10, 12));
  WORKS(cuMemcpyDtoH_v2(back, device, sizeof back));
  CHECK(memcmp(&back[12], numbers, 12) == 0);
  /* A box in the middle, from array to array. */
  CUDA_MEMCPY2D copy = {.srcMemoryType = CU_MEMORYTYPE_ARRAY, .srcArray = array, .srcXInBytes = 2, .srcY = 1,
                        .dstMemoryType = CU_MEMORYTYPE_ARRAY, .dstArray = other, .dstXInBytes = 4, .dstY = 3,
                        .WidthInBytes = 4, .Height = 3};
  WORKS(cuMemcpy2DAsync_v2(&copy, NULL));
  WORKS(cuMemcpyAtoH_v2(back, other, 0, sizeof back));
  for (int y = 0; y < 3; y++) CHECK(memcmp(&back[4 * (y + 3) + 2], &numbers[6 * (y + 1) + 1], 4) == 0);
  copy.Height = 4;
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpy2D_v2(&copy));
  copy.Height = 1, copy.srcXInBytes = 1;
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpy2D_v2(&copy));
  copy.srcXInBytes = 0, copy.srcArray = (CUarray)back;
  GIVES(CUDA_ERROR_INVALID_HANDLE, cuMemcpy2D_v2(&copy));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoA_v2(array, 2, numbers, sizeof numbers));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoA_v2(array, 1, numbers, 2));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpyAtoA_v2(other, 2, array, 0, sizeof numbers));
}

static void bad_arrays(void) {
  CUarray array;
  size_t before, after, total;
  CUcontext context = begin();
  WORKS(cuMemGetInfo_v2(&before, &total));
  CUDA_ARRAY3D_DESCRIPTOR is = {0, 4, 0, CU_AD_FORMAT_FLOAT, 1, 0};
  GIVES(CUDA_ERROR_INVALID_VALUE, cuArray3DCreate_v2(&array, &is));
  is.Width = 1 << 20;
  GIVES(CUDA_ERROR_INVALID_VALUE, cuArray3DCreate_v2(&array, &is));
  is.Width = (size_t)-1;
  GIVES(CUDA_ERROR_INVALID_VALUE, cuArray3DCreate_v2(&array, &is));
  is.Width = 16384, is.Height = is.Depth = 16384;
  GIVES(CUDA_ERROR_OUT_OF_MEMORY, cuArray3DCreate_v2(&array, &is));
  is.Width = is.Height = is.Depth = 4, is.NumChannels = 3;
  GIVES(CUDA_ERROR_INVALID_VALUE, cuArray3DCreate_v2(&array, &is));
  is.NumChannels = 1, is.Format = 7;
  GIVES(CUDA_ERROR_INVALID_VALUE, cuArray3DCreate_v2(&array, &is));
  /* CU_AD_FORMAT_UNORM_INT_101010_2, CU_AD_FORMAT_UNORM_INT8X1, CU_AD_FORMAT_SNORM_INT16X4: the first, one, and the last. */
  static const unsigned absent[] = {0x50, 0xc0, 0xcb}, none[] = {0x4f, 0xcc};
  for (int i = 0; i < COUNT(absent); i++) {
    is.Format = absent[i];
    GIVES(CUDA_ERROR_NOT_SUPPORTED, cuArray3DCreate_v2(&array, &is));
  }
  for (int i = 0; i < COUNT(none); i++) {
    is.Format = none[i];
    GIVES(CUDA_ERROR_INVALID_VALUE, cuArray3DCreate_v2(&array, &is));
  }
  is.Format = CU_AD_FORMAT_FLOAT, is.Flags = CUDA_ARRAY3D_CUBEMAP;
  GIVES(CUDA_ERROR_INVALID_VALUE, cuArray3DCreate_v2(&array, &is));
  is.Flags = CUDA_ARRAY3D_SPARSE;
  GIVES(CUDA_ERROR_NOT_SUPPORTED, cuArray3DCreate_v2(&array, &is));
  is.Flags = 1 << 20;
  GIVES(CUDA_ERROR_INVALID_VALUE, cuArray3DCreate_v2(&array, &is));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuArray3DCreate_v2(NULL, &is));
  GIVES(CUDA_ERROR_INVALID_HANDLE, cuArrayDestroy(NULL));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuTexObjectDestroy(12345));
  array = array_of(100, 100, 0, CU_AD_FORMAT_FLOAT, 4, 0);
  CUtexObject texture = texture_of(array, CU_TR_ADDRESS_MODE_WRAP, CU_TR_FILTER_MODE_LINEAR, 0);
  WORKS(cuMemGetInfo_v2(&after, &total));
  CHECK(after <= before - 160000);
  WORKS(cuCtxDestroy_v2(context));
  begin();
  GIVES(CUDA_ERROR_INVALID_HANDLE, cuArrayDestroy(array));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuTexObjectDestroy(texture));
  WORKS(cuMemGetInfo_v2(&after, &total));
  CHECK(after == before);
}

/* A texture whose array is gone. */
static void gone(void) {
  float out[LOOKUPS];
  prepare();
  number_texels();
  CUarray array = array_of(SIZE, 0, 0, CU_AD_FORMAT_FLOAT, 1, 0);
  WORKS(cuMemcpyHtoA_v2(array, 0, texels, SIZE * sizeof *texels));
  CUtexObject texture = texture_of(array, CU_TR_ADDRESS_MODE_CLAMP, CU_TR_FILTER_MODE_POINT, 0);
  looked_up("line", texture, 0, 1, 1, 1, out, sizeof out);
  WORKS(cuArrayDestroy(array));
  CUfunction function;
  CUdeviceptr result;
  float start = 0, step = 1;
  WORKS(cuModuleGetFunction(&function, module, "line"));
  WORKS(cuMemAlloc_v2(&result, sizeof out));
  void *parameters[] = {&result, &texture, &start, &step};
  WORKS(launch_one(function, LOOKUPS, parameters));
  GIVES(CUDA_ERROR_LAUNCH_FAILED, cuCtxSynchronize());
}

/* For `--record`: texels that come through a texture, a surface that is painted, and a texture that is gone. */
static void recorded(void) {
  fractions();
  surfaces();
  gone();
}

static const struct part_of_test parts[] = {
    {"lines", lines},         {"planes", planes},     {"volumes", volumes},           {"layers", layers},
    {"levels", levels},       {"fractions", fractions}, {"memory", memory},           {"surfaces", surfaces},
    {"array_copies", array_copies}, {"bad_arrays", bad_arrays}, {"gone", gone},       {"recorded", recorded},
};

int main(int argc, char **argv) { return run_part(parts, COUNT(parts), argc, argv); }
