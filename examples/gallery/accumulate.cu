// Atomics that PTX does not have, built from those it has: a product of floats, a maximum of doubles and a saturating
// count, each a loop around compare-and-swap; and the rest of the family, on 32 and 64 bits.

extern "C" __global__ void accumulate(const int* in, int n, double* sum, float* product, unsigned long long* largest,
                                      unsigned short* saturated, unsigned* ring, unsigned long long* bits) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const int key = in[i];
    atomicAdd(sum, static_cast<double>(key));
    unsigned seen = *reinterpret_cast<volatile unsigned*>(product), before;
    do {
      before = seen;
      const float next = __uint_as_float(before) * (key & 1 ? 2.0f : 0.5f);
      seen = atomicCAS(reinterpret_cast<unsigned*>(product), before, __float_as_uint(next));
    } while (seen != before);
    const double magnitude = fabs(static_cast<double>(key)) + 0.5;
    unsigned long long held = *largest, was;
    do {
      was = held;
      if (__longlong_as_double(was) >= magnitude) break;
      held = atomicCAS(largest, was, __double_as_longlong(magnitude));
    } while (held != was);
    unsigned short count = *saturated, old;
    do {
      old = count;
      count = atomicCAS(saturated, old, static_cast<unsigned short>(old == 999 ? 999 : old + 1));
    } while (count != old);
    atomicInc(&ring[0], 9);
    atomicDec(&ring[1], 6);
    atomicSub(&ring[2], key);
    atomicXor(&bits[0], static_cast<unsigned long long>(key) * 0x100000001ull);
    atomicOr(&bits[1], 1ull << (key & 63));
    atomicAnd(&bits[2], ~(1ull << (i & 31)));
    atomicMax(reinterpret_cast<long long*>(&bits[3]), static_cast<long long>(key) * 4294967296ll);
    atomicAdd(&bits[4], static_cast<unsigned long long>(key) * 4294967297ull);
  }
}
