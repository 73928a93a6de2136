import { constant32 } from "../../../numeric/vector/maker.ts";
import { isWide, type PureInstruction, type Value, type Vector } from "../../../numeric/vector/vector.ts";
import type { RegisterKey } from "../../contract/liveness.ts";
import type { Inputs } from "./inputs.ts";

/**
 * A value that grows by the same number from lane to lane: `first + lane * step`, modulo 2^32, or 2^64 where it is wide. What a
 * step of 0 means is that all lanes have one value.
 */
export interface LaneForm {
  readonly step: number;
  /** Whether it does so in all lanes of the warp, or only within each chunk of four. */
  readonly whole: boolean;
  /** A wide value may be off by a multiple of 2^32 from some one lane on, where the 32 bits that it was made of have wrapped. */
  readonly jumps: boolean;
}

/** Steps are smaller, so that 32 of them are less than 2^31. */
const MOST_STEP = 1 << 16;

/** What registers hold whenever a lane reads them. */
export type RegisterForms = ReadonlyMap<RegisterKey, LaneForm>;

/** Finds the forms of a segment's vectors, from those of registers, where all lanes execute. */
export class LaneForms {
  readonly #inputs: Inputs;
  readonly #registers: RegisterForms;
  /** Whether an access, by number, reads the same parameters in all lanes. */
  readonly #loadsParameter: (access: number) => boolean;
  readonly #narrow = new Map<Vector, LaneForm | undefined>();
  /** By half. */
  readonly #wide = [new Map<Vector, LaneForm | undefined>(), new Map<Vector, LaneForm | undefined>()] as const;

  constructor(inputs: Inputs, registers: RegisterForms, loadsParameter: (access: number) => boolean) {
    this.#inputs = inputs;
    this.#registers = registers;
    this.#loadsParameter = loadsParameter;
  }

  of(value: Value): LaneForm | undefined {
    return isWide(value) ? agreeing(this.#half(value[0], 0), this.#half(value[1], 1)) : this.narrow(value);
  }

  /** The form of a vector of 32-bit lanes. */
  narrow(of: Vector): LaneForm | undefined {
    if (!this.#narrow.has(of)) this.#narrow.set(of, within(this.#ofNarrow(of)));
    return this.#narrow.get(of);
  }

  /** The form of the 64-bit value whose high words these are; of a constant, that of the constant. */
  wideOfHigh(of: Vector): LaneForm | undefined {
    if (constant32(of) !== undefined) return UNIFORM;
    return wordsIn(of) === "high" && of.node === "shuffle" ? this.of([of.a, of.b]) : undefined;
  }

  #ofNarrow(of: Vector): LaneForm | undefined {
    switch (of.node) {
      case "input": {
        const input = this.#inputs.at(of.at);
        if (input.of === "r") return this.#registers.get(`r${input.slot}`);
        if (input.of === "state") return UNIFORM;
        return input.of === "loaded" && this.#loadsParameter(input.access) ? UNIFORM : undefined;
      }
      case "constant":
        return constant32(of) === undefined ? undefined : UNIFORM;
      case "shift":
        return of.name === "i32x4.shl"
          ? times(this.narrow(of.of), 2 ** of.by)
          : of.name.startsWith("i32x4") && isUniform(this.narrow(of.of))
            ? this.narrow(of.of)
            : undefined;
      case "op":
        return operated(of.name, "i32x4", of.parts, (part) => this.narrow(part), constant32);
      case "shuffle": {
        const words = wordsIn(of);
        const form = words === undefined ? undefined : this.of([of.a, of.b]);
        return words === "low" || isUniform(form) ? form && { ...form, jumps: false } : undefined;
      }
      default:
        return undefined;
    }
  }

  #half(of: Vector, half: 0 | 1): LaneForm | undefined {
    const known = this.#wide[half];
    if (!known.has(of)) known.set(of, within(this.#ofHalf(of, half)));
    return known.get(of);
  }

  /** Of a vector of two 64-bit lanes: the chunk's first two, or its last two. */
  #ofHalf(of: Vector, half: 0 | 1): LaneForm | undefined {
    switch (of.node) {
      case "input": {
        const input = this.#inputs.at(of.at);
        if (input.of === "q") return input.half === half ? this.#registers.get(`q${input.slot}`) : undefined;
        return input.of === "loaded" && this.#loadsParameter(input.access) ? UNIFORM : undefined;
      }
      case "constant":
        return constant64(of) === undefined ? undefined : UNIFORM;
      case "shift":
        return of.name === "i64x2.shl" ? times(this.#half(of.of, half), 2 ** of.by) : undefined;
      case "op": {
        const [, sign] = extensions[half].exec(of.name) ?? [];
        if (sign === undefined)
          return operated(of.name, "i64x2", of.parts, (part) => this.#half(part, half), constant64);
        const [a, b] = of.parts.map((part) => extended(this.narrow(part)));
        if (of.parts.length === 1) return a;
        const [x, y] = of.parts.map((part) => factorOf(part, sign));
        return y === undefined ? (x === undefined ? both(a, b) : times(b, x)) : times(a, y);
      }
      default:
        return undefined;
    }
  }
}

const UNIFORM: LaneForm = { step: 0, whole: true, jumps: false };

export const isUniform = (form: LaneForm | undefined): boolean => form?.step === 0 && !form.jumps;

const extensions = [/^i64x2\.ext(?:end|mul)_low_i32x4_([su])$/, /^i64x2\.ext(?:end|mul)_high_i32x4_([su])$/] as const;

/** A constant factor, as extended by its sign or by zeros. */
function factorOf(of: Vector, sign: string): number | undefined {
  const factor = constant32(of);
  return factor !== undefined && sign === "u" ? factor >>> 0 : factor;
}

/** A value may wrap in at most one lane of the 32. */
const extended = (form: LaneForm | undefined): LaneForm | undefined => form && { ...form, jumps: form.step !== 0 };

/** The 64 bits that both lanes have where that is known and no more than 31 of them count. */
function constant64(of: Vector): number | undefined {
  if (of.node !== "constant") return undefined;
  const [a, b, c, d] = of.words;
  // Larger constants give no step that counts.
  return a !== c || b !== d ? undefined : b === 0 && a >= 0 ? a : Number.POSITIVE_INFINITY;
}

/** What an instruction on lanes of one width gives. */
function operated(
  name: PureInstruction,
  shape: "i32x4" | "i64x2",
  parts: readonly Vector[],
  formOf: (part: Vector) => LaneForm | undefined,
  constantOf: (part: Vector) => number | undefined,
): LaneForm | undefined {
  const [a, b] = parts as readonly [Vector, Vector];
  switch (name) {
    case `${shape}.add`:
      return sum(formOf(a), formOf(b));
    case `${shape}.sub`:
      return sum(formOf(a), times(formOf(b), -1));
    case `${shape}.mul`: {
      const [x, y] = [constantOf(a), constantOf(b)];
      if (y !== undefined && y !== 0) return times(formOf(a), y);
      if (x !== undefined && x !== 0) return times(formOf(b), x);
      return both(formOf(a), formOf(b));
    }
  }
  if (!elementwise[shape].has(name)) return undefined;
  return parts.map(formOf).reduce<LaneForm | undefined>(both, UNIFORM);
}

/** Instructions whose lanes depend only on the same lanes. */
const bitwise = ["v128.and", "v128.or", "v128.xor", "v128.not", "v128.andnot", "v128.bitselect"] as const;
const elementwise = {
  i32x4: new Set<string>([
    ...bitwise,
    ...["min_s", "min_u", "max_s", "max_u", "neg", "abs"].map((op) => `i32x4.${op}`),
  ]),
  i64x2: new Set<string>([...bitwise, "i64x2.neg"]),
};

/** Uniform where both are. */
const both = (a: LaneForm | undefined, b: LaneForm | undefined): LaneForm | undefined =>
  isUniform(a) && isUniform(b) ? { step: 0, whole: a!.whole && b!.whole, jumps: false } : undefined;

/** Two jumps might cancel each other. */
const sum = (a: LaneForm | undefined, b: LaneForm | undefined): LaneForm | undefined =>
  a && b && !(a.jumps && b.jumps)
    ? { step: a.step + b.step, whole: a.whole && b.whole, jumps: a.jumps || b.jumps }
    : undefined;

const times = (form: LaneForm | undefined, factor: number): LaneForm | undefined =>
  form && (form.step === 0 && !form.jumps ? form : { ...form, step: form.step * factor });

const within = (form: LaneForm | undefined): LaneForm | undefined =>
  form !== undefined && Math.abs(form.step) < MOST_STEP ? form : undefined;

const agreeing = (a: LaneForm | undefined, b: LaneForm | undefined): LaneForm | undefined =>
  a && b && a.step === b.step ? { step: a.step, whole: a.whole && b.whole, jumps: a.jumps || b.jumps } : undefined;

/** Whether a shuffle takes the low or the high words of 64-bit lanes, as `VectorMaker.low` and `high` do. */
function wordsIn(of: Vector): "low" | "high" | undefined {
  if (of.node !== "shuffle") return undefined;
  const [first] = of.bytes;
  const start = first === 0 || first === 4 ? first : undefined;
  if (start === undefined || !of.bytes.every((byte, at) => byte === start + 8 * (at >> 2) + (at & 3))) return undefined;
  return start === 0 ? "low" : "high";
}
