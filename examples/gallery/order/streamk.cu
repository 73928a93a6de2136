// Stream-K's fix-up: a tile whose work was cut in two is begun by one block, which leaves its part and raises a flag; the
// block that owns the tile waits for the flag and adds the part to its own.

template <bool fenced>
__device__ void fixup(const unsigned* work, unsigned* parts, unsigned* flags, unsigned* tiles) {
  const unsigned t = threadIdx.x, block = blockIdx.x, tile = block / 2;
  const unsigned mine = work[block * 64 + t] * 3;
  if (block % 2 == 0) {
    parts[tile * 64 + t] = mine;
    __syncthreads();
    if (t == 0) {
      if (fenced) __threadfence();
      atomicExch(&flags[tile], 1u);
    }
  } else {
    if (t == 0) {
      while (atomicAdd(&flags[tile], 0u) == 0u) {
      }
      if (fenced) __threadfence();
    }
    __syncthreads();
    tiles[tile * 64 + t] = mine + parts[tile * 64 + t];
  }
}

extern "C" __global__ void right(const unsigned* work, unsigned* parts, unsigned* flags, unsigned* tiles) {
  fixup<true>(work, parts, flags, tiles);
}
extern "C" __global__ void unfenced(const unsigned* work, unsigned* parts, unsigned* flags, unsigned* tiles) {
  fixup<false>(work, parts, flags, tiles);
}
