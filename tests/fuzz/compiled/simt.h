// Blocks of threads on the host: every thread is a fiber, and whoever waits for others gives way until they have come. Slow,
// and as far from a warp machine as can be: lanes know nothing of program counters, masks of divergence or reconvergence.
#pragma once
#include "prelude.h"

#ifdef __CUDACC__
#define SHARED __shared__
#define ONLY __device__
ONLY inline u32 lane_of(u32 me) { return me & 31; }
ONLY inline u32 ballot(u32 m, bool p) { return __ballot_sync(m, p); }
ONLY inline u32 any_of(u32 m, bool p) { return __any_sync(m, p); }
ONLY inline u32 all_of(u32 m, bool p) { return __all_sync(m, p); }
template <class T> ONLY inline T from(u32 m, T v, u32 at, u32 w) { return __shfl_sync(m, v, at, w); }
template <class T> ONLY inline T from_up(u32 m, T v, u32 by, u32 w) { return __shfl_up_sync(m, v, by, w); }
template <class T> ONLY inline T from_down(u32 m, T v, u32 by, u32 w) { return __shfl_down_sync(m, v, by, w); }
template <class T> ONLY inline T from_xor(u32 m, T v, u32 by, u32 w) { return __shfl_xor_sync(m, v, by, w); }
template <class T> ONLY inline u32 alike(u32 m, T v) { return __match_any_sync(m, v); }
template <class T> ONLY inline u32 all_alike(u32 m, T v) { int p = 0; u32 r = __match_all_sync(m, v, &p); return r * 2 + p; }
ONLY inline u32 sum_of(u32 m, u32 v) { return __reduce_add_sync(m, v); }
ONLY inline i32 least_of(u32 m, i32 v) { return __reduce_min_sync(m, v); }
ONLY inline u32 most_of(u32 m, u32 v) { return __reduce_max_sync(m, v); }
ONLY inline u32 xor_of(u32 m, u32 v) { return __reduce_xor_sync(m, v); }
ONLY inline u32 and_of(u32 m, u32 v) { return __reduce_and_sync(m, v); }
ONLY inline void join(u32 m) { __syncwarp(m); }
ONLY inline void meet() { __syncthreads(); }
ONLY inline u32 meet_count(bool p) { return __syncthreads_count(p); }
ONLY inline bool meet_and(bool p) { return __syncthreads_and(p); }
ONLY inline bool meet_or(bool p) { return __syncthreads_or(p); }
ONLY inline void meet_some(u32 id, u32 count) { asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(count) : "memory"); }
ONLY inline void meet_ahead(u32 id, u32 count) { asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(count) : "memory"); }
#define ADD(p, v) atomicAdd(p, v)
#define MAX(p, v) atomicMax(p, v)
#define MIN(p, v) atomicMin(p, v)
#define XOR(p, v) atomicXor(p, v)
#define OR(p, v) atomicOr(p, v)
#define AND(p, v) atomicAnd(p, v)
#define CAS(p, c, v) atomicCAS(p, c, v)
#define SWAP(p, v) atomicExch(p, v)
#define PEEK(p) (*(volatile u32 *)(p))
#define FENCE() __threadfence_block()
#else
#include <ucontext.h>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <tuple>
#include <vector>
#define SHARED static
#define ONLY

struct Fiber {
  ucontext_t context;
  std::vector<char> stack;
  bool done = false;
  u32 me = 0;
};
static std::vector<Fiber> fibers;
static ucontext_t home;
static u32 current;
static u32 alive;
static u64 turns;

inline void give_way() {
  if (++turns > 40000000) { fprintf(stderr, "the host model waits for ever\n"); exit(9); }
  swapcontext(&fibers[current].context, &home);
}

struct Meeting {
  u64 value[32];
  u32 here = 0;
  u64 round = 0;
  u64 result[32];
};
static std::map<std::tuple<u32, u32>, Meeting> meetings;

/** Every lane of `m` shows a value and sees those of the others. */
inline void show(u32 m, u64 v, u64 *seen) {
  const u32 me = fibers[current].me;
  const u32 lane = me & 31;
  if (!(m >> lane & 1)) { fprintf(stderr, "lane %u is not in its mask\n", lane); exit(9); }
  Meeting &all = meetings[{me >> 5, m}];
  const u64 round = all.round;
  all.value[lane] = v;
  all.here |= 1u << lane;
  if (all.here == m) {
    memcpy(all.result, all.value, sizeof all.value);
    all.here = 0;
    all.round++;
  }
  while (all.round == round) give_way();
  memcpy(seen, all.result, sizeof all.result);
}

inline u32 lane() { return fibers[current].me & 31; }
inline u32 ballot(u32 m, bool p) {
  u64 s[32];
  show(m, p, s);
  u32 r = 0;
  for (u32 i = 0; i < 32; i++) r |= (m >> i & 1 && s[i]) << i;
  return r;
}
inline u32 any_of(u32 m, bool p) { return ballot(m, p) != 0; }
inline u32 all_of(u32 m, bool p) { return ballot(m, p) == m; }
template <class T> inline T moved(u32 m, T v, u32 at) {
  u64 s[32], b = 0;
  memcpy(&b, &v, sizeof v);
  show(m, b, s);
  T r;
  memcpy(&r, &s[at], sizeof r);
  return r;
}
template <class T> inline T from(u32 m, T v, u32 at, u32 w) { return moved(m, v, (lane() & ~(w - 1)) | (at & (w - 1))); }
template <class T> inline T from_up(u32 m, T v, u32 by, u32 w) { const u32 l = lane(); return moved(m, v, (l & (w - 1)) < by ? l : l - by); }
template <class T> inline T from_down(u32 m, T v, u32 by, u32 w) { const u32 l = lane(); return moved(m, v, (l & (w - 1)) + by >= w ? l : l + by); }
template <class T> inline T from_xor(u32 m, T v, u32 by, u32 w) { const u32 l = lane(); const u32 to = l ^ by; return moved(m, v, (to & ~(w - 1)) > (l & ~(w - 1)) ? l : to); }
template <class T> inline u32 alike(u32 m, T v) {
  u64 s[32];
  show(m, (u64)v, s);
  u32 r = 0;
  for (u32 i = 0; i < 32; i++) r |= (m >> i & 1 && s[i] == (u64)v) << i;
  return r;
}
template <class T> inline u32 all_alike(u32 m, T v) { return alike(m, v) == m ? m * 2 + 1 : (all_of(m, false), 0); }
template <class F> inline u32 folded(u32 m, u32 v, F f) {
  u64 s[32];
  show(m, v, s);
  bool begun = false;
  u32 r = 0;
  for (u32 i = 0; i < 32; i++) if (m >> i & 1) { r = begun ? f(r, (u32)s[i]) : (u32)s[i]; begun = true; }
  return r;
}
inline u32 sum_of(u32 m, u32 v) { return folded(m, v, [](u32 a, u32 b) { return a + b; }); }
inline i32 least_of(u32 m, i32 v) { return (i32)folded(m, (u32)v, [](u32 a, u32 b) { return (i32)a < (i32)b ? a : b; }); }
inline u32 most_of(u32 m, u32 v) { return folded(m, v, [](u32 a, u32 b) { return a > b ? a : b; }); }
inline u32 xor_of(u32 m, u32 v) { return folded(m, v, [](u32 a, u32 b) { return a ^ b; }); }
inline u32 and_of(u32 m, u32 v) { return folded(m, v, [](u32 a, u32 b) { return a & b; }); }
inline void join(u32 m) { u64 s[32]; show(m, 0, s); }

struct Gate { u32 count = 0; u32 yes = 0; u64 round = 0; u32 result = 0; };
static Gate gates[16];
static u32 expected_of(u32 count) { return count == 0 ? alive : count; }
inline void open(Gate &g) { g.result = g.yes; g.count = g.yes = 0; g.round++; }
inline u32 wait_at(u32 id, u32 count, bool p, bool stay) {
  Gate &g = gates[id];
  const u64 round = g.round;
  g.count++;
  g.yes += p;
  // With exits the number expected shrinks while others wait; whoever looks next opens the gate.
  if (g.count == expected_of(count)) open(g);
  if (!stay) return 0;
  while (g.round == round) {
    give_way();
    if (g.round == round && g.count == expected_of(count)) open(g);
  }
  return g.result;
}
inline void meet() { wait_at(0, 0, false, true); }
inline u32 meet_count(bool p) { return wait_at(0, 0, p, true); }
inline bool meet_or(bool p) { return wait_at(0, 0, p, true) != 0; }
inline bool meet_and(bool p) { return wait_at(0, 0, !p, true) == 0; }
inline void meet_some(u32 id, u32 count) { wait_at(id, count, false, true); }
inline void meet_ahead(u32 id, u32 count) { wait_at(id, count, false, false); }

template <class T, class V> inline T swapped(T *p, V v) { T o = *p; *p = (T)v; return o; }
#define ADD(p, v) swapped(p, *(p) + (v))
#define MAX(p, v) swapped(p, *(p) > (v) ? *(p) : (v))
#define MIN(p, v) swapped(p, *(p) < (v) ? *(p) : (v))
#define XOR(p, v) swapped(p, *(p) ^ (v))
#define OR(p, v) swapped(p, *(p) | (v))
#define AND(p, v) swapped(p, *(p) & (v))
#define CAS(p, c, v) (*(p) == (c) ? swapped(p, v) : (give_way(), *(p)))
#define SWAP(p, v) swapped(p, v)
#define PEEK(p) (give_way(), *(p))
#define FENCE()

static std::function<void(u32)> body;
static void enter() {
  body(fibers[current].me);
  fibers[current].done = true;
  alive--;
  for (;;) swapcontext(&fibers[current].context, &home);
}

/** Runs one block of `threads` threads. */
inline void run_block(u32 threads, std::function<void(u32)> what) {
  body = what;
  alive = threads;
  turns = 0;
  meetings.clear();
  for (auto &g : gates) g = Gate();
  fibers.clear();
  fibers.resize(threads);
  for (u32 i = 0; i < threads; i++) {
    Fiber &f = fibers[i];
    f.me = i;
    f.stack.resize(1 << 16);
    getcontext(&f.context);
    f.context.uc_stack.ss_sp = f.stack.data();
    f.context.uc_stack.ss_size = f.stack.size();
    f.context.uc_link = &home;
    makecontext(&f.context, enter, 0);
  }
  // Another order every round, so that nothing rests on one.
  for (u64 round = 0; alive > 0; round++)
    for (u32 i = 0; i < threads; i++) {
      current = (u32)((i * (round % 2 ? 1 : threads - 1) + round * 7) % threads);
      if (!fibers[current].done) swapcontext(&home, &fibers[current].context);
    }
}
#endif
