import type { Operand } from "../contract/operand.ts";
import type { Space } from "../contract/space.ts";
import { windows } from "../contract/window.ts";
import { WINDOWED } from "../memory/shadow.ts";
import type { Supply } from "../memory/supply.ts";
import type { Context } from "../state/context.ts";
import type { Step, Warp } from "../state/warp.ts";

/** How an instruction finds its bytes: `locate` sets their offsets in the buffer, `sum` the addresses as words. */
export interface Locator {
  readonly locate: Step;
  readonly sum: Step;
}

/** Decides how to locate an address operand of `space`, for `bytes` bytes a lane. */
export function locator(operand: Operand | undefined, space: Space, bytes: number, context: Context): Locator {
  if (operand?.kind !== "address") throw new Error(`an address is expected, not ${operand?.kind ?? "nothing"}`);
  const { base, offset, index } = operand;
  const plain = add(operand, space, context);
  const sum = index === undefined ? plain : indexed(plain, index, context);
  const own = context.memory.supply === undefined;
  if (own && index === undefined && space === "global" && base?.bank === "q" && BigInt.asIntN(32, offset) === offset)
    return { sum, locate: near(base.slot * context.lanes, Number(offset), context) };
  if (index === undefined && space === "shared" && base?.bank === "r")
    return { sum, locate: close(base.slot * context.lanes, Number(BigInt.asUintN(32, offset)), bytes, context) };
  const find = finder(space, bytes, context);
  return {
    sum,
    locate: (warp) => {
      sum(warp);
      find(warp);
    },
  };
}

/** Locates the usual global access, a 64-bit base and a small offset, without computing both address words. */
function near(base: number, offset: number, { lanes, scratch: { at } }: Context): Step {
  return ({ w }) => {
    for (let lane = 0; lane < lanes; lane++) {
      const low = w[2 * (base + lane)]!;
      const high = w[2 * (base + lane) + 1]!;
      const sum = (low + offset) | 0;
      at[lane] = low >= 0 && sum >= 0 && high === windows.global ? sum : far(low >>> 0, high, offset);
    }
  };
}

/** Locates the usual access to shared memory, by a 32-bit address. */
function close(base: number, offset: number, bytes: number, { lanes, sharedBytes, scratch: { at } }: Context): Step {
  const last = sharedBytes - bytes;
  return (warp) => {
    const { r, shared } = warp;
    for (let lane = 0; lane < lanes; lane++) {
      const low = (r[base + lane]! + offset) >>> 0;
      at[lane] = low <= last ? shared + low : inCluster(warp, low, last);
    }
  };
}

/** Where base + offset lies when the base is outside the global window, or the sum carries into the high word; -1 outside. */
function far(low: number, high: number, offset: number): number {
  const sum = low + offset;
  return high + Math.floor(sum / 0x1_0000_0000) === windows.global ? sum | 0 : -1;
}

/**
 * base + offset, modulo 2^64; modulo 2^32 for a base of 32 bits or less, which is zero-extended. In constant memory the
 * high word becomes the window's, since `ld.const` reads only the low word of any base (as ptxas 13.0 compiles it).
 */
function add({ base, offset }: Operand & { kind: "address" }, space: Space, { lanes, scratch }: Context): Step {
  const { low, high } = scratch;
  const lower = Number(BigInt.asUintN(32, offset));
  const upper = Number(BigInt.asUintN(32, offset >> 32n));
  if (base === undefined)
    return () => {
      low.fill(lower);
      high.fill(upper);
    };
  const from = base.slot * lanes;
  if (base.bank === "r") {
    const window = space === "const" ? windows.const : 0;
    return ({ r }) => {
      for (let lane = 0; lane < lanes; lane++) {
        low[lane] = r[from + lane]! + lower;
        high[lane] = window;
      }
    };
  }
  return ({ w }) => {
    for (let lane = 0; lane < lanes; lane++) {
      const sum = (w[2 * (from + lane)]! >>> 0) + lower;
      low[lane] = sum;
      high[lane] = w[2 * (from + lane) + 1]! + upper + (sum > 0xffff_ffff ? 1 : 0);
    }
  };
}

/** Adds an array index: the distance from the array's start is computed in 32 bits (measured with ptxas 13.0). */
function indexed(
  array: Step,
  { of, plus, scale }: NonNullable<(Operand & { kind: "address" })["index"]>,
  { lanes, scratch: { low, high } }: Context,
): Step {
  const from = of.slot * lanes;
  const wide = of.bank === "q";
  return (warp) => {
    array(warp);
    const { r, w } = warp;
    for (let lane = 0; lane < lanes; lane++) {
      const index = wide ? w[2 * (from + lane)]! : r[from + lane]!;
      const sum = low[lane]! + (Math.imul(index + plus, scale) >>> 0);
      low[lane] = sum;
      if (sum > 0xffff_ffff) high[lane]!++;
    }
  };
}

/** Translates the addresses in `Context.scratch` to offsets in the buffer, for `bytes` bytes a lane. */
export function finder(space: Space, bytes: number, context: Context): Step {
  const find = finders[space](bytes, context);
  const { supply } = context.memory;
  return supply === undefined || !(space === "global" || space === "generic")
    ? find
    : orSupplied(find, supply, context);
}

/** Looks an address outside of the device's own memory up at the supplier, who may have to read its page first. */
function orSupplied(find: Step, supply: Supply, { lanes, scratch: { low, high, at } }: Context): Step {
  return (warp) => {
    find(warp);
    for (let lane = 0; lane < lanes; lane++)
      if (at[lane]! < 0 || at[lane]! >= supply.start) at[lane] = supply.locate(high[lane]!, low[lane]!);
  };
}

type Finder = (bytes: number, context: Context) => Step;

/** Global and constant addresses carry the buffer's offset in their low word. */
const direct =
  (window: number): Finder =>
  (_bytes, { lanes, scratch: { low, high, at } }) =>
  () => {
    for (let lane = 0; lane < lanes; lane++) at[lane] = high[lane] === window ? low[lane]! : -1;
  };

const shared: Finder =
  (bytes, { lanes, sharedBytes, scratch: { low, high, at } }) =>
  (warp) => {
    const last = sharedBytes - bytes;
    for (let lane = 0; lane < lanes; lane++)
      at[lane] =
        high[lane] !== 0 ? -1 : low[lane]! <= last ? warp.shared + low[lane]! : inCluster(warp, low[lane]!, last);
  };

/**
 * Locates an address in the shared memory of another block of the cluster: the high byte is its rank + 1, as mapa makes
 * it, so that a plain offset means the thread's own block (PTX ISA 5.1.7). -1 if the block or the offset does not
 * exist.
 */
function inCluster({ ctaSync: { cluster } }: Warp, address: number, last: number): number {
  const start = cluster[(address >>> 24) - 1]?.warps[0]?.shared;
  const offset = address & 0xff_ffff;
  return start === undefined || offset > last ? -1 : start + offset;
}

const local: Finder =
  (bytes, { lanes, localBytes, localStride, scratch: { low, high, at } }) =>
  (warp) => {
    const last = localBytes - bytes;
    for (let lane = 0; lane < lanes; lane++)
      at[lane] = high[lane] === 0 && low[lane]! <= last ? warp.local + lane * localStride + low[lane]! : -1;
  };

const param: Finder =
  (bytes, { lanes, parameters, program, scratch: { low, high, at } }) =>
  () => {
    const last = program.parameterBytes - bytes;
    for (let lane = 0; lane < lanes; lane++)
      at[lane] = high[lane] === 0 && low[lane]! <= last ? parameters + low[lane]! : -1;
  };

/** The high word picks the window (PTX ISA 6.4.1.1). */
const generic: Finder = (bytes, context) => {
  const { lanes, memory, parameters, program, scratch } = context;
  const { sharedBytes, localBytes, localStride } = context;
  const { low, high, at } = scratch;
  const { u8 } = memory.shadow;
  return (warp) => {
    for (let lane = 0; lane < lanes; lane++) {
      const offset = low[lane]!;
      let found = -1;
      switch (high[lane]) {
        case windows.global:
        case windows.const:
          // A wild pointer may hit the bytes of a launch's own windows, which no global address reaches.
          if ((u8[offset]! & WINDOWED) === 0) found = offset;
          break;
        case windows.shared:
          found = offset <= sharedBytes - bytes ? warp.shared + offset : inCluster(warp, offset, sharedBytes - bytes);
          break;
        case windows.local:
          if (offset <= localBytes - bytes) found = warp.local + lane * localStride + offset;
          break;
        case windows.param:
          if (offset <= program.parameterBytes - bytes) found = parameters + offset;
          break;
      }
      at[lane] = found;
    }
  };
};

const finders: Readonly<Record<Space, Finder>> = {
  global: direct(windows.global),
  const: direct(windows.const),
  shared,
  local,
  param,
  generic,
};
