import { constant32 } from "../../../numeric/vector/maker.ts";
import type { Vector, Wide } from "../../../numeric/vector/vector.ts";
import type { Operand } from "../../contract/operand.ts";
import type { Space } from "../../contract/space.ts";
import { windows } from "../../contract/window.ts";
import { offsetOf } from "../boundary/state-layout.ts";
import type { SegmentRegisters } from "./registers.ts";

/** An address operand of four lanes: `base + offset`. */
export interface VectorAddress {
  /** Which memory it is in. One of the generic space is checked as if it was in global memory; else it is examined. */
  readonly space: Space;
  /** 32 bits a lane: in global and constant memory an offset in the buffer, else one from the window's start. */
  readonly base: Vector;
  /** What must be 0 in all bits for the base to lie in the window: its high word and such. */
  readonly outside: Vector | undefined;
  readonly offset: number;
  /** What comes on top of the base where it is an offset from a window's start. */
  readonly start: Vector | undefined;
  /** Bytes of the window, where it is one. */
  readonly size: Vector | undefined;
  /** The high word of the addresses where they lie in their windows; of generic ones each lane has its own. */
  readonly high: Vector;
  readonly anywhere?: Anywhere;
}

/** What else is known of generic addresses: which lanes' lie in windows, shared or local. */
export interface Anywhere {
  readonly windowed: Vector;
  /** What must be 0 in all bits for the base to lie in a window or in global memory. */
  readonly outside: Vector;
  /** How many bytes there are, given how many the global memory has. */
  size(global: Vector): Vector;
}

/** Settles how an address operand is found; undefined where only the JS step knows. */
export function addressOf(
  operand: Operand | undefined,
  space: Space,
  registers: SegmentRegisters,
  parameterBytes: number,
): VectorAddress | undefined {
  if (operand?.kind !== "address" || operand.index !== undefined) return undefined;
  const { make } = registers;
  const { base } = operand;
  const offset = Number(BigInt.asIntN(32, operand.offset));
  const window = highOf[space];
  const at = { space, offset, ...windowOf(space, registers, parameterBytes), high: make.all32(window) };
  if (base === undefined) {
    const there = operand.offset >> 32n === BigInt(space === "const" ? window : 0) && offset >= 0;
    if (!there || window === windows.global) return undefined;
    return { ...at, base: make.all32(0), outside: undefined };
  }
  if (base.bank === "r") {
    // In the global window no address has 32 bits.
    if (window === windows.global) return undefined;
    return { ...at, base: registers.read(base, 32) as Vector, outside: undefined };
  }
  if (BigInt(offset) !== operand.offset) return undefined;
  const wide = registers.read(base, 64) as Wide;
  const high = make.high(wide);
  const low = make.low(wide);
  // A low word of 2^31 and more is in no window; without it no offset carries into the high word.
  const wild = make.and(low, make.all32(-0x8000_0000));
  const strange = window === 0 ? high : make.xor(high, make.all32(window));
  const found = { ...at, base: low, outside: make.or(strange, wild) };
  return space === "generic" ? { ...found, high, ...anywhere(high, wild, registers) } : found;
}

/** The window that the high word of a generic address says (PTX ISA 6.4.1.1). */
function anywhere(high: Vector, wild: Vector, registers: SegmentRegisters): Pick<VectorAddress, "start" | "anywhere"> {
  const { make } = registers;
  const is = (window: number): Vector => make.op("i32x4.eq", high, make.all32(window));
  const [inLocal, inShared] = [is(windows.local), is(windows.shared)];
  const windowed = make.or(inLocal, inShared);
  const state = (offset: number): Vector => registers.input({ of: "state", offset });
  const oneOf = (local: Vector, shared: Vector): Vector =>
    make.or(make.and(inLocal, local), make.and(inShared, shared));
  return {
    start: oneOf(registers.input({ of: "local" }), state(offsetOf.shared)),
    anywhere: {
      windowed,
      outside: make.or(make.not(make.or(windowed, is(windows.global))), wild),
      size: (global) => make.choose(windowed, oneOf(state(offsetOf.localBytes), state(offsetOf.sharedBytes)), global),
    },
  };
}

/** The same for an access that is another one in windows: those are JavaScript's. */
export function onlyGlobal(address: VectorAddress): VectorAddress {
  const { anywhere, ...rest } = address;
  return anywhere === undefined ? address : { ...rest, space: "global", start: undefined };
}

/** The high word of addresses; generic ones are compiled for the global window. */
const highOf: Readonly<Record<Space, number>> = {
  global: windows.global,
  generic: windows.global,
  const: windows.const,
  shared: 0,
  local: 0,
  param: 0,
};

function windowOf(
  space: Space,
  registers: SegmentRegisters,
  parameterBytes: number,
): Pick<VectorAddress, "start" | "size"> {
  const state = (offset: number): Vector => registers.input({ of: "state", offset });
  switch (space) {
    case "shared":
      return { start: state(offsetOf.shared), size: state(offsetOf.sharedBytes) };
    case "local":
      return { start: registers.input({ of: "local" }), size: state(offsetOf.localBytes) };
    case "param":
      return { start: state(offsetOf.parameters), size: registers.make.all32(parameterBytes) };
    default:
      return { start: undefined, size: undefined };
  }
}

/** Whether there is a range of memory that is known to be clean for accesses there (shared memory has one of its own). */
export const hasRange = ({ space }: VectorAddress): boolean =>
  space === "global" || space === "const" || space === "generic";

/** Whether accesses there may be wrong: of parameters only those by a register, the others are known from the text. */
export const isChecked = ({ space, base, outside }: VectorAddress): boolean =>
  space !== "param" || constant32(base) !== 0 || outside !== undefined;
