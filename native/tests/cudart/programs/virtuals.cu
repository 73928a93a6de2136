#include "../check.cuh"
struct Shape {
  __device__ virtual float area() const = 0;
  __device__ virtual ~Shape() {}
};
struct Square : Shape {
  float s;
  __device__ Square(float s) : s(s) {}
  __device__ float area() const override { return s * s; }
};
struct Circle : Shape {
  float r;
  __device__ Circle(float r) : r(r) {}
  __device__ float area() const override { return 3 * r * r; }
};
__device__ int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
typedef int (*Op)(int, int);
__device__ int add(int a, int b) { return a + b; }
__device__ int mul(int a, int b) { return a * b; }
__device__ Op ops[] = {add, mul};
__global__ void k(float* out, int* o2) {
  Shape* s[4];
  for (int i = 0; i < 4; i++) s[i] = (i + threadIdx.x) % 2 ? (Shape*)new Square(i) : (Shape*)new Circle(i);
  float t = 0;
  for (auto* p : s) {
    t += p->area();
    delete p;
  }
  out[threadIdx.x] = t;
  o2[threadIdx.x] = fib(threadIdx.x % 10) + ops[threadIdx.x % 2](3, threadIdx.x);
}
int main() {
  float* d;
  int* e;
  WORKS(cudaMalloc(&d, 128));
  WORKS(cudaMalloc(&e, 128));
  WORKS(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 20));
  WORKS(cudaDeviceSetLimit(cudaLimitStackSize, 8192));
  k<<<1, 32>>>(d, e);
  float h[32];
  int g[32];
  WORKS(cudaMemcpy(h, d, 128, cudaMemcpyDeviceToHost));
  WORKS(cudaMemcpy(g, e, 128, cudaMemcpyDeviceToHost));
  int f[] = {0, 1, 1, 2, 3, 5, 8, 13, 21, 34};
  for (int i = 0; i < 32; i++) {
    float t = 0;
    for (int j = 0; j < 4; j++) t += (j + i) % 2 ? j * j : 3 * j * j;
    CHECK(h[i] == t);
    CHECK(g[i] == f[i % 10] + (i % 2 ? 3 * i : 3 + i));
  }
  puts("ok");
}
