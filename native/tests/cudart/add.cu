// Vector addition, a reduction in shared memory, and templates.
#include <vector>

#include "check.cuh"

template <typename T>
__global__ void add(const T *a, const T *b, T *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

__global__ void sum(const float *values, float *sums, int n) {
  __shared__ float part[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  part[threadIdx.x] = i < n ? values[i] : 0;
  __syncthreads();
  for (int step = blockDim.x / 2; step > 0; step /= 2) {
    if (threadIdx.x < step) part[threadIdx.x] += part[threadIdx.x + step];
    __syncthreads();
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = part[0];
}

template <typename T>
static void try_add() {
  const int n = 10000;
  std::vector<T> a(n), b(n), c(n);
  for (int i = 0; i < n; i++) a[i] = T(i), b[i] = T(2 * i);
  T *da, *db, *dc;
  WORKS(cudaMalloc(&da, n * sizeof(T)));
  WORKS(cudaMalloc(&db, n * sizeof(T)));
  WORKS(cudaMalloc(&dc, n * sizeof(T)));
  WORKS(cudaMemcpy(da, a.data(), n * sizeof(T), cudaMemcpyHostToDevice));
  WORKS(cudaMemcpy(db, b.data(), n * sizeof(T), cudaMemcpyHostToDevice));
  add<<<(n + 255) / 256, 256>>>(da, db, dc, n);
  WORKS(cudaGetLastError());
  WORKS(cudaMemcpy(c.data(), dc, n * sizeof(T), cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; i++) CHECK(c[i] == T(3 * i));
  WORKS(cudaFree(da));
  WORKS(cudaFree(db));
  WORKS(cudaFree(dc));
}

int main() {
  try_add<float>();
  try_add<double>();
  try_add<int>();
  const int n = 5000, blocks = (n + 255) / 256;
  std::vector<float> values(n, 0.5f), sums(blocks);
  float *dv, *ds, total = 0;
  WORKS(cudaMalloc(&dv, n * sizeof(float)));
  WORKS(cudaMalloc(&ds, blocks * sizeof(float)));
  WORKS(cudaMemcpy(dv, values.data(), n * sizeof(float), cudaMemcpyHostToDevice));
  sum<<<blocks, 256>>>(dv, ds, n);
  WORKS(cudaDeviceSynchronize());
  WORKS(cudaMemcpy(sums.data(), ds, blocks * sizeof(float), cudaMemcpyDeviceToHost));
  for (float part : sums) total += part;
  CHECK(total == n / 2);
  printf("added\n");
}
