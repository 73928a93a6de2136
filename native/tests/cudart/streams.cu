// Streams, events, printf, pinned memory, boxes, pools, and calls of the host.
#include <cstring>
#include <vector>

#include "check.cuh"

__global__ void twice(int *data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] *= 2;
}
__global__ void hello() { printf("hello from %d of %d\n", threadIdx.x, blockDim.x); }

static void note(void *data) { *static_cast<int *>(data) = 42; }
static void back(cudaStream_t, cudaError_t status, void *data) { *static_cast<int *>(data) = status == cudaSuccess ? 43 : 0; }

int main() {
  cudaStream_t first, second;
  cudaEvent_t start, stop;
  WORKS(cudaStreamCreate(&first));
  WORKS(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
  WORKS(cudaEventCreate(&start));
  WORKS(cudaEventCreateWithFlags(&stop, cudaEventBlockingSync));
  const int n = 1000;
  int *host, *device, *mapped, seen = 0;
  WORKS(cudaMallocHost(&host, n * sizeof(int)));
  for (int i = 0; i < n; i++) host[i] = i;
  WORKS(cudaMallocAsync(&device, n * sizeof(int), first));
  WORKS(cudaEventRecord(start, first));
  WORKS(cudaMemcpyAsync(device, host, n * sizeof(int), cudaMemcpyHostToDevice, first));
  twice<<<4, 256, 0, first>>>(device, n);
  WORKS(cudaEventRecord(stop, first));
  WORKS(cudaStreamWaitEvent(second, stop));
  twice<<<4, 256, 0, second>>>(device, n);
  WORKS(cudaMemcpyAsync(host, device, n * sizeof(int), cudaMemcpyDeviceToHost, second));
  WORKS(cudaLaunchHostFunc(second, note, &seen));
  WORKS(cudaStreamSynchronize(second));
  CHECK(seen == 42);
  WORKS(cudaStreamAddCallback(second, back, &seen, 0));
  WORKS(cudaStreamSynchronize(second));
  CHECK(seen == 43);
  for (int i = 0; i < n; i++) CHECK(host[i] == 4 * i);
  float milliseconds = -1;
  WORKS(cudaEventSynchronize(stop));
  WORKS(cudaEventElapsedTime(&milliseconds, start, stop));
  CHECK(milliseconds >= 0);
  WORKS(cudaHostGetDevicePointer(&mapped, host, 0));
  twice<<<4, 256>>>(mapped, n);
  WORKS(cudaStreamQuery(0));
  CHECK(host[3] == 24);
  WORKS(cudaFreeAsync(device, first));

  cudaPitchedPtr box;
  WORKS(cudaMalloc3D(&box, make_cudaExtent(20, 3, 2)));
  WORKS(cudaMemset3D(box, 7, make_cudaExtent(20, 3, 2)));
  char bytes[120];
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = box;
  copy.dstPtr = make_cudaPitchedPtr(bytes, 20, 20, 3);
  copy.extent = make_cudaExtent(20, 3, 2);
  copy.kind = cudaMemcpyDeviceToHost;
  WORKS(cudaMemcpy3D(&copy));
  for (char byte : bytes) CHECK(byte == 7);
  void *rows;
  size_t pitch;
  WORKS(cudaMallocPitch(&rows, &pitch, 20, 4));
  WORKS(cudaMemcpy2D(rows, pitch, bytes, 20, 20, 4, cudaMemcpyHostToDevice));
  WORKS(cudaMemset2D(static_cast<char *>(rows) + 1, pitch, 9, 2, 4));
  WORKS(cudaMemcpy2D(bytes, 20, rows, pitch, 20, 4, cudaMemcpyDeviceToHost));
  CHECK(bytes[0] == 7 && bytes[1] == 9 && bytes[22] == 9 && bytes[23] == 7);
  GIVES(cudaErrorInvalidPitchValue, cudaMemcpy2D(rows, 10, bytes, 20, 20, 4, cudaMemcpyHostToDevice));
  cudaGetLastError();

  hello<<<1, 3>>>();
  WORKS(cudaDeviceSynchronize());
  cudaDeviceProp properties;
  int value;
  WORKS(cudaGetDeviceProperties(&properties, 0));
  WORKS(cudaDeviceGetAttribute(&value, cudaDevAttrComputeCapabilityMajor, 0));
  CHECK(properties.major == value && strncmp(properties.name, "ptxrun", 6) == 0 && properties.warpSize == 32);
  CHECK(properties.maxThreadsPerBlock == 1024 && properties.cooperativeLaunch == 1 && properties.multiProcessorCount > 0);
  CHECK(properties.sharedMemPerBlockOptin >= properties.sharedMemPerBlock);
  WORKS(cudaStreamDestroy(first));
  WORKS(cudaStreamDestroy(second));
  printf("streams\n");
}
