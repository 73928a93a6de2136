namespace ns {
__device__ int table[4] = {1, 2, 3, 4};
__constant__ float scale = 0.5f;
}
template <class T, int N>
__global__ void mix(T const* a, T* b) {
  __shared__ T buf[N];
  int i = threadIdx.x;
  buf[i] = a[i];
  __syncthreads();
  b[i] += buf[N - 1 - i] * ns::scale + ns::table[i & 3];
}
template __global__ void mix<float, 8>(float const*, float*);
