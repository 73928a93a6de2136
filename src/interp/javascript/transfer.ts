import { FULL } from "../contract/launch/lane-mask.ts";
import type { SlotOperand } from "../contract/operand.ts";
import type { Cell } from "../contract/space.ts";
import type { Context } from "../state/context.ts";
import type { Step } from "../state/warp.ts";

/** Moves a cell from memory, `offset` bytes behind the located address, to a register. */
export function loadElement(to: SlotOperand, { bits, signed }: Cell, offset: number, context: Context): Step {
  const { lanes, memory, scratch } = context;
  const { at } = scratch;
  const { s32, u64 } = memory.data;
  const d = to.slot * lanes;
  if (to.bank === "q") {
    if (bits === 64)
      return ({ q, active }) => {
        if (active === FULL) for (let lane = 0; lane < 32; lane++) q[d + lane] = u64[(at[lane]! + offset) >>> 3]!;
        else
          for (let lane = 0; lane < lanes; lane++)
            if ((active >>> lane) & 1) q[d + lane] = u64[(at[lane]! + offset) >>> 3]!;
      };
    const cut = 32 - bits;
    const get = narrow(bits, context, offset);
    return ({ w, active }) => {
      for (let lane = 0; lane < lanes; lane++) {
        if (!((active >>> lane) & 1)) continue;
        const value = get(lane);
        const extended = signed ? (value << cut) >> cut : value;
        w[2 * (d + lane)] = extended;
        w[2 * (d + lane) + 1] = signed && extended < 0 ? -1 : 0;
      }
    };
  }
  if (bits === 32)
    return ({ s, active }) => {
      if (active === FULL) for (let lane = 0; lane < 32; lane++) s[d + lane] = s32[(at[lane]! + offset) >>> 2]!;
      else
        for (let lane = 0; lane < lanes; lane++)
          if ((active >>> lane) & 1) s[d + lane] = s32[(at[lane]! + offset) >>> 2]!;
    };
  const cut = 32 - bits;
  const mask = to.bits >= 32 ? -1 : (1 << to.bits) - 1;
  const get = narrow(bits, context, offset);
  return ({ r, active }) => {
    for (let lane = 0; lane < lanes; lane++) {
      if (!((active >>> lane) & 1)) continue;
      const value = get(lane);
      r[d + lane] = (signed ? (value << cut) >> cut : value) & mask;
    }
  };
}

/** Moves a register's low bits to memory, `offset` bytes behind the located address. */
export function storeElement(from: SlotOperand, { bits }: Cell, offset: number, context: Context): Step {
  const { lanes, memory, scratch } = context;
  const { at } = scratch;
  const { s32, u64 } = memory.data;
  const a = from.slot * lanes;
  if (bits === 64)
    return ({ q, active }) => {
      if (active === FULL) for (let lane = 0; lane < 32; lane++) u64[(at[lane]! + offset) >>> 3] = q[a + lane]!;
      else
        for (let lane = 0; lane < lanes; lane++)
          if ((active >>> lane) & 1) u64[(at[lane]! + offset) >>> 3] = q[a + lane]!;
    };
  if (bits === 32 && from.bank === "r")
    return ({ s, active }) => {
      if (active === FULL) for (let lane = 0; lane < 32; lane++) s32[(at[lane]! + offset) >>> 2] = s[a + lane]!;
      else
        for (let lane = 0; lane < lanes; lane++)
          if ((active >>> lane) & 1) s32[(at[lane]! + offset) >>> 2] = s[a + lane]!;
    };
  const shift = bits === 8 ? 0 : bits === 16 ? 1 : 2;
  const view = memory.data[bits === 8 ? "u8" : bits === 16 ? "u16" : "u32"];
  const wide = from.bank === "q";
  return ({ r, w, active }) => {
    for (let lane = 0; lane < lanes; lane++)
      if ((active >>> lane) & 1) view[(at[lane]! + offset) >>> shift] = wide ? w[2 * (a + lane)]! : r[a + lane]!;
  };
}

/** The same for an address that may be any byte: lanes whose element does not lie in one word go byte by byte. */
export function loadBytes(to: SlotOperand, cell: Cell, offset: number, context: Context): Step {
  const { lanes, memory, scratch } = context;
  const whole = loadElement(to, cell, offset, context);
  const bytes = cell.bits / 8;
  const { u8 } = memory.data;
  const wide = to.bank === "q";
  return (warp) => {
    const { active } = warp;
    const apart = astray(active, bytes, offset, context);
    warp.active = (active & ~apart) >>> 0;
    if (warp.active !== 0) whole(warp);
    warp.active = active;
    for (let lane = 0; lane < lanes; lane++) {
      if (!((apart >>> lane) & 1)) continue;
      const from = scratch.at[lane]! + offset;
      const words = [0, 0];
      for (let at = 0; at < bytes; at++) words[at >>> 2]! |= u8[from + at]! << (8 * (at & 3));
      const place = to.slot * lanes + lane;
      if (!wide) warp.r[place] = words[0]!;
      else for (const half of [0, 1]) warp.w[2 * place + half] = words[half]!;
    }
  };
}

/** The same for a store. */
export function storeBytes(from: SlotOperand, cell: Cell, offset: number, context: Context): Step {
  const { lanes, memory, scratch } = context;
  const whole = storeElement(from, cell, offset, context);
  const bytes = cell.bits / 8;
  const { u8 } = memory.data;
  const wide = from.bank === "q";
  return (warp) => {
    const { active } = warp;
    const apart = astray(active, bytes, offset, context);
    warp.active = (active & ~apart) >>> 0;
    if (warp.active !== 0) whole(warp);
    warp.active = active;
    for (let lane = 0; lane < lanes; lane++) {
      if (!((apart >>> lane) & 1)) continue;
      const to = scratch.at[lane]! + offset;
      const place = from.slot * lanes + lane;
      for (let at = 0; at < bytes; at++)
        u8[to + at] = (wide ? warp.w[2 * place + (at >>> 2)]! : warp.r[place]!) >>> (8 * (at & 3));
    }
  };
}

/** The active lanes whose address is no multiple of the element's bytes. */
function astray(active: number, bytes: number, offset: number, { lanes, scratch: { at } }: Context): number {
  let found = 0;
  for (let lane = 0; lane < lanes; lane++)
    if ((active >>> lane) & 1 && ((at[lane]! + offset) & (bytes - 1)) !== 0) found |= 1 << lane;
  return found;
}

/** Reads a cell of up to 32 bits, zero-extended. */
function narrow(bits: number, { memory, scratch: { at } }: Context, offset: number): (lane: number) => number {
  const { u8, u16, u32 } = memory.data;
  if (bits === 8) return (lane) => u8[at[lane]! + offset]!;
  if (bits === 16) return (lane) => u16[(at[lane]! + offset) >>> 1]!;
  return (lane) => u32[(at[lane]! + offset) >>> 2]!;
}
