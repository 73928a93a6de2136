#include "../check.cuh"
template <class F>
__global__ void each(int n, F f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) f(i);
}
template <int N>
struct Poly {
  float c[N];
  __device__ float operator()(float x) const {
    float r = 0;
#pragma unroll
    for (int i = N; i--;) r = r * x + c[i];
    return r;
  }
};
template <class T, class P>
__global__ void eval(T* o, P p, int n) {
  int i = threadIdx.x;
  if (i < n) o[i] = p(o[i]);
}
int main() {
  int* d;
  WORKS(cudaMallocManaged(&d, 400));
  int k = 7;
  each<<<1, 100>>>(100, [=] __device__(int i) { d[i] = i * k; });
  WORKS(cudaDeviceSynchronize());
  for (int i = 0; i < 100; i++) CHECK(d[i] == 7 * i);
  float* f;
  WORKS(cudaMallocManaged(&f, 40));
  for (int i = 0; i < 10; i++) f[i] = i;
  eval<<<1, 32>>>(f, Poly<3>{{1, 2, 3}}, 10);
  WORKS(cudaDeviceSynchronize());
  for (int i = 0; i < 10; i++) CHECK(f[i] == 1 + 2 * i + 3 * i * i);
  puts("ok");
}
