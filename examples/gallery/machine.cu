// A small stack machine, whose dispatch is a dense switch. nvcc 13 makes that a tree of comparisons; `jumps` therefore
// has a jump through a table (brx.idx) in its assembler text.

extern "C" __global__ void machine(const unsigned char* code, int length, const int* inputs, int* results, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int stack[8] = {inputs[i]};
  int top = 0, steps = 0, x = 0;
  for (int pc = 0; pc < length && steps < 400; steps++) {
    switch (code[pc++]) {
      case 0: stack[++top & 7] = code[pc++]; break;
      case 1: top--; stack[top & 7] += stack[(top + 1) & 7]; break;
      case 2: top--; stack[top & 7] -= stack[(top + 1) & 7]; break;
      case 3: top--; stack[top & 7] *= stack[(top + 1) & 7]; break;
      case 4: stack[(top + 1) & 7] = stack[top & 7]; top++; break;
      case 5: x = stack[top & 7]; break;
      case 6: stack[++top & 7] = x; break;
      case 7: stack[top & 7] ^= stack[top & 7] >> 3; break;
      case 8: stack[top & 7] = -stack[top & 7]; break;
      case 9: if (stack[top & 7] <= 0) pc = code[pc]; else pc++; break;
      case 10: pc = code[pc]; break;
      case 11: stack[top & 7] &= 0xffff; break;
      case 12: top--; break;
      case 13: stack[top & 7] = __popc(stack[top & 7]); break;
      case 14: stack[top & 7] /= 3; break;
      default: pc = length; break;
    }
  }
  results[i] = stack[top & 7] + steps * 65536;
}

extern "C" __global__ void jumps(const unsigned* programs, unsigned* results, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned x = i;
  for (unsigned program = programs[i]; program != 0; program >>= 2) {
    asm volatile(
        "{\n\t"
        "ways: .branchtargets ADD, XOR, MUL, NOT;\n\t"
        "brx.idx %1, ways;\n\t"
        "ADD: add.u32 %0, %0, 7; bra.uni DONE;\n\t"
        "XOR: xor.b32 %0, %0, 0x55; bra.uni DONE;\n\t"
        "MUL: mul.lo.u32 %0, %0, 5; bra.uni DONE;\n\t"
        "NOT: not.b32 %0, %0;\n\t"
        "DONE:\n\t"
        "}"
        : "+r"(x)
        : "r"(program & 3));
  }
  results[i] = x;
}
