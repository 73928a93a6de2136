import { lowest } from "../../contract/launch/lane-mask.ts";
import { elements, type Operand } from "../../contract/operand.ts";
import { type LinePlaces, linePlaces } from "../../contract/plan/line-places.ts";
import { linesOf, type PlanLines } from "../../contract/plan/plan-lines.ts";
import type { Context } from "../../state/context.ts";
import type { Step, Warp } from "../../state/warp.ts";
import { check } from "../check.ts";
import { lineLocator } from "./locate-lines.ts";

/** `d, [a]{, stride}`: ldmatrix and wmma.load. */
export function loadLines(
  { space, lines }: PlanLines,
  [d, a, stride]: readonly (Operand | undefined)[],
  context: Context,
): Step {
  const ready = checkedLines("load", { space, lines }, a, stride, context);
  const places = linePlaces(lines);
  const unsigned = reader(places, context);
  const { registers, pieces, bits, inMemory } = places;
  const read = lines.signed ? signExtended(unsigned, inMemory, bits) : unsigned;
  const moves = elements(d).flatMap((part, register) =>
    part.kind === "slot" ? [{ to: part.slot * context.lanes, wide: part.bank === "q", register }] : [],
  );
  return (warp) => {
    ready(warp);
    const { r, w } = warp;
    for (const { to, wide, register } of moves)
      for (let lane = 0; lane < 32; lane++) {
        const first = (lane * registers + register) * pieces;
        if (wide) {
          w[2 * (to + lane)] = read(first);
          w[2 * (to + lane) + 1] = read(first, 4);
          continue;
        }
        let value = 0;
        for (let piece = 0; piece < pieces; piece++) value |= read(first + piece) << (piece * bits);
        r[to + lane] = value;
      }
  };
}

/** `[a], b{, stride}`: stmatrix and wmma.store. */
export function storeLines(
  { space, lines }: PlanLines,
  [a, b, stride]: readonly (Operand | undefined)[],
  context: Context,
): Step {
  const ready = checkedLines("store", { space, lines }, a, stride, context);
  const { registers, pieces, bits, line, offset } = linePlaces(lines);
  const { at: places } = context.scratch;
  const { data } = context.memory;
  const moves = elements(b).map((part, register) => {
    if (part.kind !== "slot") throw new Error("a register is expected");
    return { from: part.slot * context.lanes, wide: part.bank === "q", register };
  });
  return (warp) => {
    ready(warp);
    const { r, q } = warp;
    for (const { from, wide, register } of moves)
      for (let lane = 0; lane < 32; lane++) {
        const first = (lane * registers + register) * pieces;
        for (let piece = 0; piece < pieces; piece++) {
          const to = places[line[first + piece]!]! + (offset[first + piece]! >>> 3);
          if (wide) data.u64[to >>> 3] = q[from + lane]!;
          else if (bits === 32) data.u32[to >>> 2] = r[from + lane]!;
          else if (bits === 16) data.u16[to >>> 1] = r[from + lane]! >>> (piece * 16);
          else data.u8[to] = r[from + lane]! >>> (piece * 8);
        }
      }
  };
}

/** Locates the lines and checks them, each for the lane that supplies its address. */
function checkedLines(
  kind: "load" | "store",
  { space, lines }: PlanLines,
  a: Operand | undefined,
  stride: Operand | undefined,
  context: Context,
): Step {
  const { locate, sum } = lineLocator(a, stride, { space, lines }, kind, context);
  const { bytes, align, first } = lines;
  const every = check({ kind, space, bytes, align, sum }, context);
  const one = first === align ? undefined : check({ kind, space, bytes, align: first, sum }, context);
  const mask = lowest(linesOf(lines));
  return (warp: Warp) => {
    locate(warp);
    const { active } = warp;
    try {
      warp.active = 1;
      one?.(warp);
      warp.active = mask;
      every(warp);
    } finally {
      warp.active = active;
    }
  };
}

type Reader = (piece: number, more?: number) => number;

/** Elements of `from` bits, whose sign fills the others of `to`. */
const signExtended =
  (read: Reader, from: number, to: number): Reader =>
  (piece) =>
    ((read(piece) << (32 - from)) >> (32 - from)) & (2 ** to - 1);

/** Reads a piece, `more` bytes behind its start; elements with fewer bits in memory are zero-extended. */
function reader({ inMemory, line, offset }: LinePlaces, context: Context): Reader {
  const { at } = context.scratch;
  const { u8, u16, s32 } = context.memory.data;
  const start = (piece: number): number => at[line[piece]!]!;
  if (inMemory === 4) return (piece) => (u8[start(piece) + (offset[piece]! >>> 3)]! >>> (offset[piece]! & 7)) & 15;
  if (inMemory === 6)
    return (piece) => {
      const byte = start(piece) + (offset[piece]! >>> 3);
      return ((u8[byte]! | (u8[byte + 1]! << 8)) >>> (offset[piece]! & 7)) & 63;
    };
  if (inMemory === 8) return (piece) => u8[start(piece) + (offset[piece]! >>> 3)]!;
  if (inMemory === 16) return (piece) => u16[(start(piece) + (offset[piece]! >>> 3)) >>> 1]!;
  return (piece, more = 0) => s32[(start(piece) + (offset[piece]! >>> 3) + more) >>> 2]!;
}
