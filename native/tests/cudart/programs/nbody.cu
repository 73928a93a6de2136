#include "../check.cuh"
__global__ void step(float4* p, float4* v, int n, float dt) {
  extern __shared__ float4 s[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 me = p[i];
  float ax = 0, ay = 0, az = 0;
  for (int t = 0; t < n; t += blockDim.x) {
    s[threadIdx.x] = p[t + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < blockDim.x; j++) {
      float dx = s[j].x - me.x, dy = s[j].y - me.y, dz = s[j].z - me.z;
      float r = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
      float f = s[j].w * r * r * r;
      ax += dx * f;
      ay += dy * f;
      az += dz * f;
    }
    __syncthreads();
  }
  v[i].x += ax * dt;
  v[i].y += ay * dt;
  v[i].z += az * dt;
}
int main() {
  const int n = 512;
  float4 *p, *v;
  WORKS(cudaMallocManaged(&p, n * 16));
  WORKS(cudaMallocManaged(&v, n * 16));
  for (int i = 0; i < n; i++) {
    p[i] = make_float4(sinf(i), cosf(i * 2), sinf(i * 3), 1);
    v[i] = make_float4(0, 0, 0, 0);
  }
  step<<<n / 128, 128, 128 * 16>>>(p, v, n, 0.1f);
  WORKS(cudaDeviceSynchronize());
  for (int i = 0; i < n; i += 37) {
    double ax = 0;
    for (int j = 0; j < n; j++) {
      double dx = p[j].x - p[i].x, dy = p[j].y - p[i].y, dz = p[j].z - p[i].z,
             r = 1 / sqrt(dx * dx + dy * dy + dz * dz + 0.01);
      ax += dx * r * r * r;
    }
    CHECK(fabs(v[i].x - 0.1 * ax) < 1e-3 * fmax(1, fabs(ax)));
  }
  puts("ok");
}
