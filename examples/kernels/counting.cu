// A counting sort of each row of 24 hexadecimal digits: the counts lie in local memory and are indexed by the data.
// nvcc -ptx -arch=sm_90 -O3 counting.cu -o counting.ptx
extern "C" __global__ void counting(int rows, unsigned char *digits) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows) return;
  unsigned char *row = digits + 24 * i;
  unsigned char count[16] = {0};
#pragma unroll 1
  for (int k = 0; k < 24; k++) count[row[k] & 15]++;
  int at = 0;
#pragma unroll 1
  for (int digit = 0; digit < 16; digit++)
#pragma unroll 1
    for (int k = 0; k < count[digit]; k++) row[at++] = digit;
}
