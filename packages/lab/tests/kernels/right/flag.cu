extern "C" __global__ void k(float* data, int* flag, float* out) {
  if (blockIdx.x == 0) {
    if (threadIdx.x == 0) {
      data[0] = 42;
      asm volatile("st.release.gpu.global.u32 [%0],1;" ::"l"(flag) : "memory");
    }
  } else {
    if (threadIdx.x == 0) {
      int v;
      do {
        asm volatile("ld.acquire.gpu.global.u32 %0,[%1];" : "=r"(v) : "l"(flag) : "memory");
      } while (v == 0);
      out[0] = data[0];
    }
  }
}
