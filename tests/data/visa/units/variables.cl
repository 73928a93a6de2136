// options: -cl-std=CL3.0
// Variables of the program: those that the source sets are in .data.global, the others, which begin as 0, in .bss.global.
global int steps[4] = {1, 10, 100, 1000};
global int held[64];

kernel void program_variables(global int *out) {
  int i = get_local_id(0);
  for (int k = 0; k < 4; k++) held[i] += steps[(i + k) & 3] * (i & 7);
  barrier(CLK_GLOBAL_MEM_FENCE);
  out[i] = held[63 - i] + 1;
}
