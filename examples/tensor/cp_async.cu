// builds: sm_80.O3 sm_80.G sm_86.O3 sm_100.O3
// cp.async by hand: sizes, bytes that are not copied, cache hints, groups in flight, arrival on an mbarrier.

typedef unsigned Word;
typedef unsigned long long Long;
__device__ Word shared(const void* p) { return (Word)__cvta_generic_to_shared(p); }
template <int n>
__device__ void wait() { asm volatile("cp.async.wait_group %0;" ::"n"(n) : "memory"); }
__device__ void commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }

// Each thread copies 16 bytes of every kind; `count` of them come from memory, the others are zero.
extern "C" __global__ void cp_sizes(const Word* in, Word* out, const Word* count) {
  __shared__ __align__(16) Word to[5][32 * 4];
  const int me = threadIdx.x;
  const Word bytes = count[me], skip = bytes == 0;
  for (int i = 0; i < 4; i++)
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(shared(&to[0][me * 4 + i])), "l"(in + me * 4 + i), "r"(bytes > 4 ? 4 : bytes) : "memory");
  for (int i = 0; i < 4; i += 2)
    asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;" ::"r"(shared(&to[1][me * 4 + i])), "l"(in + me * 4 + i), "r"(bytes > 8 ? 8 : bytes) : "memory");
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(shared(&to[2][me * 4])), "l"(in + me * 4), "r"(bytes) : "memory");
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %2, 0; cp.async.cg.shared.global [%0], [%1], 16, p; }" ::"r"(shared(&to[3][me * 4])), "l"(in + me * 4), "r"(skip) : "memory");
  asm volatile("{ .reg .b64 policy; createpolicy.fractional.L2::evict_last.b64 policy, 1.0;"
               "cp.async.cg.shared.global.L2::cache_hint.L2::128B [%0], [%1], 16, %2, policy; }" ::"r"(shared(&to[4][me * 4])), "l"(in + me * 4), "r"(bytes) : "memory");
  asm volatile("cp.async.wait_all;" ::: "memory");
  for (int kind = 0; kind < 5; kind++)
    for (int i = 0; i < 4; i++) out[kind * 128 + me * 4 + i] = to[kind][me * 4 + i];
}

// Three groups in flight a thread; what a group brought is read as soon as just it is complete. The last groups are empty.
extern "C" __global__ void cp_groups(const Word* in, Word* out, int rows) {
  __shared__ __align__(16) Word ring[4][32 * 4];
  const int me = threadIdx.x;
  auto fetch = [&](int row) {
    if (row < rows) asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared(&ring[row % 4][me * 4])), "l"(in + row * 128 + me * 4) : "memory");
    commit();
  };
  for (int row = 0; row < 3; row++) fetch(row);
  Word hash = 17;
  for (int row = 0; row < rows; row++) {
    fetch(row + 3);
    wait<3>();
    for (int i = 0; i < 4; i++) hash = hash * 31 + ring[row % 4][me * 4 + i];
  }
  out[me] = hash;
}

__device__ void await(Long* barrier, Word parity) {
  for (Word done = 0; !done;)
#if __CUDA_ARCH__ >= 900
    asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }" : "=r"(done) : "r"(shared(barrier)), "r"(parity) : "memory");
#else
    asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }" : "=r"(done) : "r"(shared(barrier)), "r"(parity) : "memory");
#endif
}

// Half of the warps fetch and signal an mbarrier by cp.async.mbarrier.arrive.noinc, the other half waits for its phases.
extern "C" __global__ void cp_mbarrier(const Word* in, Word* out, int rows) {
  __shared__ __align__(16) Word ring[2][64 * 4];
  __shared__ __align__(8) Long full[2], empty[2];
  if (threadIdx.x == 0)
    for (int i = 0; i < 2; i++) {
      asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(shared(&full[i])), "r"(64) : "memory");
      asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(shared(&empty[i])), "r"(64) : "memory");
    }
  __syncthreads();
  const int me = threadIdx.x % 64;
  Word hash = 1;
  if (threadIdx.x < 64) {
    for (int row = 0; row < rows; row++) {
      const int half = row % 2;
      if (row >= 2) await(&empty[half], (row / 2 - 1) % 2);
      asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"(shared(&ring[half][me * 4])), "l"(in + row * 256 + me * 4) : "memory");
      asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(shared(&full[half])) : "memory");
    }
    asm volatile("cp.async.wait_all;" ::: "memory");
  } else {
    for (int row = 0; row < rows; row++) {
      const int half = row % 2;
      await(&full[half], row / 2 % 2);
      for (int i = 0; i < 4; i++) hash = hash * 31 + ring[half][(63 - me) * 4 + i];
      asm volatile("{ .reg .b64 state; mbarrier.arrive.shared.b64 state, [%0]; }" ::"r"(shared(&empty[half])) : "memory");
    }
    out[me] = hash;
  }
}
