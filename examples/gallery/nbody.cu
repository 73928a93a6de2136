// One step of n bodies under gravity, all pairs, bodies tiled through shared memory. Every product that meets a sum is
// an explicit fma or an explicit product, so that there is one right answer to the bit.

extern "C" __global__ void nbody(const float4* bodies, float4* speeds, float4* moved, int n, float dt) {
  __shared__ float4 tile[64];
  const int i = blockIdx.x * 64 + threadIdx.x;
  const float4 me = i < n ? bodies[i] : make_float4(0, 0, 0, 0);
  float ax = 0, ay = 0, az = 0;
  for (int start = 0; start < n; start += 64) {
    const int j = start + threadIdx.x;
    tile[threadIdx.x] = j < n ? bodies[j] : make_float4(0, 0, 0, 0);
    __syncthreads();
    const int count = min(64, n - start);
    for (int k = 0; k < count; k++) {
      const float4 other = tile[k];
      const float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
      const float square = fmaf(dx, dx, fmaf(dy, dy, fmaf(dz, dz, 0.01f)));
      const float inverse = 1.0f / sqrtf(square);
      const float pull = __fmul_rn(other.w, __fmul_rn(inverse, __fmul_rn(inverse, inverse)));
      ax = fmaf(dx, pull, ax), ay = fmaf(dy, pull, ay), az = fmaf(dz, pull, az);
    }
    __syncthreads();
  }
  if (i >= n) return;
  float4 speed = speeds[i];
  speed.x = fmaf(ax, dt, speed.x), speed.y = fmaf(ay, dt, speed.y), speed.z = fmaf(az, dt, speed.z);
  speeds[i] = speed;
  moved[i] = make_float4(fmaf(speed.x, dt, me.x), fmaf(speed.y, dt, me.y), fmaf(speed.z, dt, me.z), me.w);
}
