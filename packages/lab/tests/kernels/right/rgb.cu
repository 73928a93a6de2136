extern "C" __global__ void k(const uchar4* in, unsigned char* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    uchar4 p = in[i];
    out[i] = (unsigned char)((p.x * 77 + p.y * 150 + p.z * 29) >> 8);
  }
}
