import { inspect } from "../access/inspect.ts";
import type { MemoryAccess } from "../access/memory-access.ts";
import {
  ALLOCATED,
  type Demand,
  fourfold,
  IN_FLIGHT_READ,
  IN_FLIGHT_WRITE,
  INITIALISED,
  MBARRIER,
  READ_ONLY,
  STORED,
  WINDOWED,
} from "../memory/shadow.ts";
import type { Context } from "../state/context.ts";
import type { Step } from "../state/warp.ts";

/**
 * Checks the located addresses of the active lanes, in order of lane: allocated, aligned, initialised for a load,
 * writable for a store, both for an atomic. For an aligned access of up to four bytes that is one comparison; `inspect`
 * examines accesses that fail it, and throws a Fault if there is one. Bytes that are written count as initialised.
 */
export function check(access: MemoryAccess, context: Context): Step {
  const { storing } = context.memory;
  const { mask, want } = demand(access, storing);
  const look = compare(access, mask, want, context);
  const { reduces } = access;
  return reduces === undefined || (storing & STORED) === 0 ? look : reduced(access.bytes, reduces, look, context);
}

/**
 * What the shadow of each byte must be for the access to need no further check. `storing`: the bits that stores set in
 * this memory (`Memory.storing`), which a store must find set.
 */
export function demand({ kind, space }: Pick<MemoryAccess, "kind" | "space">, storing: number): Demand {
  const good = ALLOCATED | INITIALISED | (kind === "load" ? 0 : storing);
  // Nothing in flight may write what is loaded, or touch what is stored to; no access may touch an mbarrier object.
  const flights = MBARRIER | IN_FLIGHT_WRITE | (kind === "load" ? 0 : IN_FLIGHT_READ);
  if (space === "generic") return { mask: good | flights | (kind === "load" ? 0 : READ_ONLY), want: good };
  const windowed = space === "global" || space === "const" ? 0 : WINDOWED;
  const fixed = space === "const" || space === "param" ? READ_ONLY : 0;
  // A store to read-only memory is never right, so it fails the comparison too.
  const free = kind === "load" ? IN_FLIGHT_READ | STORED : 0;
  return { mask: 0xff & ~free, want: good | windowed | (kind === "load" ? fixed : 0) };
}

/** A check for reductions on an overlay: most lanes find their cell marked, see `markOf`; `look` checks the others. */
function reduced(bytes: number, reduces: number, look: Step, { lanes, memory, scratch: { at } }: Context): Step {
  const { s32 } = memory.shadow;
  const stored = fourfold(STORED);
  const happened = reduces | stored;
  const last = (bytes >>> 2) - 1;
  return (warp) => {
    const { active } = warp;
    let others = 0;
    for (let lane = 0; lane < lanes; lane++) {
      if (!((active >>> lane) & 1)) continue;
      const i = at[lane]!;
      const [first, end] = [i >>> 2, (i >>> 2) + last];
      if ((i & (bytes - 1)) !== 0 || (s32[first]! & ~stored) !== reduces || (s32[end]! & ~stored) !== reduces)
        others |= 1 << lane;
      else {
        s32[first] = happened;
        s32[end] = happened;
      }
    }
    if (others === 0) return;
    warp.active = others >>> 0;
    try {
      look(warp);
    } finally {
      warp.active = active;
    }
  };
}

/** A loop each for one byte, for two, and for words. */
function compare(access: MemoryAccess, mask: number, want: number, context: Context): Step {
  const { lanes, memory } = context;
  const { at } = context.scratch;
  const { bytes, align = bytes } = access;
  const { u8, u16, s32 } = memory.shadow;
  if (bytes === 1)
    return (warp) => {
      const { active } = warp;
      for (let lane = 0; lane < lanes; lane++)
        if ((active >>> lane) & 1 && (u8[at[lane]!]! & mask) !== want) inspect(warp, lane, access, context);
    };
  const [masks, wants] = [fourfold(mask), fourfold(want)];
  const { storing } = memory;
  // An atomic updates initialised memory, so that of the shadow it can only change `STORED`.
  const noted = (storing & STORED) !== 0;
  const begun = fourfold(access.kind === "store" ? storing : access.kind === "atomic" ? storing & STORED : 0);
  if (bytes === 2)
    return (warp) => {
      const { active } = warp;
      for (let lane = 0; lane < lanes; lane++) {
        const i = at[lane]!;
        if ((active >>> lane) & 1 && (i & 1 || (u16[i >>> 1]! & masks & 0xffff) !== (wants & 0xffff)))
          inspect(warp, lane, access, context);
      }
    };
  if (bytes === 4)
    return (warp) => {
      const { active } = warp;
      for (let lane = 0; lane < lanes; lane++) {
        if (!((active >>> lane) & 1)) continue;
        const i = at[lane]!;
        if ((i & 3) === 0 && (s32[i >>> 2]! & masks) === wants) continue;
        if (!begins(s32, i, 4, 4, masks, wants, begun)) inspect(warp, lane, access, context);
        else if (noted) memory.noteStore(i);
      }
    };
  // What is in whole words is compared here.
  const even = Math.max(align, 4);
  return (warp) => {
    const { active } = warp;
    for (let lane = 0; lane < lanes; lane++) {
      if (!((active >>> lane) & 1)) continue;
      const i = at[lane]!;
      const first = i >>> 2;
      let good = (i & (even - 1)) === 0 && (s32[first]! & masks) === wants && (s32[first + 1]! & masks) === wants;
      for (let word = 2; good && word < bytes >>> 2; word++) good = (s32[first + word]! & masks) === wants;
      if (good) continue;
      if (!begins(s32, i, bytes, even, masks, wants, begun)) inspect(warp, lane, access, context);
      else if (noted) memory.noteStore(i);
    }
  };
}

/** True for the usual failure of a store: words that are right but were never stored; marks them as stored. */
function begins(
  shadow: Int32Array,
  at: number,
  bytes: number,
  align: number,
  masks: number,
  wants: number,
  begun: number,
): boolean {
  if (begun === 0 || (at & (align - 1)) !== 0) return false;
  const [first, end] = [at >>> 2, (at + bytes) >>> 2];
  for (let word = first; word < end; word++) if (((shadow[word]! | begun) & masks) !== wants) return false;
  for (let word = first; word < end; word++) shadow[word]! |= begun;
  return true;
}
