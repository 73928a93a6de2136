// c = a + b on arrays of 256-bit integers, each eight 32-bit words, lowest first; carry[i] is what leaves the top.
// nvcc -ptx -arch=sm_90 -O3 add256.cu -o add256.ptx
extern "C" __global__ void add256(int n, const unsigned *a, const unsigned *b, unsigned *c, unsigned *carry) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  a += 8 * i;
  b += 8 * i;
  c += 8 * i;
  unsigned d0, d1, d2, d3, d4, d5, d6, d7, out;
  asm("add.cc.u32 %0, %9, %17;\n\t"
      "addc.cc.u32 %1, %10, %18;\n\t"
      "addc.cc.u32 %2, %11, %19;\n\t"
      "addc.cc.u32 %3, %12, %20;\n\t"
      "addc.cc.u32 %4, %13, %21;\n\t"
      "addc.cc.u32 %5, %14, %22;\n\t"
      "addc.cc.u32 %6, %15, %23;\n\t"
      "addc.cc.u32 %7, %16, %24;\n\t"
      "addc.u32 %8, 0, 0;"
      : "=r"(d0), "=r"(d1), "=r"(d2), "=r"(d3), "=r"(d4), "=r"(d5), "=r"(d6), "=r"(d7), "=r"(out)
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(a[4]), "r"(a[5]), "r"(a[6]), "r"(a[7]),
        "r"(b[0]), "r"(b[1]), "r"(b[2]), "r"(b[3]), "r"(b[4]), "r"(b[5]), "r"(b[6]), "r"(b[7]));
  c[0] = d0, c[1] = d1, c[2] = d2, c[3] = d3, c[4] = d4, c[5] = d5, c[6] = d6, c[7] = d7;
  carry[i] = out;
}
