// A second source file, whose variable has the name of the first one's.
static __device__ int launches = 70;

__global__ void count(int *x) { *x = launches++; }
