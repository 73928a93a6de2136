import { constantValue, isConstant } from "../../../src/interp/contract/constant.ts";
import { elements, type Operand } from "../../../src/interp/contract/operand.ts";
import { writtenBy } from "../../../src/interp/contract/plan/effects.ts";
import type { PlanOf } from "../../../src/interp/contract/plan/shapes/shape-facts.ts";
import type { Instruction, Program } from "../../../src/interp/contract/program.ts";
import type { Warp } from "../../../src/interp/state/warp.ts";
import type { Operation, Slice } from "../../../src/numeric/operation/operation.ts";
import { isFloat, widthOf } from "../../../src/numeric/operation/type.ts";
import { Arithmetic, type Input } from "./arithmetic.ts";
import type { ShadowMemory } from "./memory.ts";
import { heldIn, highOf, lowOf, partOf, type Slot, shadowOf, type WarpShadows } from "./registers.ts";
import { type ConstantShadow, type FloatShadow, type Held, heldOf, type Piece, piecesOf, scaled } from "./shadow.ts";

/** One warp, and the shadows of its registers. */
export interface Place {
  readonly warp: Warp;
  readonly shadows: WarpShadows;
}

/** What happens to shadows in an instruction, before it runs and behind it, for the lanes that pass its guard. */
export interface Step {
  before?(place: Place, taken: number): void;
  /** `where`: by lane, the place of its access in the memory's buffer. */
  after?(place: Place, taken: number, where: Int32Array): void;
}

/** What steps share: memory, and who wants to know of what they do. */
export interface Bench {
  readonly program: Program;
  readonly memory: ShadowMemory;
}

const LANES = 32;

/** What an instruction does to shadows: those of results are lost where nothing is known of it. */
export function stepOf(pc: number, { plan, operands }: Instruction, bench: Bench): Step {
  const written = operands.slice(0, writtenBy(plan)).flatMap(slotsOf);
  const lost: Step = written.length === 0 ? {} : { after: (place, taken) => forget(place, taken, written) };
  switch (plan.shape) {
    case "compute":
    case "carry":
      return computing(pc, plan.op, operands, bench) ?? lost;
    case "move":
      return moving(slotsOf(operands[0]), slotsOf(operands[1]), bench) ?? lost;
    case "select":
      return selecting(operands) ?? lost;
    case "pack":
    case "unpack":
      return packing(plan.shape, operands) ?? lost;
    case "load":
      return loading(plan, operands, bench.memory);
    case "store":
      return storing(plan, operands, bench.memory);
    default:
      return lost;
  }
}

function slotsOf(operand: Operand | undefined): readonly Slot[] {
  if (operand?.kind === "slot") return [operand];
  return operand?.kind === "vector" ? operand.items.flatMap(slotsOf) : [];
}

function forget({ shadows, warp: { lanes } }: Place, taken: number, slots: readonly Slot[]): void {
  for (const { bank, slot } of slots)
    for (let lane = 0; lane < lanes; lane++) if ((taken >>> lane) & 1) shadows[bank][slot * lanes + lane] = undefined;
}

/** Calls it for each lane of a mask. */
function each(taken: number, act: (lane: number) => void): void {
  for (let lane = 0; lane < LANES; lane++) if ((taken >>> lane) & 1) act(lane);
}

/** A step that knows before what its results will have: what it moves does not change on the way. */
function carrying(results: readonly Slot[], take: (place: Place, lane: number) => readonly (Held | undefined)[]): Step {
  const kept: (readonly (Held | undefined)[])[] = [];
  return {
    before: (place, taken) => each(taken, (lane) => (kept[lane] = take(place, lane))),
    after: ({ shadows, warp: { lanes } }, taken) =>
      each(taken, (lane) => {
        for (const [at, { bank, slot }] of results.entries()) shadows[bank][slot * lanes + lane] = kept[lane]?.[at];
      }),
  };
}

function moving(to: readonly Slot[], from: readonly Slot[], { program }: Bench): Step | undefined {
  if (to.length === 0 || to.length !== from.length) return undefined;
  const constants = from.map((slot) => shadowOfConstant(slot, program));
  return carrying(to, ({ shadows, warp }, lane) =>
    from.map((slot, at) => constants[at] ?? heldIn(shadows, slot, lane, warp.lanes)),
  );
}

function shadowOfConstant(slot: Slot, program: Program): ConstantShadow | undefined {
  const value = slot.bits === 128 ? undefined : constantValue(slot, program);
  if (value === undefined) return undefined;
  const [low, high] = [Number(value & 0xffff_ffffn), Number((value >> 32n) & 0xffff_ffffn)];
  return { kind: "constant", width: slot.bits, low, high };
}

function selecting([d, a, b, p]: readonly (Operand | undefined)[]): Step | undefined {
  if (d?.kind !== "slot" || p?.kind !== "predicate") return undefined;
  return carrying([d], ({ shadows, warp }, lane) => {
    const mask = p.negated ? ~warp.p[p.slot]! : warp.p[p.slot]!;
    const chosen = (mask >>> lane) & 1 ? a : b;
    return [chosen?.kind === "slot" ? heldIn(shadows, chosen, lane, warp.lanes) : undefined];
  });
}

function packing(shape: "pack" | "unpack", operands: readonly (Operand | undefined)[]): Step | undefined {
  const [vector, whole] = shape === "pack" ? [operands[1], operands[0]] : operands;
  if (vector?.kind !== "vector" || whole?.kind !== "slot" || whole.bits === 128) return undefined;
  const parts = vector.items;
  const width = whole.bits / parts.length;
  if (shape === "pack")
    return carrying([whole], ({ shadows, warp }, lane) => {
      const pieces = parts.flatMap((part, index) =>
        part.kind === "slot"
          ? piecesOf(heldIn(shadows, part, lane, warp.lanes)).map(({ at, shadow }) => ({
              at: at + index * width,
              shadow,
            }))
          : [],
      );
      return [heldOf(pieces)];
    });
  const results = parts.filter((part) => part.kind === "slot");
  return carrying(results, ({ shadows, warp }, lane) => {
    const pieces = piecesOf(heldIn(shadows, whole, lane, warp.lanes));
    return parts.flatMap((part, index) => {
      if (part.kind !== "slot") return [];
      const moved = pieces.map(({ at, shadow }) => ({ at: at - index * width, shadow }));
      return [heldOf(moved.filter(({ at, shadow }) => at < width && at + shadow.width > 0))];
    });
  });
}

function loading({ cell }: PlanOf<"load">, operands: readonly (Operand | undefined)[], memory: ShadowMemory): Step {
  const bytes = cell.bits / 8;
  const results = elements(operands[0]);
  return {
    after: ({ shadows, warp: { lanes } }, taken, where) =>
      each(taken, (lane) => {
        for (const [index, result] of results.entries())
          if (result.kind === "slot")
            shadows[result.bank][result.slot * lanes + lane] = memory.load(where[lane]! + index * bytes, bytes);
      }),
  };
}

function storing({ cell }: PlanOf<"store">, operands: readonly (Operand | undefined)[], memory: ShadowMemory): Step {
  const bytes = cell.bits / 8;
  const sources = elements(operands[1]);
  return {
    after: ({ shadows, warp: { lanes } }, taken, where) =>
      each(taken, (lane) => {
        for (const [index, source] of sources.entries()) {
          const held = source.kind === "slot" ? heldIn(shadows, source, lane, lanes) : undefined;
          memory.store(where[lane]! + index * bytes, bytes, held);
        }
      }),
  };
}

/** One result of an operation, or of a lane of packed values. */
interface Part {
  readonly arithmetic: Arithmetic;
  readonly takes: readonly Slice[];
  readonly low: number;
  readonly bits: number;
}

function partsOf(operation: Operation): readonly Part[] | undefined {
  const { takes, gives, result } = operation;
  if (result.into === "lanes") {
    const parts = result.lanes.map(({ operation: inner, takes: slices, low, bits }): Part | undefined => {
      if (inner.result.into !== "round") return undefined;
      const arithmetic = Arithmetic.of(inner.result, inner.takes);
      return arithmetic && { arithmetic, takes: slices, low, bits };
    });
    return parts.every((part) => part !== undefined) ? parts : undefined;
  }
  if (result.into !== "round") return undefined;
  const arithmetic = Arithmetic.of(result, takes);
  const slices = takes.map(({ name, type }): Slice => ({ of: name, low: 0, bits: widthOf(type) }));
  return arithmetic && [{ arithmetic, takes: slices, low: 0, bits: widthOf(gives) }];
}

function computing(
  pc: number,
  operation: Operation,
  operands: readonly (Operand | undefined)[],
  bench: Bench,
): Step | undefined {
  const [d] = operands;
  const sources = operation.takes.map((_, at) => operands[1 + at]);
  if (d?.kind !== "slot" || d.bits === 128) return undefined;
  const parts = partsOf(operation);
  const slots = sources.filter((source): source is Slot => source?.kind === "slot");
  if (parts === undefined) return editing(d, slots);
  if (slots.length !== sources.length) return undefined;
  const constant = slots.map((slot) => isConstant(slot, bench.program));
  // By lane, part and operand.
  const inputs: Input[][][] = Array.from({ length: LANES }, () =>
    parts.map(({ takes }) =>
      takes.map(({ of }) => {
        const at = operation.takes.findIndex(({ name }) => name === of);
        return { low: 0, high: 0, shadow: undefined, constant: constant[at] ?? false };
      }),
    ),
  );
  const from = parts.map(({ takes }) =>
    takes.map(({ of }) => slots[operation.takes.findIndex(({ name }) => name === of)]!),
  );
  return {
    before: ({ shadows, warp }, taken) =>
      each(taken, (lane) => {
        for (let part = 0; part < parts.length; part++) {
          const { takes } = parts[part]!;
          for (let at = 0; at < takes.length; at++) {
            const { low, bits } = takes[at]!;
            const slot = from[part]![at]!;
            const input = inputs[lane]![part]![at]!;
            input.low = partOf(lowOf(warp, slot, lane), highOf(warp, slot, lane), low, bits);
            input.high = bits === 64 ? highOf(warp, slot, lane) : 0;
            input.shadow = shadowOf(shadows, warp, slot, lane, low, bits);
          }
        }
      }),
    after: ({ shadows, warp }, taken) =>
      each(taken, (lane) => {
        const [low, high] = [lowOf(warp, d, lane), highOf(warp, d, lane)];
        const thread = { block: warp.block, warp: warp.index, lane };
        const shadowed = parts.map(({ arithmetic, low: at, bits }, part): Piece => {
          const ownLow = partOf(low, high, at, bits);
          return { at, shadow: arithmetic.shadow(inputs[lane]![part]!, ownLow, bits === 64 ? high : 0, pc, thread) };
        });
        shadows[d.bank][d.slot * warp.lanes + lane] = heldOf(shadowed);
      }),
  };
}

/** An operation on bits: its result may be a float with another sign or exponent, or a half of one. */
function editing(d: Slot, sources: readonly Slot[]): Step {
  return carrying2(d, sources);
}

function carrying2(d: Slot, sources: readonly Slot[]): Step {
  const kept: (readonly Piece[])[] = [];
  return {
    before: ({ shadows, warp }, taken) =>
      each(taken, (lane) => {
        kept[lane] = sources.flatMap((slot) =>
          piecesOf(heldIn(shadows, slot, lane, warp.lanes)).filter(
            ({ at, shadow }) => shadow.kind === "float" && isThere(shadow, at, warp, slot, lane),
          ),
        );
      }),
    after: ({ shadows, warp }, taken) =>
      each(taken, (lane) => {
        const pieces = kept[lane]!;
        shadows[d.bank][d.slot * warp.lanes + lane] = pieces.length === 0 ? undefined : edited(pieces, d, warp, lane);
      }),
  };
}

/** Whether a register still has the bits of a float, or of the half that lies in it. */
function isThere(
  { low, high, width }: FloatShadow | Piece["shadow"],
  at: number,
  warp: Warp,
  slot: Slot,
  lane: number,
): boolean {
  const [word, upper] = [lowOf(warp, slot, lane), highOf(warp, slot, lane)];
  if (width < 64) return partOf(word, upper, at, width) === low;
  if (at === 0 && slot.bits === 64) return word === low && upper === high;
  return at === 0 ? word === low : at === -32 && word === high;
}

function edited(pieces: readonly Piece[], d: Slot, warp: Warp, lane: number): Held | undefined {
  const [low, high] = [lowOf(warp, d, lane), highOf(warp, d, lane)];
  const found: Piece[] = [];
  for (const { at, shadow } of pieces) {
    if (shadow.kind !== "float") continue;
    let now: FloatShadow | undefined;
    if (at === 0 && shadow.width === d.bits) now = scaled(shadow, low, shadow.width === 64 ? high : 0);
    else if (at === -32 && shadow.width === 64) now = scaled(shadow, shadow.low, low);
    else if (at === 0 && shadow.width === 64) now = low === shadow.low ? shadow : undefined;
    if (now !== undefined) found.push({ at, shadow: now });
  }
  return heldOf(found);
}

export const isFloatOperation = ({ gives }: Operation): boolean => isFloat(gives);
