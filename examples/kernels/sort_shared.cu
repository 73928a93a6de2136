// Each thread sorts its own row of eight integers by insertion, in shared memory: dynamic indices, an inner loop that
// every lane leaves at its own time, no exchange between threads and so no barrier.
// nvcc -ptx -arch=sm_90 -O3 sort_shared.cu -o sort_shared.ptx
extern "C" __global__ void sort_shared(int rows, int *data) {
  __shared__ int box[32][8];
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  int *mine = box[threadIdx.x];
#pragma unroll 1
  for (int i = 0; i < 8; i++) {
    int key = data[8 * row + i];
    int k = i;
#pragma unroll 1
    for (; k > 0 && mine[k - 1] > key; k--) mine[k] = mine[k - 1];
    mine[k] = key;
  }
#pragma unroll 1
  for (int i = 0; i < 8; i++) data[8 * row + i] = mine[i];
}
