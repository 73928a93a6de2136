/* cudaDeviceProp, whose layout is another one in each version of CUDA. */
#include <string.h>

#include "runtime.h"
#include "state.h"

/* A number of the structure: its bytes, the versions that have it, and the attribute of the device that it is; 0 for none. */
struct field {
  unsigned char bytes, since, before;
  short attribute;
};

#define ALWAYS(attribute) {sizeof(int), 11, 99, attribute}
#define SIZE(attribute) {sizeof(size_t), 11, 99, attribute}
#define BEFORE_13(attribute) {sizeof(int), 11, 13, attribute}
#define SINCE_12(attribute) {sizeof(int), 12, 99, attribute}

/* In order, behind the name, the two identifiers and the size of memory. */
static const struct field fields[] = {
    /* shared memory and registers of a block, warp, pitch, threads of a block, sizes of blocks and grids */
    SIZE(8), ALWAYS(12), ALWAYS(10), SIZE(11), ALWAYS(1), ALWAYS(2), ALWAYS(3), ALWAYS(4), ALWAYS(5), ALWAYS(6), ALWAYS(7),
    /* clock, constant memory, compute capability, alignment of textures */
    BEFORE_13(13), SIZE(9), ALWAYS(75), ALWAYS(76), SIZE(14), SIZE(51),
    /* overlap, multiprocessors, time limit, integrated, mapped host memory, mode of computing */
    BEFORE_13(15), ALWAYS(16), BEFORE_13(17), ALWAYS(18), ALWAYS(19), BEFORE_13(20),
    /* textures: 1D, mipmapped, linear; 2D of four kinds; 3D of two kinds; cubemap; layered ones */
    ALWAYS(21), ALWAYS(77), BEFORE_13(69), ALWAYS(22), ALWAYS(23), ALWAYS(73), ALWAYS(74), ALWAYS(70), ALWAYS(71), ALWAYS(72),
    ALWAYS(45), ALWAYS(46), ALWAYS(24), ALWAYS(25), ALWAYS(26), ALWAYS(47), ALWAYS(48), ALWAYS(49), ALWAYS(52), ALWAYS(42),
    ALWAYS(43), ALWAYS(27), ALWAYS(28), ALWAYS(29), ALWAYS(53), ALWAYS(54),
    /* surfaces, and their alignment */
    ALWAYS(55), ALWAYS(56), ALWAYS(57), ALWAYS(58), ALWAYS(59), ALWAYS(60), ALWAYS(61), ALWAYS(62), ALWAYS(63), ALWAYS(64),
    ALWAYS(65), ALWAYS(66), ALWAYS(67), ALWAYS(68), SIZE(30),
    /* concurrent kernels, ECC, PCI, TCC, engines of copies, unified addresses, clock of memory, bus, L2 */
    ALWAYS(31), ALWAYS(32), ALWAYS(33), ALWAYS(34), ALWAYS(50), ALWAYS(35), ALWAYS(40), ALWAYS(41), BEFORE_13(36), ALWAYS(37),
    ALWAYS(38), ALWAYS(108),
    /* of a multiprocessor: threads; priorities; L1 for global and local; shared memory, registers */
    ALWAYS(39), ALWAYS(78), ALWAYS(79), ALWAYS(80), SIZE(81), ALWAYS(82),
    /* managed memory, boards, atomics with the host, ratio to double, pageable and managed memory, preemption, registered */
    ALWAYS(83), ALWAYS(84), ALWAYS(85), ALWAYS(86), BEFORE_13(87), ALWAYS(88), ALWAYS(89), ALWAYS(90), ALWAYS(91),
    /* cooperative launches, shared memory to opt in for, page tables, managed memory from the host, blocks, windows of L2 */
    ALWAYS(95), BEFORE_13(96), SIZE(97), ALWAYS(100), ALWAYS(101), ALWAYS(106), ALWAYS(109), SIZE(111),
    /* registered host memory, sparse arrays, read-only, semaphores, pools, RDMA, deferred arrays, events, clusters, pointers */
    SINCE_12(99), SINCE_12(112), SINCE_12(113), SINCE_12(114), SINCE_12(115), SINCE_12(116), SINCE_12(117), SINCE_12(118),
    SINCE_12(119), SINCE_12(121), SINCE_12(125), SINCE_12(120), SINCE_12(129),
};
#define COUNT (sizeof fields / sizeof *fields)

static cudaError_t properties(unsigned char *to, int device, int version) {
  BEGIN;
  NEEDS(to != NULL);
  if (device != 0) return fails(cudaErrorInvalidDevice);
  size_t memory, at = 256;
  memset(to, 0, at);
  cuDeviceGetName((char *)to, 256, device);
  cuDeviceGetUuid_v2((CUuuid *)(to + at), device);
  at += sizeof(CUuuid);
  /* The identifiers of Windows. */
  memset(to + at, 0, 16);
  at += 16;
  cuDeviceTotalMem_v2(&memory, device);
  memcpy(to + at, &memory, sizeof memory);
  at += sizeof memory;
  for (size_t i = 0; i < COUNT; i++) {
    struct field field = fields[i];
    if (version < field.since || version >= field.before) continue;
    size_t start = (at + field.bytes - 1) / field.bytes * field.bytes;
    memset(to + at, 0, start - at);
    int value = 0;
    cuDeviceGetAttribute(&value, field.attribute, device);
    if (field.bytes == sizeof value)
      memcpy(to + start, &value, sizeof value);
    else
      memcpy(to + start, &(size_t){(size_t)value}, sizeof(size_t));
    at = start + field.bytes;
  }
  /* What else there is counts nodes of memory and boards. */
  const size_t sizes[] = {728, 1032, 1008};
  memset(to + at, 0, sizes[version - 11] - at);
  return cudaSuccess;
}

/* In CUDA 12, programs of CUDA 11 find the old layout by the old name. */
API cudaError_t cudaGetDeviceProperties(void *to, int device) {
  return properties(to, device, CUDART_MAJOR == 12 ? 11 : CUDART_MAJOR);
}

API cudaError_t cudaGetDeviceProperties_v2(void *to, int device) {
  return properties(to, device, CUDART_MAJOR == 11 ? 12 : CUDART_MAJOR);
}
