#include <cstdio>
#include <cassert>
__device__ __noinline__ int ack(int m, int n) { if (m == 0) return n + 1; if (n == 0) return ack(m - 1, 1); return ack(m - 1, ack(m, n - 1)); }
__device__ __noinline__ int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
__device__ __noinline__ bool odd(unsigned n, int *count);
__device__ __noinline__ bool even(unsigned n, int *count) { int here = *count + 1; *count = here; if (n == 0) return true; bool r = odd(n - 1, &here); *count = here; return r; }
__device__ __noinline__ bool odd(unsigned n, int *count) { int here[2] = { *count + 1, 0 }; *count = here[0]; if (n == 0) return false; bool r = even(n - 1, &here[0]); *count = here[0]; return r; }
extern "C" __global__ void recursion(int *out) {
  int t = threadIdx.x;
  out[4 * t] = ack(2, t % 4); out[4 * t + 1] = fib(t % 11);
  int c = 0; out[4 * t + 2] = even(t, &c); out[4 * t + 3] = c;
}
typedef int (*op)(int, int);
__device__ int add(int a, int b) { return a + b; }
__device__ int sub(int a, int b) { return a - b; }
__device__ int mul(int a, int b) { return a * b; }
__device__ op table[3] = { add, sub, mul };
struct Shape { int id; __device__ Shape(int id) : id(id) {} __device__ virtual int area(int k) = 0; };
struct Square : Shape { __device__ Square(int i) : Shape(i) {} __device__ int area(int k) override { return k * k; } };
struct Line : Shape { __device__ Line(int i) : Shape(i) {} __device__ int area(int k) override { return id + k; } };
extern "C" __global__ void pointers(int *out) {
  int t = threadIdx.x;
  out[2 * t] = table[t % 3](t, 5);
  Shape *s; if (t & 1) s = new Square(t); else s = new Line(t);
  out[2 * t + 1] = s->area(t);
  delete s;
}
extern "C" __global__ void hello(int n) {
  printf("thread %d of %u: %5.2f|%-6s|%c|%llx|%p|%%|%e\n", threadIdx.x, blockDim.x, threadIdx.x * 1.5, "abc", 'x', 0x123456789abcULL, (void *)0, 1.0 / 3);
  assert(n == (int)threadIdx.x || n < 0);
}
