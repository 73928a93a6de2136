#include "../check.cuh"
__global__ void hist(const unsigned char* d, unsigned* h, int n) {
  __shared__ unsigned s[256];
  s[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&s[d[i]], 1);
  __syncthreads();
  atomicAdd(&h[threadIdx.x], s[threadIdx.x]);
}
__global__ void scan(unsigned* h) {
  __shared__ unsigned s[2][256];
  int t = threadIdx.x, c = 0;
  s[0][t] = h[t];
  __syncthreads();
  for (int o = 1; o < 256; o *= 2) {
    s[1 - c][t] = s[c][t] + (t >= o ? s[c][t - o] : 0);
    c = 1 - c;
    __syncthreads();
  }
  h[t] = s[c][t];
}
int main() {
  const int n = 100000;
  unsigned char *h = new unsigned char[n], *d;
  unsigned *o, r[256];
  for (int i = 0; i < n; i++) h[i] = (i * i) >> 3;
  WORKS(cudaMalloc(&d, n));
  WORKS(cudaMalloc(&o, 1024));
  WORKS(cudaMemset(o, 0, 1024));
  WORKS(cudaMemcpy(d, h, n, cudaMemcpyHostToDevice));
  hist<<<8, 256>>>(d, o, n);
  scan<<<1, 256>>>(o);
  WORKS(cudaMemcpy(r, o, 1024, cudaMemcpyDeviceToHost));
  unsigned w[256] = {}, sum = 0;
  for (int i = 0; i < n; i++) w[h[i]]++;
  for (int i = 0; i < 256; i++) {
    sum += w[i];
    CHECK(r[i] == sum);
  }
  puts("ok");
}
