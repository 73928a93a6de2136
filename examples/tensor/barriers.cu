// builds: sm_80.O3 sm_90.O3 sm_90.G sm_100.O3
// mbarrier: by cuda::barrier and by hand.

#include <cooperative_groups.h>
#include <cuda/barrier>

typedef unsigned Word;
typedef unsigned long long Long;
__device__ Word shared(const void* p) { return (Word)__cvta_generic_to_shared(p); }

// 96 threads take turns with their neighbours: what one wrote before a phase is read by another after it.
extern "C" __global__ void barrier_phases(Word* out, int rounds) {
  using Barrier = cuda::barrier<cuda::thread_scope_block>;
  __shared__ Barrier barrier;
  __shared__ Word cell[96];
  if (threadIdx.x == 0) init(&barrier, blockDim.x);
  cell[threadIdx.x] = threadIdx.x;
  __syncthreads();
  for (int round = 0; round < rounds; round++) {
    auto token = barrier.arrive();
    const Word own = threadIdx.x * 2654435761u + round;
    barrier.wait(std::move(token));
    const Word other = cell[(threadIdx.x + 1) % 96];
    barrier.arrive_and_wait();
    cell[threadIdx.x] = other * 5 + own;
  }
  out[threadIdx.x] = cell[threadIdx.x];
}

// Threads leave one after the other; the barrier expects fewer in the next phase.
extern "C" __global__ void barrier_leave(Word* out) {
  using Barrier = cuda::barrier<cuda::thread_scope_block>;
  __shared__ Barrier barrier;
  __shared__ Word total;
  if (threadIdx.x == 0) init(&barrier, 64), total = 0;
  __syncthreads();
  for (int round = 0; round < 8; round++) {
    if (threadIdx.x / 8 == 7 - round) {
      atomicAdd(&total, threadIdx.x);
      barrier.arrive_and_drop();
      break;
    }
    barrier.arrive_and_wait();
    out[threadIdx.x * 8 + round] = total;
    barrier.arrive_and_wait();
  }
}

// A completion function, run by one thread between two phases.
struct Turn {
  Word* at;
  __device__ void operator()() const { *at = *at * 3 + 1; }
};
extern "C" __global__ void barrier_completion(Word* out, int rounds) {
  using Barrier = cuda::barrier<cuda::thread_scope_block, Turn>;
  __shared__ __align__(alignof(Barrier)) unsigned char room[sizeof(Barrier)];
  __shared__ Word state;
  Barrier* barrier = reinterpret_cast<Barrier*>(room);
  if (threadIdx.x == 0) {
    state = 5;
    new (barrier) Barrier(blockDim.x, Turn{&state});
  }
  __syncthreads();
  for (int round = 0; round < rounds; round++) {
    barrier->arrive_and_wait();
    out[round * blockDim.x + threadIdx.x] = state;
  }
}

// What the instructions themselves give: pending counts, tests of a phase that is not over, arrivals that count for more.
extern "C" __global__ void barrier_counts(Word* out) {
  __shared__ __align__(8) Long barrier;
  if (threadIdx.x != 0) return;
  const Word at = shared(&barrier);
  Long state, later;
  Word n = 0, done;
  auto pending = [&](Long of) { asm volatile("mbarrier.pending_count.b64 %0, %1;" : "=r"(out[n++]) : "l"(of)); };
  auto test = [&](Long of) {
    asm volatile("{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }" : "=r"(done) : "r"(at), "l"(of) : "memory");
    out[n++] = done;
  };
  auto parity = [&](Word of) {
    asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }" : "=r"(done) : "r"(at), "r"(of) : "memory");
    out[n++] = done;
  };
  asm volatile("mbarrier.init.shared.b64 [%0], 5;" ::"r"(at) : "memory");
  asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(at) : "memory");
  pending(state);  // 5 before this arrival
  test(state);     // 0
  parity(0);       // 0: the phase of parity 0 runs
  parity(1);       // 1: the one before it is over
  asm volatile("mbarrier.arrive.noComplete.shared.b64 %0, [%1], 2;" : "=l"(later) : "r"(at) : "memory");
  pending(later);  // 4
  asm volatile("mbarrier.arrive_drop.shared.b64 %0, [%1];" : "=l"(later) : "r"(at) : "memory");
  pending(later);  // 2
  test(state);     // 0
  asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(later) : "r"(at) : "memory");
  pending(later);  // 1
  test(state);     // 1
  parity(0);       // 1
  parity(1);       // 0
  asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(at) : "memory");
  pending(state);  // 4: one was dropped
#if __CUDA_ARCH__ >= 900
  asm volatile("mbarrier.arrive.shared.b64 %0, [%1], 3;" : "=l"(later) : "r"(at) : "memory");
  test(state);     // 1
  asm volatile("mbarrier.arrive.expect_tx.shared.b64 %0, [%1], 48;" : "=l"(state) : "r"(at) : "memory");
  asm volatile("mbarrier.arrive.shared.b64 %0, [%1], 3;" : "=l"(later) : "r"(at) : "memory");
  test(state);     // 0: 48 bytes are missing
  asm volatile("mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%0], 40;" ::"r"(at) : "memory");
  test(state);     // 0
  asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], 8;" ::"r"(at) : "memory");
  asm volatile("mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%0], 16;" ::"r"(at) : "memory");
  test(state);     // 1
#endif
  asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(at) : "memory");
  barrier = 77;    // the memory may be used again
  out[n++] = (Word)barrier;
}

#if __CUDA_ARCH__ >= 900
// Blocks of a cluster signal each other's barriers; data goes by st.async and red.async, which bring their own bytes.
namespace cg = cooperative_groups;
extern "C" __global__ void __cluster_dims__(4, 1, 1) cluster_ring(Word* out, int rounds) {
  __shared__ __align__(16) Word cell[2][32][4];
  __shared__ __align__(16) Word sum[32];
  __shared__ __align__(8) Long full[2], added, ready[2];
  auto cluster = cg::this_cluster();
  const Word rank = cluster.block_rank(), next = (rank + 1) % 4, before = (rank + 3) % 4, me = threadIdx.x;
  sum[me] = 0;
  if (me == 0) {
    for (int i = 0; i < 2; i++) {
      asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(shared(&full[i])) : "memory");
      asm volatile("mbarrier.init.shared.b64 [%0], 32;" ::"r"(shared(&ready[i])) : "memory");
    }
    asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(shared(&added)) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    asm volatile("{ .reg .b64 s; mbarrier.arrive.expect_tx.shared.b64 s, [%0], %1; }" ::"r"(shared(&added)), "r"(rounds * 32 * 4) : "memory");
  }
  cluster.sync();
  auto map = [](const void* p, Word rank) {
    Word at;
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(at) : "r"(shared(p)), "r"(rank));
    return at;
  };
  auto await = [](Long* barrier, Word parity) {
    for (Word done = 0; !done;)
      asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }" : "=r"(done) : "r"(shared(barrier)), "r"(parity) : "memory");
  };
  Word value = rank * 100 + me;
  for (int round = 0; round < rounds; round++) {
    const int half = round % 2;
    if (me == 0) asm volatile("{ .reg .b64 s; mbarrier.arrive.expect_tx.shared.b64 s, [%0], 512; }" ::"r"(shared(&full[half])) : "memory");
    // The cell in the next block is free once its readers of two rounds ago have arrived here.
    if (round >= 2) await(&ready[half], (round / 2 - 1) % 2);
    asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.b32 [%0], {%1,%2,%3,%4}, [%5];" ::"r"(map(&cell[half][me], next)),
                 "r"(value), "r"(value + 1), "r"(value * 3), "r"(~value), "r"(map(&full[half], next)) : "memory");
    asm volatile("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%0], %1, [%2];" ::"r"(map(&sum[31 - me], before)),
                 "r"(value & 0xffff), "r"(map(&added, before)) : "memory");
    await(&full[half], round / 2 % 2);
    const Word* got = cell[half][(me + 5) % 32];
    value = got[0] + got[1] * 7 + (got[2] ^ got[3]);
    asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(map(&ready[half], before)) : "memory");
  }
  await(&added, 0);
  out[(rank * 2) * 32 + me] = value;
  out[(rank * 2 + 1) * 32 + me] = sum[me];
  cluster.sync();
}

// Words are counted in the shared memory of all blocks of a cluster, a part of the range in each.
extern "C" __global__ void __cluster_dims__(2, 1, 1) cluster_histogram(const unsigned char* in, Word* out, int n) {
  __shared__ Word bins[128];
  auto cluster = cg::this_cluster();
  for (int i = threadIdx.x; i < 128; i += blockDim.x) bins[i] = 0;
  cluster.sync();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(cluster.map_shared_rank(bins, in[i] / 128) + in[i] % 128, 1);
  cluster.sync();
  for (int i = threadIdx.x; i < 128; i += blockDim.x) atomicAdd(&out[cluster.block_rank() * 128 + i], bins[i]);
}
#endif
