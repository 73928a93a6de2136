// Dynamic shared memory, cut into three arrays of different types: a moving median of five with a halo.

extern "C" __global__ void dynamic(const short* in, short* medians, double* means, int n) {
  extern __shared__ __align__(16) unsigned char room[];
  double* const sums = reinterpret_cast<double*>(room);
  int* const order = reinterpret_cast<int*>(sums + blockDim.x);
  short* const window = reinterpret_cast<short*>(order + blockDim.x);
  const int t = threadIdx.x, base = blockIdx.x * blockDim.x, i = base + t;
  for (int j = t; j < static_cast<int>(blockDim.x) + 4; j += blockDim.x) {
    const int from = min(max(base + j - 2, 0), n - 1);
    window[j] = in[from];
  }
  __syncthreads();
  int places = 0;
  short median = window[t];
  double sum = 0;
  for (int a = 0; a < 5; a++) {
    int below = 0;
    for (int b = 0; b < 5; b++) below += window[t + b] < window[t + a] || (window[t + b] == window[t + a] && b < a);
    if (below == 2) median = window[t + a], places = a;
    sum += window[t + a];
  }
  sums[t] = sum, order[t] = places;
  __syncthreads();
  const int across = blockDim.x - 1 - t;
  if (i < n) medians[i] = median;
  if (base + across < n) means[base + across] = sums[across] / 5.0 + order[across];
}
