// As a framework captures its work: memory of pools, streams that fork, other threads, inputs that change between launches.
#include <cuda_runtime.h>

#include <thread>
#include <vector>

#include "check.cuh"

__device__ float scale = 2;
__managed__ int launches;

__global__ void axpy(float a, const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += a * x[i];
}
__global__ void scaled(float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] *= scale;
  if (i == 0) launches++;
}

constexpr int n = 1000, bytes = n * sizeof(float);

int main() {
  float *x, *y;
  std::vector<float> host(n);
  cudaStream_t stream, side, blocking;
  cudaEvent_t fork, join;
  WORKS(cudaMalloc(&x, bytes));
  WORKS(cudaMalloc(&y, bytes));
  WORKS(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  WORKS(cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking));
  WORKS(cudaStreamCreate(&blocking));
  WORKS(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
  WORKS(cudaEventCreateWithFlags(&join, cudaEventDisableTiming));

  // 2 * (x + 3 * x), by way of memory that is there while the graph runs.
  float *first, *second;
  cudaGraph_t graph;
  cudaGraphExec_t run;
  WORKS(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  WORKS(cudaMallocAsync(&first, bytes, stream));
  WORKS(cudaMemsetAsync(first, 0, bytes, stream));
  WORKS(cudaEventRecord(fork, stream));
  WORKS(cudaStreamWaitEvent(side, fork));
  WORKS(cudaMallocAsync(&second, bytes, side));
  WORKS(cudaMemsetAsync(second, 0, bytes, side));
  axpy<<<4, 256, 0, side>>>(3, x, second, n);
  axpy<<<4, 256, 0, stream>>>(1, x, first, n);
  WORKS(cudaEventRecord(join, side));
  WORKS(cudaStreamWaitEvent(stream, join));
  axpy<<<4, 256, 0, stream>>>(1, second, first, n);
  scaled<<<4, 256, 0, stream>>>(first, n);
  WORKS(cudaMemcpyAsync(y, first, bytes, cudaMemcpyDeviceToDevice, stream));
  WORKS(cudaFreeAsync(first, stream));
  WORKS(cudaFreeAsync(second, stream));
  cudaStreamCaptureStatus status;
  unsigned long long id;
  WORKS(cudaStreamGetCaptureInfo(side, &status, &id));
  CHECK(status == cudaStreamCaptureStatusActive && id > 0);
  WORKS(cudaStreamEndCapture(stream, &graph));
  WORKS(cudaGraphInstantiate(&run, graph, 0));
  WORKS(cudaGraphDestroy(graph));
  for (int turn = 1; turn <= 3; turn++) {
    for (int i = 0; i < n; i++) host[i] = float(i * turn);
    WORKS(cudaMemcpy(x, host.data(), bytes, cudaMemcpyHostToDevice));
    WORKS(cudaGraphLaunch(run, stream));
    WORKS(cudaMemcpyAsync(host.data(), y, bytes, cudaMemcpyDeviceToHost, stream));
    WORKS(cudaStreamSynchronize(stream));
    for (int i = 0; i < n; i++) CHECK(host[i] == 8.f * i * turn);
  }
  CHECK(launches == 3);

  // Another thread allocates meanwhile; this one may not, and has spoilt its capture then.
  void *more;
  WORKS(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  std::thread([] {
    void *its;
    WORKS(cudaMalloc(&its, 4));
    WORKS(cudaFree(its));
  }).join();
  GIVES(cudaErrorStreamCaptureUnsupported, cudaMalloc(&more, 4));
  GIVES(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(stream, &graph));
  CHECK(cudaGetLastError() == cudaErrorStreamCaptureInvalidated && graph == nullptr);

  // The legacy stream would wait for one that is captured.
  WORKS(cudaStreamBeginCapture(blocking, cudaStreamCaptureModeRelaxed));
  scaled<<<1, 1>>>(y, 1);
  GIVES(cudaErrorStreamCaptureImplicit, cudaGetLastError());
  GIVES(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(blocking, &graph));
  cudaGetLastError();

  // The stream of the thread, and a variable of the device.
  float four = 4, before = host[7] * four;
  WORKS(cudaStreamBeginCapture(cudaStreamPerThread, cudaStreamCaptureModeGlobal));
  WORKS(cudaMemcpyToSymbolAsync(scale, &four, sizeof four, 0, cudaMemcpyHostToDevice, cudaStreamPerThread));
  scaled<<<4, 256, 0, cudaStreamPerThread>>>(y, n);
  WORKS(cudaMemcpyAsync(host.data(), y, bytes, cudaMemcpyDeviceToHost, cudaStreamPerThread));
  WORKS(cudaStreamEndCapture(cudaStreamPerThread, &graph));
  WORKS(cudaGraphInstantiate(&run, graph, 0));
  WORKS(cudaGraphLaunch(run, stream));
  CHECK(host[7] == before && launches == 4);
  printf("captured\n");
}
