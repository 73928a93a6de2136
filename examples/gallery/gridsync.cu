// Rounds of a cellular automaton (rule 110 on words) with a barrier of the whole grid between them; needs a cooperative
// launch, since every block waits for all others.

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

extern "C" __global__ void gridsync(unsigned* cells, unsigned* next, int words, int rounds, unsigned long long* ranks) {
  const cg::grid_group grid = cg::this_grid();
  for (int round = 0; round < rounds; round++) {
    for (int i = grid.thread_rank(); i < words; i += grid.size()) {
      const unsigned centre = cells[i], left = cells[(i + words - 1) % words], right = cells[(i + 1) % words];
      const unsigned l = centre << 1 | left >> 31, r = centre >> 1 | right << 31;
      next[i] = (centre | r) & ~(l & centre & r);
    }
    grid.sync();
    unsigned* const swap = cells;
    cells = next, next = swap;
  }
  if (threadIdx.x == 0) ranks[blockIdx.x] = grid.thread_rank() << 32 | grid.num_blocks();
}
