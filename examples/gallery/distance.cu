// Edit distance of pairs of words by dynamic programming: one block a pair, one anti-diagonal a step, bytes and min in
// shared memory.

extern "C" __global__ void distance(const char* words, const int* start, int* distances) {
  __shared__ int diagonal[3][64];
  const char* a = words + start[2 * blockIdx.x];
  const char* b = words + start[2 * blockIdx.x + 1];
  const int rows = start[2 * blockIdx.x + 1] - start[2 * blockIdx.x];
  const int columns = start[2 * blockIdx.x + 2] - start[2 * blockIdx.x + 1];
  const int i = threadIdx.x;
  for (int step = 0; step <= rows + columns; step++) {
    const int j = step - i;
    if (i <= rows && j >= 0 && j <= columns) {
      int cost = i + j;
      if (i > 0 && j > 0) {
        const int replaced = diagonal[(step + 1) % 3][i - 1] + (a[i - 1] != b[j - 1]);
        const int inserted = diagonal[(step + 2) % 3][i] + 1, removed = diagonal[(step + 2) % 3][i - 1] + 1;
        cost = min(replaced, min(inserted, removed));
      }
      diagonal[step % 3][i] = cost;
      if (i == rows && j == columns) distances[blockIdx.x] = cost;
    }
    __syncthreads();
  }
}
