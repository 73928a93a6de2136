#include "../check.cuh"
__global__ void spin(float *x) {
  float v = x[threadIdx.x];
  for (int i = 0; i < 100; i++) v = v * 0.5f + 1;
  x[threadIdx.x] = v;
}
int main() {
  float *d, ms = -1;
  WORKS(cudaMalloc(&d, 128));
  WORKS(cudaMemset(d, 0, 128));
  cudaEvent_t a, b;
  WORKS(cudaEventCreate(&a));
  WORKS(cudaEventCreateWithFlags(&b, cudaEventBlockingSync));
  GIVES(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&ms, a, b));
  cudaGetLastError();
  WORKS(cudaEventRecord(a));
  spin<<<1, 32>>>(d);
  WORKS(cudaGetLastError());
  WORKS(cudaEventRecord(b));
  WORKS(cudaEventSynchronize(b));
  WORKS(cudaEventQuery(b));
  WORKS(cudaEventElapsedTime(&ms, a, b));
  CHECK(ms >= 0);
  float h[32];
  WORKS(cudaMemcpy(h, d, 128, cudaMemcpyDeviceToHost));
  for (float v : h) CHECK(v > 1.99f && v <= 2.0f);
  WORKS(cudaEventDestroy(a));
  WORKS(cudaEventDestroy(b));
  WORKS(cudaFree(d));
  puts("ok");
}
