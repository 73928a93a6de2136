/* Lanes leave the loop at different times. */
kernel void collatz(global const uint *in, global uint *steps) {
  size_t i = get_global_id(0);
  uint n = in[i], count = 0;
  while (n > 1) {
    n = (n & 1) ? 3 * n + 1 : n / 2;
    count++;
  }
  steps[i] = count;
}
