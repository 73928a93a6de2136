kernel void xorshift(global uint *state, int rounds) {
  size_t i = get_global_id(0);
  uint x = state[i];
  for (int k = 0; k < rounds; k++) { x ^= x << 13; x ^= x >> 17; x ^= x << 5; }
  state[i] = x;
}
