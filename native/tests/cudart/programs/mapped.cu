#include "../check.cuh"
__global__ void twice(int *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] *= 2;
}
int main() {
  WORKS(cudaSetDeviceFlags(cudaDeviceMapHost));
  int *h, *d;
  WORKS(cudaHostAlloc(&h, 4000, cudaHostAllocMapped));
  for (int i = 0; i < 1000; i++) h[i] = i;
  WORKS(cudaHostGetDevicePointer(&d, h, 0));
  twice<<<4, 256>>>(d, 1000);
  WORKS(cudaDeviceSynchronize());
  for (int i = 0; i < 1000; i++) CHECK(h[i] == 2 * i);
  int own[256];
  for (int i = 0; i < 256; i++) own[i] = i;
  WORKS(cudaHostRegister(own, sizeof own, cudaHostRegisterMapped));
  WORKS(cudaHostGetDevicePointer(&d, own, 0));
  twice<<<1, 256>>>(d, 256);
  WORKS(cudaDeviceSynchronize());
  for (int i = 0; i < 256; i++) CHECK(own[i] == 2 * i);
  WORKS(cudaHostUnregister(own));
  WORKS(cudaFreeHost(h));
  puts("ok");
}
