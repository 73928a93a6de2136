import { constant32 } from "../../numeric/vector/maker.ts";
import type { Vector, Wide } from "../../numeric/vector/vector.ts";
import type { Operand } from "../contract/operand.ts";
import type { Space } from "../contract/space.ts";
import { windows } from "../contract/window.ts";
import { PARAMETERS, SHARED } from "./places.ts";
import type { SegmentRegisters } from "./registers.ts";

/** An address operand of four lanes: `base + offset`. */
export interface VectorAddress {
  /** Which ranges of memory it may be in, and who knows them. */
  readonly space: "global" | "shared" | "param";
  /** 32 bits a lane: in global memory an offset in the buffer, else one from the window's start. */
  readonly base: Vector;
  /** What must be 0 in all bits for the base to lie in the window: its high word and such. */
  readonly outside: Vector | undefined;
  readonly offset: number;
  /** What comes on top of the base where it is an offset from a window's start. */
  readonly start: Vector | undefined;
}

/** Settles how an address operand is found; undefined where only the JS step knows. */
export function addressOf(
  operand: Operand | undefined,
  space: Space,
  registers: SegmentRegisters,
): VectorAddress | undefined {
  if (operand?.kind !== "address" || operand.index !== undefined) return undefined;
  const { base } = operand;
  const offset = Number(BigInt.asIntN(32, operand.offset));
  if (space === "param") {
    if (base !== undefined || operand.offset < 0n) return undefined;
    return { space, base: registers.make.all32(0), outside: undefined, offset, start: state(registers, PARAMETERS) };
  }
  if (space !== "global" && space !== "shared") return undefined;
  const start = space === "shared" ? state(registers, SHARED) : undefined;
  if (base === undefined) {
    if (space !== "shared" || operand.offset < 0n || operand.offset > 0x7fff_ffffn) return undefined;
    return { space, base: registers.make.all32(0), outside: undefined, offset, start };
  }
  if (base.bank === "r") {
    if (space !== "shared") return undefined;
    return { space, base: registers.read(base, 32) as Vector, outside: undefined, offset, start };
  }
  if (BigInt(offset) !== operand.offset) return undefined;
  const wide = registers.read(base, 64) as Wide;
  const { make } = registers;
  const high = make.high(wide);
  const low = make.low(wide);
  // A low word of 2^31 and more is in no window; without it no offset carries into the high word.
  const wild = make.and(low, make.all32(-0x8000_0000));
  const window = space === "global" ? windows.global : 0;
  const strange = window === 0 ? high : make.xor(high, make.all32(window));
  return { space, base: low, outside: make.or(strange, wild), offset, start };
}

const state = (registers: SegmentRegisters, offset: number): Vector => registers.input({ of: "state", offset });

/** Whether an address is the same number in all lanes, known when the code is written. */
export const isFixed = ({ base }: VectorAddress): boolean => constant32(base) !== undefined;
