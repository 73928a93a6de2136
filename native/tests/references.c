/* Texture and surface references: variables of a module that the host binds. */
#include "driver-check.h"
#include "reference-kernels.h"

static CUmodule module;

static void prepare(void) {
  begin();
  WORKS(cuModuleLoadData(&module, referring));
}

static void looked_up(const char *name, void *out) {
  CUfunction function;
  CUdeviceptr to;
  void *parameters[] = {&to};
  WORKS(cuModuleGetFunction(&function, module, name));
  WORKS(cuMemAlloc_v2(&to, 16));
  WORKS(launch_one(function, 4, parameters));
  WORKS(cuMemcpyDtoH_v2(out, to, 16));
  WORKS(cuMemFree_v2(to));
}

static CUarray array_of(CUarray_format format, size_t height, const void *texels, size_t bytes) {
  CUarray array;
  CUDA_ARRAY3D_DESCRIPTOR is = {4, height, 0, format, 1, CUDA_ARRAY3D_SURFACE_LDST};
  WORKS(cuArray3DCreate_v2(&array, &is));
  CUDA_MEMCPY2D copy = {.srcMemoryType = CU_MEMORYTYPE_HOST, .srcHost = texels, .dstMemoryType = CU_MEMORYTYPE_ARRAY,
                        .dstArray = array, .WidthInBytes = bytes, .Height = 1};
  WORKS(cuMemcpy2D_v2(&copy));
  return array;
}

static void bind_arrays(void) {
  prepare();
  static const float rows[2][4] = {{1, 2, 4, 8}, {-1, -2, -4, -8}};
  static const unsigned char bytes[] = {0, 51, 102, 255};
  float out[4];
  CUtexref texture, again;
  CUarray array = array_of(CU_AD_FORMAT_FLOAT, 1, rows[0], 16), other = array_of(CU_AD_FORMAT_FLOAT, 1, rows[1], 16), given;
  GIVES(CUDA_ERROR_NOT_FOUND, cuModuleGetTexRef(&texture, module, "none"));
  GIVES(CUDA_ERROR_NOT_FOUND, cuModuleGetTexRef(&texture, module, "canvas"));
  WORKS(cuModuleGetTexRef(&texture, module, "plane"));
  WORKS(cuModuleGetTexRef(&again, module, "plane"));
  CHECK(texture == again);
  /* What the module says, then what is set. */
  CUaddress_mode mode;
  CUfilter_mode filter;
  unsigned flags;
  WORKS(cuTexRefGetAddressMode(&mode, texture, 0));
  WORKS(cuTexRefGetFilterMode(&filter, texture));
  WORKS(cuTexRefGetFlags(&flags, texture));
  CHECK(mode == CU_TR_ADDRESS_MODE_MIRROR && filter == CU_TR_FILTER_MODE_LINEAR && flags == 0);
  WORKS(cuTexRefGetAddressMode(&mode, texture, 1));
  CHECK(mode == CU_TR_ADDRESS_MODE_CLAMP);
  GIVES(CUDA_ERROR_INVALID_VALUE, cuTexRefGetArray(&given, texture));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuTexRefSetArray(texture, array, 0));
  WORKS(cuTexRefSetArray(texture, array, 1));
  WORKS(cuTexRefGetArray(&given, texture));
  CHECK(given == array);
  looked_up("look", out);
  CHECK(memcmp(out, rows[0], 16) == 0);
  WORKS(cuTexRefSetArray(texture, other, 1));
  looked_up("look", out);
  CHECK(memcmp(out, rows[1], 16) == 0);
  /* Each coordinate is half way through the image, where they run from 0 to 1 and wrap. */
  WORKS(cuTexRefSetFlags(texture, CU_TRSF_NORMALIZED_COORDINATES));
  WORKS(cuTexRefSetFilterMode(texture, CU_TR_FILTER_MODE_POINT));
  WORKS(cuTexRefSetAddressMode(texture, 0, CU_TR_ADDRESS_MODE_WRAP));
  looked_up("look", out);
  for (int i = 0; i < 4; i++) CHECK(out[i] == -4);
  GIVES(CUDA_ERROR_INVALID_VALUE, cuTexRefSetAddressMode(texture, 3, CU_TR_ADDRESS_MODE_WRAP));
  /* Integers are fractions of the largest unless the flags say otherwise. */
  WORKS(cuTexRefSetFlags(texture, 0));
  WORKS(cuTexRefSetArray(texture, array_of(CU_AD_FORMAT_UNSIGNED_INT8, 1, bytes, 4), 1));
  looked_up("look", out);
  CHECK(out[0] == 0 && out[1] == 0.2f && out[3] == 1);
  /* Rows with a pitch. */
  CUdeviceptr memory = device_copy(rows, sizeof rows), address;
  CUDA_ARRAY_DESCRIPTOR is = {4, 1, CU_AD_FORMAT_FLOAT, 1};
  WORKS(cuTexRefSetAddress2D_v3(texture, &is, memory, 32));
  WORKS(cuTexRefGetAddress_v2(&address, texture));
  CHECK(address == memory);
  looked_up("look", out);
  CHECK(memcmp(out, rows[0], 16) == 0);
}

/* What is set is what is asked for; the first level of a mipmapped array is looked up like any array. */
static void set_fields(void) {
  prepare();
  CUtexref texture;
  CUaddress_mode mode;
  CUfilter_mode filter;
  CUmipmappedArray mipmapped, given;
  CUarray level;
  CUarray_format format;
  CUDA_ARRAY3D_DESCRIPTOR is = {4, 1, 0, CU_AD_FORMAT_FLOAT, 1, 0};
  float bias, least, most, colour[4], rows[4] = {1, 2, 3, 4}, out[4];
  unsigned flags;
  int anisotropy, channels;
  WORKS(cuModuleGetTexRef(&texture, module, "plane"));
  for (int i = 0; i < 3; i++) {
    WORKS(cuTexRefSetAddressMode(texture, i, CU_TR_ADDRESS_MODE_BORDER - i));
    WORKS(cuTexRefGetAddressMode(&mode, texture, i));
    CHECK(mode == CU_TR_ADDRESS_MODE_BORDER - (unsigned)i);
  }
  GIVES(CUDA_ERROR_INVALID_VALUE, cuTexRefGetAddressMode(&mode, texture, 3));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuTexRefSetAddressMode(texture, 0, (CUaddress_mode)4));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuTexRefSetFilterMode(texture, (CUfilter_mode)2));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuTexRefSetMipmapFilterMode(texture, (CUfilter_mode)2));
  WORKS(cuTexRefSetMipmapFilterMode(texture, CU_TR_FILTER_MODE_LINEAR));
  WORKS(cuTexRefGetMipmapFilterMode(&filter, texture));
  CHECK(filter == CU_TR_FILTER_MODE_LINEAR);
  WORKS(cuTexRefSetMipmapLevelBias(texture, 0.5f));
  WORKS(cuTexRefGetMipmapLevelBias(&bias, texture));
  WORKS(cuTexRefSetMipmapLevelClamp(texture, 0, 2));
  WORKS(cuTexRefGetMipmapLevelClamp(&least, &most, texture));
  CHECK(bias == 0.5f && least == 0 && most == 2);
  WORKS(cuTexRefSetMaxAnisotropy(texture, 4));
  WORKS(cuTexRefGetMaxAnisotropy(&anisotropy, texture));
  CHECK(anisotropy == 4);
  WORKS(cuTexRefSetBorderColor(texture, (float[]){1, 2, 3, 4}));
  WORKS(cuTexRefGetBorderColor(colour, texture));
  CHECK(colour[0] == 1 && colour[3] == 4);
  GIVES(CUDA_ERROR_INVALID_VALUE, cuTexRefGetFormat(&format, &channels, texture));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuTexRefSetFormat(texture, CU_AD_FORMAT_FLOAT, 3));
  WORKS(cuMipmappedArrayCreate(&mipmapped, &is, 2));
  WORKS(cuMipmappedArrayGetLevel(&level, mipmapped, 0));
  CUDA_MEMCPY2D copy = {.srcMemoryType = CU_MEMORYTYPE_HOST, .srcHost = rows, .dstMemoryType = CU_MEMORYTYPE_ARRAY,
                        .dstArray = level, .WidthInBytes = 16, .Height = 1};
  WORKS(cuMemcpy2D_v2(&copy));
  WORKS(cuTexRefSetMipmappedArray(texture, mipmapped, 1));
  WORKS(cuTexRefGetMipmappedArray(&given, texture));
  CHECK(given == mipmapped);
  GIVES(CUDA_ERROR_INVALID_VALUE, cuTexRefGetArray(&level, texture));
  WORKS(cuTexRefSetFlags(texture, CU_TRSF_NORMALIZED_COORDINATES));
  WORKS(cuTexRefGetFlags(&flags, texture));
  CHECK(flags == CU_TRSF_NORMALIZED_COORDINATES);
  /* Half way through the image, nearest, and beyond it the border. */
  WORKS(cuTexRefSetFilterMode(texture, CU_TR_FILTER_MODE_POINT));
  WORKS(cuTexRefSetMipmapLevelBias(texture, 0));
  WORKS(cuTexRefSetMipmapLevelClamp(texture, 0, 0));
  looked_up("look", out);
  CHECK(out[0] == 3 && out[1] == 1 && out[3] == 1);
}

static void bind_memory(void) {
  prepare();
  static const unsigned words[] = {7, 8, 9, 10, 11};
  unsigned out[4];
  CUtexref texture, loose;
  CUarray_format format;
  size_t offset;
  int channels;
  CUdeviceptr memory = device_copy(words, sizeof words);
  WORKS(cuModuleGetTexRef(&texture, module, "line"));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuTexRefSetAddress_v2(NULL, texture, memory + 4, 16));
  WORKS(cuTexRefSetAddress_v2(&offset, texture, memory + 4, 16));
  CHECK(offset == 4);
  WORKS(cuTexRefSetFormat(texture, CU_AD_FORMAT_UNSIGNED_INT32, 1));
  WORKS(cuTexRefGetFormat(&format, &channels, texture));
  CHECK(format == CU_AD_FORMAT_UNSIGNED_INT32 && channels == 1);
  WORKS(cuTexRefSetFlags(texture, CU_TRSF_READ_AS_INTEGER));
  looked_up("fetch", out);
  CHECK(memcmp(out, words, 16) == 0);
  WORKS(cuTexRefCreate(&loose));
  WORKS(cuTexRefSetAddress_v2(NULL, loose, memory, 16));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuTexRefDestroy(texture));
  WORKS(cuTexRefDestroy(loose));
  GIVES(CUDA_ERROR_INVALID_HANDLE, cuTexRefDestroy(loose));
}

/* Memory that the process has: a launch finds what is there when it begins. */
static void bind_shared(void) {
  prepare();
  static const unsigned words[] = {7, 8, 9, 10};
  CUtexref line, plane;
  CUdeviceptr managed;
  unsigned out[4];
  float rows[4];
  CUDA_ARRAY_DESCRIPTOR is = {4, 2, CU_AD_FORMAT_FLOAT, 1};
  WORKS(cuMemAllocManaged(&managed, 48, 1));
  unsigned *shared = (unsigned *)(uintptr_t)managed;
  WORKS(cuModuleGetTexRef(&line, module, "line"));
  WORKS(cuTexRefSetFormat(line, CU_AD_FORMAT_UNSIGNED_INT32, 1));
  WORKS(cuTexRefSetFlags(line, CU_TRSF_READ_AS_INTEGER));
  WORKS(cuTexRefSetAddress_v2(NULL, line, managed, 16));
  memcpy(shared, words, sizeof words);
  looked_up("fetch", out);
  CHECK(memcmp(out, words, 16) == 0);
  shared[3] = 70;
  looked_up("fetch", out);
  CHECK(out[2] == 9 && out[3] == 70);
  WORKS(cuModuleGetTexRef(&plane, module, "plane"));
  WORKS(cuTexRefSetAddress2D_v3(plane, &is, managed, 32));
  memcpy(shared, (float[]){1, 2, 3, 4}, 16);
  looked_up("look", rows);
  CHECK(rows[0] == 1 && rows[3] == 4);
  is.Height = 3;
  WORKS(cuTexRefSetAddress2D_v3(plane, &is, managed, 32));
  CUfunction function;
  WORKS(cuModuleGetFunction(&function, module, "look"));
  GIVES(CUDA_ERROR_INVALID_VALUE, launch_one(function, 4, (void *[]){&managed}));
  is.Height = 2;
  WORKS(cuTexRefSetAddress2D_v3(plane, &is, managed, 32));
  looked_up("look", rows);
  CUdeviceptr to = device_copy(words, sizeof words);
  WORKS(cuMemFree_v2(managed));
  WORKS(launch_one(function, 4, (void *[]){&to}));
  GIVES(CUDA_ERROR_LAUNCH_FAILED, cuCtxSynchronize());
}

static void paint(void) {
  prepare();
  unsigned words[] = {1, 2, 3, 4};
  CUsurfref surface;
  CUarray array = array_of(CU_AD_FORMAT_UNSIGNED_INT32, 0, words, 16), given;
  CUfunction function;
  GIVES(CUDA_ERROR_NOT_FOUND, cuModuleGetSurfRef(&surface, module, "line"));
  WORKS(cuModuleGetSurfRef(&surface, module, "canvas"));
  WORKS(cuSurfRefSetArray(surface, array, 0));
  WORKS(cuSurfRefGetArray(&given, surface));
  CHECK(given == array);
  WORKS(cuModuleGetFunction(&function, module, "paint"));
  WORKS(launch_one(function, 4, NULL));
  WORKS(cuMemcpyAtoH_v2(words, array, 0, 16));
  CHECK(words[0] == 101 && words[3] == 104);
}

/* What is bound to memory that is gone faults. */
static void lose_memory(void) {
  prepare();
  CUtexref texture;
  CUfunction function;
  CUdeviceptr memory;
  void *parameters[] = {&memory};
  WORKS(cuMemAlloc_v2(&memory, 16));
  WORKS(cuModuleGetTexRef(&texture, module, "line"));
  WORKS(cuTexRefSetFormat(texture, CU_AD_FORMAT_UNSIGNED_INT32, 1));
  WORKS(cuTexRefSetAddress_v2(NULL, texture, memory, 16));
  WORKS(cuModuleGetFunction(&function, module, "fetch"));
  WORKS(launch_one(function, 4, parameters));
  WORKS(cuMemFree_v2(memory));
  WORKS(cuMemAlloc_v2(&memory, 16));
  WORKS(launch_one(function, 4, parameters));
  GIVES(CUDA_ERROR_LAUNCH_FAILED, cuCtxSynchronize());
}

static void run_references(void) {
  bind_arrays();
  set_fields();
  bind_memory();
  bind_shared();
  paint();
  lose_memory();
}

static const struct part_of_test parts[] = {{"references", run_references}};

int main(int argc, char **argv) { return run_part(parts, COUNT(parts), argc, argv); }
