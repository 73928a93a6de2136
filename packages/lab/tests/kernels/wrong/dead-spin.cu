extern "C" __global__ void k(int* lock, int* c) {
  while (atomicCAS(lock, 0, 1) != 0)
    ;
  *c += 1;
}
