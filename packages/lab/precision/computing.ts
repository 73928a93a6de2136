import { isConstant } from "../../../src/interp/contract/constant.ts";
import type { Operand } from "../../../src/interp/contract/operand.ts";
import type { Format } from "../../../src/numeric/format/format.ts";
import type { Expression, Relation } from "../../../src/numeric/operation/expression.ts";
import type { Operation, Result, Slice } from "../../../src/numeric/operation/operation.ts";
import { formatOf, isFloat, rangeOf, type TypeName, widthOf } from "../../../src/numeric/operation/type.ts";
import { Arithmetic } from "./arithmetic.ts";
import type { Bench, Place, Step } from "./bench.ts";
import type { Input } from "./input.ts";
import { IntegerArithmetic } from "./integers.ts";
import { bitsAgree, each } from "./moves.ts";
import { compare, ofBits, type Real, toNumber, wholeOf } from "./real.ts";
import { heldIn, highOf, lowOf, partOf, type Slot, shadowOf } from "./registers.ts";
import { exactOf, type FloatShadow, type Held, heldOf, type IntegerShadow, type Piece, piecesOf, scaled, type Thread } from "./shadow.ts"; // biome-ignore format: a list of names

const LANES = 32;

type Operands = readonly (Operand | undefined)[];

/** A slice of a register that an operation takes. */
interface Taken {
  readonly slot: Slot;
  readonly low: number;
  readonly bits: number;
  readonly constant: boolean;
  readonly format: Format | undefined;
}

/** What lanes give to an operation, read before it runs: its result may lie in the same register. */
class Inputs {
  readonly #taken: readonly Taken[];
  readonly #lanes: readonly (readonly Input[])[];

  constructor(taken: readonly Taken[]) {
    this.#taken = taken;
    this.#lanes = Array.from({ length: LANES }, () =>
      taken.map(({ constant, format }) => ({ low: 0, high: 0, shadow: undefined, constant, format })),
    );
  }

  read({ shadows, warp }: Place, lane: number): void {
    const inputs = this.#lanes[lane]!;
    for (let at = 0; at < inputs.length; at++) {
      const { slot, low, bits } = this.#taken[at]!;
      const input = inputs[at]!;
      const [word, upper] = [lowOf(warp, slot, lane), highOf(warp, slot, lane)];
      input.low = partOf(word, upper, low, bits);
      input.high = bits === 64 ? upper : 0;
      const shadow = shadowOf(shadows, warp, slot, lane, low, bits);
      // Bits that were made as an integer are what they are, when they are read as a float; and the other way round.
      const other = input.format === undefined ? "float" : "integer";
      input.shadow = shadow?.kind === other ? undefined : shadow;
    }
  }

  of(lane: number): readonly Input[] {
    return this.#lanes[lane]!;
  }
}

const formatFor = (type: TypeName): Format | undefined => (isFloat(type) ? formatOf(type) : undefined);

const threadOf = ({ warp }: Place, lane: number): Thread => ({ block: warp.block, warp: warp.index, lane });

/** Operations of one value a lane, or of packed ones: floats, integers, conversions, or bits. */
export function computing(
  pc: number,
  operation: Operation,
  d: Operand | undefined,
  sources: Operands,
  bench: Bench,
): Step | undefined {
  if (d?.kind !== "slot" || d.bits === 128) return undefined;
  const slots = sources.filter((source): source is Slot => source?.kind === "slot");
  if (slots.length !== sources.length || slots.length !== operation.takes.length) return editing(d, slots);
  const taken = (slices: readonly Slice[], inner: Operation): readonly Taken[] =>
    slices.map(({ of, low, bits }, at) => {
      const slot = slots[operation.takes.findIndex(({ name }) => name === of)]!;
      const format = formatFor(inner.takes[at]!.type);
      return { slot, low, bits: Math.min(bits, slot.bits), constant: isConstant(slot, bench.program), format };
    });
  const { takes, result, gives } = operation;
  const whole = takes.map(({ name, type }): Slice => ({ of: name, low: 0, bits: widthOf(type) }));
  if (result.into === "lanes") {
    const parts = result.lanes.map(({ operation: inner, takes: slices, low, bits }) => {
      const arithmetic = Arithmetic.of(inner.result, inner.takes);
      return arithmetic && { arithmetic, inputs: new Inputs(taken(slices, inner)), low, bits };
    });
    return parts.every((part) => part !== undefined) ? rounding(pc, d, parts) : editing(d, slots);
  }
  const inputs = new Inputs(taken(whole, operation));
  const arithmetic = Arithmetic.of(result, takes);
  if (arithmetic !== undefined) {
    const step = rounding(pc, d, [{ arithmetic, inputs, low: 0, bits: widthOf(gives) }]);
    return takes.some(({ type }) => !isFloat(type)) ? checked(step, pc, operation, inputs, bench) : step;
  }
  if (takes.some(({ type }) => isFloat(type))) {
    const rnd = roundingIn(result);
    if (rnd === undefined || isFloat(gives) || takes.length !== 1) return editing(d, slots);
    return converting(pc, d, gives, takes[0]!.type, rnd, inputs, bench);
  }
  return integral(pc, d, slots, operation, inputs, bench);
}

interface Part {
  readonly arithmetic: Arithmetic;
  readonly inputs: Inputs;
  readonly low: number;
  readonly bits: number;
}

function rounding(pc: number, d: Slot, parts: readonly Part[]): Step {
  return {
    before: (place, taken) =>
      each(taken, (lane) => {
        for (const { inputs } of parts) inputs.read(place, lane);
      }),
    after: (place, taken) => {
      const { shadows, warp } = place;
      each(taken, (lane) => {
        const [low, high] = [lowOf(warp, d, lane), highOf(warp, d, lane)];
        const thread = threadOf(place, lane);
        const pieces = parts.map(({ arithmetic, inputs, low: at, bits }): Piece => {
          const word = partOf(low, high, at, bits);
          return { at, shadow: arithmetic.shadow(inputs.of(lane), word, bits === 64 ? high : 0, pc, thread) };
        });
        shadows[d.bank][d.slot * warp.lanes + lane] = heldOf(pieces);
      });
    },
  };
}

/** A step that also asks whether integers among its operands had wrapped. */
function checked(step: Step, pc: number, operation: Operation, inputs: Inputs, { misuse }: Bench): Step {
  const arithmetic = new IntegerArithmetic(operation, false);
  return {
    ...step,
    before: (place, taken) => {
      step.before?.(place, taken);
      each(taken, (lane) => arithmetic.check(inputs.of(lane), pc, threadOf(place, lane), misuse));
    },
  };
}

/** Operations on integers; also on floats as bits, which may leave them what they were but for their exponent. */
function integral(
  pc: number,
  d: Slot,
  slots: readonly Slot[],
  operation: Operation,
  inputs: Inputs,
  { counts, misuse }: Bench,
): Step {
  const arithmetic = new IntegerArithmetic(operation, counts);
  const edits = new Edits(d, slots);
  return {
    before: (place, taken) =>
      each(taken, (lane) => {
        inputs.read(place, lane);
        edits.read(place, lane);
        arithmetic.check(inputs.of(lane), pc, threadOf(place, lane), misuse);
      }),
    after: (place, taken) => {
      const { shadows, warp } = place;
      each(taken, (lane) => {
        const [low, high] = [lowOf(warp, d, lane), highOf(warp, d, lane)];
        shadows[d.bank][d.slot * warp.lanes + lane] =
          edits.made(place, lane) ?? arithmetic.shadow(inputs.of(lane), low, high, pc);
      });
    },
  };
}

/** An operation of which nothing is known but its bits. */
function editing(d: Slot, slots: readonly Slot[]): Step {
  const edits = new Edits(d, slots);
  return {
    before: (place, taken) => each(taken, (lane) => edits.read(place, lane)),
    after: (place, taken) =>
      each(taken, (lane) => {
        place.shadows[d.bank][d.slot * place.warp.lanes + lane] = edits.made(place, lane);
      }),
  };
}

/** Floats among the operands of an operation on bits. */
class Edits {
  readonly #d: Slot;
  readonly #slots: readonly Slot[];
  readonly #kept: (readonly Piece[])[] = [];

  constructor(d: Slot, slots: readonly Slot[]) {
    this.#d = d;
    this.#slots = slots;
  }

  read({ shadows, warp }: Place, lane: number): void {
    let found = nothing;
    for (const slot of this.#slots) {
      const held = heldIn(shadows, slot, lane, warp.lanes);
      if (held === undefined || ("kind" in held && held.kind !== "float")) continue;
      const [word, upper] = [lowOf(warp, slot, lane), highOf(warp, slot, lane)];
      const floats = piecesOf(held).filter(
        ({ at, shadow }) => shadow.kind === "float" && bitsAgree(shadow, at, word, upper),
      );
      found = found.length === 0 ? floats : [...found, ...floats];
    }
    this.#kept[lane] = found;
  }

  /** What is left of them in the result: the same number with another sign or exponent, or the half of one. */
  made({ warp }: Place, lane: number): Held | undefined {
    const pieces = this.#kept[lane]!;
    if (pieces.length === 0) return undefined;
    const [low, high] = [lowOf(warp, this.#d, lane), highOf(warp, this.#d, lane)];
    const found: Piece[] = [];
    for (const { at, shadow } of pieces) {
      if (shadow.kind !== "float") continue;
      let now: FloatShadow | undefined;
      if (at === 0 && shadow.width === this.#d.bits) now = scaled(shadow, low, shadow.width === 64 ? high : 0);
      else if (at === -32 && shadow.width === 64) now = scaled(shadow, shadow.low, low);
      else if (at === 0 && shadow.width === 64) now = low === shadow.low ? shadow : undefined;
      if (now !== undefined) found.push({ at, shadow: now });
    }
    return heldOf(found);
  }
}

const nothing: readonly Piece[] = [];

type Rounding = Extract<Expression, { node: "integral" }>["rnd"];

/** How a conversion to an integer rounds. */
function roundingIn(result: Result): Rounding | undefined {
  if (result.into === "choose") return roundingIn(result.yes) ?? roundingIn(result.no);
  return result.into === "clamp" && result.of.node === "integral" ? result.of.rnd : undefined;
}

/** A float becomes an integer: the one that it is, or where that has no place, the nearest that has. */
function converting(
  pc: number,
  d: Slot,
  to: TypeName,
  from: TypeName,
  rnd: Rounding,
  inputs: Inputs,
  { decided }: Bench,
): Step {
  const format = isFloat(from) ? formatOf(from) : formatOf("f32");
  const [least, greatest] = rangeOf(to);
  return {
    before: (place, taken) => each(taken, (lane) => inputs.read(place, lane)),
    after: (place, taken) => {
      const { shadows, warp } = place;
      each(taken, (lane) => {
        const { low, high, shadow } = inputs.of(lane)[0]!;
        const real = ofBits(format, low, high);
        const exact = shadow?.kind === "float" ? exactOf(shadow) : real;
        const [whole, wanted] = [wholeOf(real, rnd), wholeOf(exact, rnd)];
        const at = d.slot * warp.lanes + lane;
        shadows[d.bank][at] = undefined;
        if (wanted === undefined) return;
        if (whole === undefined || whole < least || whole > greatest) {
          const made: IntegerShadow = { kind: "integer", width: d.bits, low: lowOf(warp, d, lane), high: highOf(warp, d, lane), signed: wanted, unsigned: wanted, pc, why: "saturated", widened: false }; // biome-ignore format: one object
          shadows[d.bank][at] = made;
        } else if (whole !== wanted) decided(pc, threadOf(place, lane), toNumber(real), toNumber(exact));
      });
    },
  };
}

/** A comparison: of floats, whether exact ones compare another way; of integers, whether they had wrapped. */
export function comparing(pc: number, operation: Operation, sources: Operands, bench: Bench): Step | undefined {
  const slots = sources.slice(0, operation.takes.length).filter((source): source is Slot => source?.kind === "slot");
  const { takes, result } = operation;
  if (slots.length !== takes.length || result.into !== "predicate") return undefined;
  const taken = slots.map((slot, at) => ({
    slot,
    low: 0,
    bits: widthOf(takes[at]!.type),
    constant: isConstant(slot, bench.program),
    format: formatFor(takes[at]!.type),
  }));
  const inputs = new Inputs(taken);
  if (takes.every(({ type }) => !isFloat(type))) return checked({ before: (place, lanes) => each(lanes, (lane) => inputs.read(place, lane)) }, pc, operation, inputs, bench); // biome-ignore format: one call
  const { of } = result;
  const [format] = takes.map(({ type }) => (isFloat(type) ? formatOf(type) : undefined));
  if (of.node !== "relation" || format === undefined || takes.length !== 2) return undefined;
  return {
    before: (place, lanes) =>
      each(lanes, (lane) => {
        inputs.read(place, lane);
        const [a, b] = inputs.of(lane).map(({ low, high, shadow }) => {
          const real = ofBits(format, low, high);
          return { real, exact: shadow?.kind === "float" ? exactOf(shadow) : real };
        });
        if (a === undefined || b === undefined) return;
        if (holds(of.relation, a.real, b.real) === holds(of.relation, a.exact, b.exact)) return;
        const off = Math.abs(toNumber(a.real) - toNumber(a.exact)) > 0 ? a : b;
        bench.decided(pc, threadOf(place, lane), toNumber(off.real), toNumber(off.exact));
      }),
  };
}

function holds(relation: Relation, a: Real, b: Real): boolean {
  if (a.kind === "nan" || b.kind === "nan") return false;
  const order = compare(a, b);
  switch (relation.slice(0, 2)) {
    case "eq":
      return order === 0;
    case "ne":
      return order !== 0;
    case "lt":
      return order < 0;
    case "le":
      return order <= 0;
    case "gt":
      return order > 0;
    case "ge":
      return order >= 0;
    default:
      return true;
  }
}
