import type { AtomicLoop } from "./atomic-loop.ts";

// A loop of its own for each operation that kernels are made of (histograms, counters, locks, CAS loops on doubles):
// no call a lane, and no bigint that leaves the loop.

const add: AtomicLoop = ({ lanes, memory, scratch: { at } }, _op, d, b) => {
  const { u32 } = memory.data;
  return ({ r, active }) => {
    for (let lane = 0; lane < lanes; lane++) {
      if (!((active >>> lane) & 1)) continue;
      const index = at[lane]! >>> 2;
      const held = u32[index]!;
      u32[index] = held + r[b + lane]!;
      if (d >= 0) r[d + lane] = held;
    }
  };
};

const and: AtomicLoop = ({ lanes, memory, scratch: { at } }, _op, d, b) => {
  const { u32 } = memory.data;
  return ({ r, active }) => {
    for (let lane = 0; lane < lanes; lane++) {
      if (!((active >>> lane) & 1)) continue;
      const index = at[lane]! >>> 2;
      const held = u32[index]!;
      u32[index] = held & r[b + lane]!;
      if (d >= 0) r[d + lane] = held;
    }
  };
};

const or: AtomicLoop = ({ lanes, memory, scratch: { at } }, _op, d, b) => {
  const { u32 } = memory.data;
  return ({ r, active }) => {
    for (let lane = 0; lane < lanes; lane++) {
      if (!((active >>> lane) & 1)) continue;
      const index = at[lane]! >>> 2;
      const held = u32[index]!;
      u32[index] = held | r[b + lane]!;
      if (d >= 0) r[d + lane] = held;
    }
  };
};

const exchange: AtomicLoop = ({ lanes, memory, scratch: { at } }, _op, d, b) => {
  const { u32 } = memory.data;
  return ({ r, active }) => {
    for (let lane = 0; lane < lanes; lane++) {
      if (!((active >>> lane) & 1)) continue;
      const index = at[lane]! >>> 2;
      const held = u32[index]!;
      u32[index] = r[b + lane]!;
      if (d >= 0) r[d + lane] = held;
    }
  };
};

const swap: AtomicLoop = ({ lanes, memory, scratch: { at } }, _op, d, b, c) => {
  const { u32 } = memory.data;
  return ({ r, active }) => {
    for (let lane = 0; lane < lanes; lane++) {
      if (!((active >>> lane) & 1)) continue;
      const index = at[lane]! >>> 2;
      const held = u32[index]!;
      if (held === r[b + lane]) u32[index] = r[c + lane]!;
      if (d >= 0) r[d + lane] = held;
    }
  };
};

const maxUnsigned: AtomicLoop = ({ lanes, memory, scratch: { at } }, _op, d, b) => {
  const { u32 } = memory.data;
  return ({ r, active }) => {
    for (let lane = 0; lane < lanes; lane++) {
      if (!((active >>> lane) & 1)) continue;
      const index = at[lane]! >>> 2;
      const held = u32[index]!;
      const by = r[b + lane]!;
      if (by > held) u32[index] = by;
      if (d >= 0) r[d + lane] = held;
    }
  };
};

const minUnsigned: AtomicLoop = ({ lanes, memory, scratch: { at } }, _op, d, b) => {
  const { u32 } = memory.data;
  return ({ r, active }) => {
    for (let lane = 0; lane < lanes; lane++) {
      if (!((active >>> lane) & 1)) continue;
      const index = at[lane]! >>> 2;
      const held = u32[index]!;
      const by = r[b + lane]!;
      if (by < held) u32[index] = by;
      if (d >= 0) r[d + lane] = held;
    }
  };
};

const add64: AtomicLoop = ({ lanes, memory, scratch: { at } }, _op, d, b) => {
  const { u64 } = memory.data;
  return ({ q, active }) => {
    for (let lane = 0; lane < lanes; lane++) {
      if (!((active >>> lane) & 1)) continue;
      const index = at[lane]! >>> 3;
      const sum = BigInt.asUintN(64, u64[index]! + q[b + lane]!);
      if (d >= 0) q[d + lane] = u64[index]!;
      u64[index] = sum;
    }
  };
};

const swap64: AtomicLoop = ({ lanes, memory, scratch: { at } }, _op, d, b, c) => {
  const { u64, u32 } = memory.data;
  return ({ q, w, active }) => {
    for (let lane = 0; lane < lanes; lane++) {
      if (!((active >>> lane) & 1)) continue;
      const index = at[lane]! >>> 3;
      const low = u32[2 * index]! | 0;
      const high = u32[2 * index + 1]! | 0;
      if (low === w[2 * (b + lane)] && high === w[2 * (b + lane) + 1]) u64[index] = q[c + lane]!;
      if (d < 0) continue;
      w[2 * (d + lane)] = low;
      w[2 * (d + lane) + 1] = high;
    }
  };
};

/** By name of the operation. A loop must equal the operation's `js` bit for bit (a test runs each against it). */
export const hotAtomic: ReadonlyMap<string, AtomicLoop> = new Map([
  ["iadd.u32", add],
  ["iadd.s32", add],
  ["band.b32", and],
  ["bor.b32", or],
  ["exch.b32", exchange],
  ["cas.b32", swap],
  ["imax.u32", maxUnsigned],
  ["imin.u32", minUnsigned],
  ["iadd.u64", add64],
  ["cas.b64", swap64],
]);
