import { constant32 } from "../../../numeric/vector/maker.ts";
import type { Vector, Wide } from "../../../numeric/vector/vector.ts";
import type { Operand } from "../../contract/operand.ts";
import type { Space } from "../../contract/space.ts";
import { windows } from "../../contract/window.ts";
import { FREE_AROUND_ZONE } from "../../memory/supply.ts";
import { offsetOf } from "../boundary/state-layout.ts";
import type { SegmentRegisters } from "./registers.ts";

/** An address operand of four lanes: `base + offset`. */
export interface VectorAddress {
  /** The memory space. A generic address is first checked as one in global memory; if that fails, it is examined. */
  readonly space: Space;
  /** 32 bits a lane: in global and constant memory an offset in the buffer, else one from the window's start. */
  readonly base: Vector;
  /** Bits that must all be 0 for the base to lie in the window, such as its high word. */
  readonly outside: Vector | undefined;
  readonly offset: number;
  /** What is added to the base if it is an offset from a window's start. */
  readonly start: Vector | undefined;
  /** Bytes of the window, if there is one. */
  readonly size: Vector | undefined;
  /** The high word of addresses that lie in their windows; generic ones have one per lane. */
  readonly high: Vector;
  readonly anywhere?: Anywhere;
}

/** More about generic addresses: which lanes' addresses lie in the shared or local window. */
export interface Anywhere {
  readonly windowed: Vector;
  /** Bits that must all be 0 for the base to lie in a window or in global memory. */
  readonly outside: Vector;
  /** How many bytes the memory of each lane's address has, given those of global memory. */
  size(global: Vector): Vector;
}

/** Decides how to compute an address operand; undefined if only the JavaScript step can. */
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
    // A 32-bit address cannot lie in the global window.
    if (window === windows.global) return undefined;
    return { ...at, base: registers.read(base, 32) as Vector, outside: undefined };
  }
  if (BigInt(offset) !== operand.offset) return undefined;
  const wide = registers.read(base, 64) as Wide;
  const high = make.high(wide);
  const low = make.low(wide);
  if (registers.supplied && window === windows.global) return besideSupplied(at, low, high, registers);
  // A low word of 2^31 or more is in no window; below that no offset carries into the high word.
  const wild = make.and(low, make.all32(-0x8000_0000));
  const strange = window === 0 ? high : make.xor(high, make.all32(window));
  const found = { ...at, base: low, outside: make.or(strange, wild) };
  return space === "generic" ? { ...found, high, ...anywhere(high, wild, registers) } : found;
}

/**
 * The same where the launch can reach a supplier's memory: addresses in its zone lie at a fixed distance in the buffer. No offset leads from
 * the device's memory there or back, because nothing lies within `FREE_AROUND_ZONE` of the zone.
 */
function besideSupplied(
  at: Pick<VectorAddress, "space" | "offset" | "high" | "start" | "size">,
  low: Vector,
  high: Vector,
  registers: SegmentRegisters,
): VectorAddress | undefined {
  if (Math.abs(at.offset) >= FREE_AROUND_ZONE) return undefined;
  const { make } = registers;
  const state = (offset: number): Vector => registers.input({ of: "state", offset });
  const supplied = make.op("i32x4.eq", high, state(offsetOf.zoneHigh));
  const base = make.op("i32x4.add", low, make.and(supplied, state(offsetOf.zoneDelta)));
  const behind = make.op("i32x4.sub", base, make.and(supplied, state(offsetOf.zoneStart)));
  const last = make.choose(supplied, state(offsetOf.zoneLast), state(offsetOf.reachLast));
  const wild = make.op("i32x4.gt_u", behind, last);
  const strange = make.and(make.xor(high, make.all32(windows.global)), make.not(supplied));
  const found = { ...at, base, outside: make.or(strange, wild) };
  return at.space === "generic" ? { ...found, high, ...anywhere(high, wild, registers, supplied) } : found;
}

/** The window that the high word of a generic address selects (PTX ISA 6.4.1.1). */
function anywhere(
  high: Vector,
  wild: Vector,
  registers: SegmentRegisters,
  supplied?: Vector,
): Pick<VectorAddress, "start" | "anywhere"> {
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
      outside:
        supplied === undefined
          ? make.or(make.not(make.or(windowed, is(windows.global))), wild)
          : make.or(
              make.not(make.or(make.or(windowed, is(windows.global)), supplied)),
              make.and(wild, make.not(windowed)),
            ),
      size: (global) => make.choose(windowed, oneOf(state(offsetOf.localBytes), state(offsetOf.sharedBytes)), global),
    },
  };
}

/** The same for an operation that differs in windows, where JavaScript executes it. */
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

/** Whether accesses there are checked against a clean range of the state (shared memory has a separate one). */
export const hasRange = ({ space }: VectorAddress): boolean =>
  space === "global" || space === "const" || space === "generic";

/** Whether accesses there may be wrong; of parameters only those by a register: the others are checked in advance. */
export const isChecked = ({ space, base, outside }: VectorAddress): boolean =>
  space !== "param" || constant32(base) !== 0 || outside !== undefined;
