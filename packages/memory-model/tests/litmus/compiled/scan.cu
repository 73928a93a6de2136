// Decoupled lookback: each block publishes its sum, then what is before and its sum.
extern "C" __global__ void scan(const int *in, volatile int *state, int *sums, int *prefixes, int *out) {
  int b = blockIdx.x;
  sums[b] = in[b];
  __threadfence();
  state[b] = 1;
  int before = 0;
  for (int at = b - 1; at >= 0; at--) {
    int s;
    while ((s = state[at]) == 0);
    __threadfence();
    if (s == 2) { before += prefixes[at]; break; }
    before += sums[at];
  }
  prefixes[b] = before + in[b];
  __threadfence();
  state[b] = 2;
  out[b] = before;
}
