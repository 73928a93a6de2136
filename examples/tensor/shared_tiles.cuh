// Where an element of a tile lies in shared memory for wgmma and tcgen05, and the descriptors for it. The layouts are those that the
// manual calls canonical; how a tile is cut into panels is the kernel's choice.
#pragma once
typedef unsigned Word;
typedef unsigned char Byte;
typedef unsigned long long Long;
__device__ inline Word shared(const void* p) { return (Word)__cvta_generic_to_shared(p); }

/// Bytes of a row of a swizzle pattern: 16 (no swizzle), 32, 64, 128.
enum Swizzle { None = 16, By32 = 32, By64 = 64, By128 = 128 };

/// Bits 4 to 6 of an offset change with bits 7 to 9, as many of them as the pattern has.
__device__ inline Word swizzled(Word offset, int width) { return offset ^ (offset >> 7 & (width / 16 - 1)) << 4; }

/// K is contiguous: rows of K bytes, cut into panels of `width` bytes, one panel after the other.
struct KMajor {
  int width, rows;
  __device__ Word at(int row, int byte) const {
    return swizzled(byte / width * width * rows + row * width + byte % width, width);
  }
  /// Where the 32 bytes begin that an instruction takes, `step` steps further.
  __device__ Word begin(int step) const {
    const int byte = step * 32;
    return width == None ? byte / 16 * 16 * rows : byte / width * width * rows + byte % width;
  }
  __device__ Word leading() const { return width == None ? 16 * rows : 16; }
  __device__ Word stride() const { return 8 * width; }
};

/// The rows are contiguous (16-bit elements): groups of width / 2 rows and 8 columns.
struct MNMajor {
  int width, rows, columns;
  __device__ Word at(int row, int column) const {
    const int each = width / 2;
    return swizzled(row / each * leadingOfRows() + column / 8 * strideOfColumns() + column % 8 * width + row % each * 2, width);
  }
  /// Groups of rows lie behind all their columns.
  __device__ int leadingOfRows() const { return columns * width; }
  __device__ int strideOfColumns() const { return 8 * width; }
  __device__ Word begin(int step) const { return step * 2 * strideOfColumns(); }
  __device__ Word leading() const { return width == None ? strideOfColumns() : leadingOfRows(); }
  __device__ Word stride() const { return width == None ? leadingOfRows() : strideOfColumns(); }
};
