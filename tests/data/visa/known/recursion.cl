__attribute__((noinline)) int fact(int n) { return n < 2 ? 1 : n * fact(n - 1); }
kernel void rec(global int *out) { int i = get_global_id(0); out[i] = fact(i & 7); }
