// A program of csmith as a function, for a device, or with HOST for this machine.
#include SOURCE
#undef main
#undef printf

uint64_t outcome(void) {
  program(1, 0);
  return sum;
}

#ifdef HOST
int printf(const char*, ...);
int main(void) {
  printf("0x%016llx\n", (unsigned long long)outcome());
  return 0;
}
#endif
