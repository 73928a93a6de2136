// Functions that call themselves, and each other.
__attribute__((noinline)) int fact(int n) { return n < 2 ? 1 : n * fact(n - 1); }
__attribute__((noinline)) int fib(int n) { if (n < 2) return n; return fib(n - 1) + fib(n - 2); }
__attribute__((noinline)) int even(int n);
__attribute__((noinline)) int odd(int n) { return n == 0 ? 0 : even(n - 1); }
__attribute__((noinline)) int even(int n) { return n == 0 ? 1 : odd(n - 1); }
kernel void rec(global int *out) { int i = get_global_id(0); out[i] = fact(i & 7) + 100000 * fib(i % 9) + 10000000 * even(i % 5); }
