// What lanes of a warp can tell each other: votes, matches, reductions, shuffles, with parts of a warp away.

extern "C" __global__ void ballot(const int* keys, unsigned* out, unsigned long long* wide, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % 32;
  const unsigned members = __ballot_sync(~0u, i < n);
  if (i >= n) return;
  const int key = keys[i];
  int row = 0;
  const auto put = [&](unsigned value) { out[row++ * n + i] = value; };
  put(members);
  put(__ballot_sync(members, key & 1));
  put(__any_sync(members, key > 40) * 2 + __all_sync(members, key > -40));
  put(__match_any_sync(members, key % 4));
  int same = 0;
  put(__match_all_sync(members, key >> 30, &same) + same);
  put(__reduce_add_sync(members, key));
  put(__reduce_min_sync(members, key));
  put(__reduce_max_sync(members, static_cast<unsigned>(key)));
  put(__reduce_xor_sync(members, static_cast<unsigned>(key)));
  put(__shfl_sync(members, key, __ffs(members) - 1));
  put(__popc(__ballot_sync(members, key < 0) & ((1u << lane) - 1)));
  unsigned odd = 0;
  if (key & 1) {
    const unsigned active = __activemask() & members;
    odd = __popc(active);
  }
  __syncwarp(members);
  put(odd);
  const unsigned long long pair = static_cast<unsigned long long>(key) << 32 | lane;
  wide[i] = __shfl_sync(members, pair, lane & ~3u, 8);
}
