// Functions that call themselves and each other, with locals that must survive: queens on a board, Ackermann's
// function, quicksort on a local array.

__device__ __noinline__ int queens(int n, unsigned columns, unsigned left, unsigned right) {
  const unsigned all = (1u << n) - 1;
  if (columns == all) return 1;
  int found = 0;
  for (unsigned free = all & ~(columns | left | right); free != 0; free &= free - 1) {
    const unsigned place = free & -free;
    found += queens(n, columns | place, (left | place) << 1, (right | place) >> 1);
  }
  return found;
}

__device__ __noinline__ unsigned ackermann(unsigned m, unsigned n) {
  if (m == 0) return n + 1;
  return n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

__device__ bool odd(unsigned n);
__device__ __noinline__ bool even(unsigned n) { return n == 0 || odd(n - 1); }
__device__ __noinline__ bool odd(unsigned n) { return n != 0 && even(n - 1); }

__device__ __noinline__ void sort(int* keys, int from, int to) {
  int here[2] = {from, to};
  if (from >= to) return;
  const int pivot = keys[(from + to) / 2];
  while (here[0] <= here[1]) {
    while (keys[here[0]] < pivot) here[0]++;
    while (keys[here[1]] > pivot) here[1]--;
    if (here[0] > here[1]) break;
    const int key = keys[here[0]];
    keys[here[0]++] = keys[here[1]];
    keys[here[1]--] = key;
  }
  sort(keys, from, here[1]);
  sort(keys, here[0], to);
}

extern "C" __global__ void recursion(int* queensFound, unsigned* ackermanns, unsigned* parity, int* keys) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  queensFound[i] = queens(1 + i % 6, 0, 0, 0);
  ackermanns[i] = ackermann(i % 3, i % 7);
  parity[i] = even(i) ? 2 : odd(i) ? 1 : 0;
  int own[24];
  for (int j = 0; j < 24; j++) own[j] = keys[i * 24 + j];
  sort(own, 0, 23);
  for (int j = 0; j < 24; j++) keys[i * 24 + j] = own[j];
}
