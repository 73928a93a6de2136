import type { Format } from "../../../src/numeric/format/format.ts";
import { evaluate } from "../../../src/numeric/operation/evaluate.ts";
import type { Expression, RoundResult } from "../../../src/numeric/operation/expression.ts";
import type { Argument, Result } from "../../../src/numeric/operation/operation.ts";
import { formatOf, isFloat } from "../../../src/numeric/operation/type.ts";
import { type Evaluator, evaluator, type Given } from "./derived.ts";
import type { Input } from "./input.ts";
import { wanted } from "./integers.ts";
import { compare, exponentOf, isNegative, isNothing, minus, ONE, ofBits, ofInteger, type Real, toNumber, ZERO } from "./real.ts"; // biome-ignore format: a list of names
import { errorOf, exactly, exactOf, type FloatShadow, type Growth, type Loss, type Noise, type Share, SILENCE, type Thread } from "./shadow.ts"; // biome-ignore format: a list of names

/** A result, what it should be, and where both came from. */
export interface Sum {
  readonly format: Format;
  readonly low: number;
  readonly high: number;
  readonly exact: Real;
  /** The part of its error that its operands had before. */
  readonly inherited: number;
  readonly noise: Noise;
  /** What made that part, and how often it counts. */
  readonly shares: readonly (readonly [shares: readonly Share[], by: number])[];
  readonly inputs: readonly Input[];
  readonly pc: number;
  readonly thread: Thread;
  /** It was rounded once: its own error is at most a unit in the last place. */
  readonly most?: true;
  readonly growth?: (rest: number) => Growth | undefined;
}

/** The shadow of a result. */
export function shadowOfSum({
  format,
  low,
  high,
  exact,
  inherited,
  noise,
  shares,
  inputs,
  pc,
  thread,
  most,
  growth,
}: Sum): FloatShadow {
  const real = ofBits(format, low, high);
  if (exact.kind !== "finite") {
    // Code for infinities has computed it, though there was none in exact arithmetic.
    const loss = real.kind === "finite" ? undefined : inputs.map(lossOf).find((each) => each !== undefined);
    return { ...exactly(format, low, high, SILENCE), loss };
  }
  const own = { kind: "float", format, width: format.width, low, high, exact, noise } as const;
  if (real.kind !== "finite") {
    const loss = inputs.map(lossOf).find((each) => each !== undefined) ?? (inputs.some(isSpecial) ? undefined : { pc, thread, kind: real.kind === "inf" ? "overflow" : "invalid" } as const); // biome-ignore format: one expression
    if (loss === undefined) return exactly(format, low, high, SILENCE);
    const made = [{ pc: loss.pc, amount: Number.POSITIVE_INFINITY }];
    return { ...own, error: Number.POSITIVE_INFINITY, shares: made, growth: undefined, loss };
  }
  const error = errorOf(format, low, high, exact);
  if (error === 0 && inherited === 0) return exactly(format, low, high, noise);
  if (!Number.isFinite(inherited)) {
    // It came from an infinity, as 1 / inf does: that is whose error it is.
    const loss = inputs.map(lossOf).find((each) => each !== undefined);
    const made = loss === undefined ? [] : [{ pc: loss.pc, amount: error }];
    return { ...own, error, shares: made, growth: undefined, loss: undefined };
  }
  const unit = most ? unitOf(format, real) : Number.POSITIVE_INFINITY;
  const local = Math.max(-unit, Math.min(unit, error - inherited));
  const rest = error - local;
  return {
    ...own,
    error,
    shares: joined(shares, inherited === 0 ? 0 : rest / inherited, pc, local),
    growth: inherited === 0 ? undefined : growth?.(rest),
    loss: undefined,
  };
}

const lossOf = ({ shadow }: Input): Loss | undefined => (shadow?.kind === "float" ? shadow.loss : undefined);

/** Whether an operand was infinite or no number before, and nobody knows why. */
const isSpecial = ({ format, low, high }: Input): boolean =>
  format !== undefined && ofBits(format, low, high).kind !== "finite";

/** The largest shares of an error, that of the instruction itself among them. */
function joined(all: Sum["shares"], factor: number, pc: number, local: number): readonly Share[] {
  const shares: { pc: number; amount: number }[] = [];
  const add = (place: number, amount: number): void => {
    const known = shares.find((each) => each.pc === place);
    if (known === undefined) shares.push({ pc: place, amount });
    else known.amount += amount;
  };
  for (const [own, by] of all) for (const { pc: place, amount } of own) add(place, amount * by * factor);
  if (local !== 0) add(pc, local);
  if (shares.length > 1) shares.sort((a, b) => Math.abs(b.amount) - Math.abs(a.amount));
  if (shares.length > MOST_SHARES) shares.length = MOST_SHARES;
  return shares;
}

/** Shares of an error that are kept. */
const MOST_SHARES = 3;
/** No value grows worse by more bits than this. */
const MOST_GROWTH = 64;

/** An operation that rounds a real into a format, beside the same without rounding. */
export class Arithmetic {
  readonly format: Format;
  readonly #result: RoundResult;
  readonly #choices: Way["choices"];
  readonly #takes: readonly Argument[];
  readonly #formats: readonly (Format | undefined)[];
  /** It converts to a format of 16 bits or fewer. */
  readonly #narrows: boolean;
  readonly #given: Given;
  readonly #evaluate: Evaluator;
  readonly #errors = new Float64Array(3);
  #inputs: readonly Input[] = [];

  private constructor({ round: result, choices }: Way, takes: readonly Argument[], given: Given, evaluate: Evaluator) {
    this.#result = result;
    this.#choices = choices;
    this.format = formatOf(result.format);
    this.#takes = takes;
    this.#formats = takes.map(({ type }) => (isFloat(type) ? formatOf(type) : undefined));
    const { of } = result;
    const [from] = this.#formats;
    this.#narrows =
      (of.node === "argument" || of.node === "flush") &&
      this.format.width <= 16 &&
      (from?.frac ?? 0) > this.format.frac;
    this.#given = given;
    this.#evaluate = evaluate;
    given.choose = (when) => {
      const bits = this.#inputs.map(({ low, high }) => (BigInt(high) << 32n) | BigInt(low));
      return isNonzero(when, { takes: this.#takes, bits });
    };
  }

  /** Undefined where the operation computes with bits, or rounds to whole numbers, which the program decides. */
  static of(result: Result, takes: readonly Argument[]): Arithmetic | undefined {
    const way = wayTo(result);
    if (way === undefined || takes.length > 3) return undefined;
    const given: Given = { operands: takes.map(() => ZERO), choose: () => false };
    const evaluate = evaluator(way.round.of, takes, given);
    return evaluate && new Arithmetic(way, takes, given, evaluate);
  }

  /** The shadow of a result whose bits are these; `counts` notes what the instruction did. */
  shadow(inputs: readonly Input[], low: number, high: number, pc: number, thread: Thread): FloatShadow {
    const { format } = this;
    this.#inputs = inputs;
    const { operands } = this.#given;
    for (const [at, input] of inputs.entries()) operands[at] = worthOf(input, this.#formats[at], this.#takes[at]!);
    if (this.#isCut(inputs) || !this.#choices.every(({ when, holds }) => this.#given.choose(when) === holds))
      return exactly(format, low, high, SILENCE);
    const { value, by } = this.#evaluate();
    const exact = this.#restricted(value);
    const bent = exact !== value;
    let inherited = 0;
    const noise: [number, number, number] = [0, 0, 0];
    for (const [at, input] of inputs.entries()) {
      const { shadow } = input;
      const error = shadow?.kind === "float" ? shadow.error : shadow?.kind === "integer" ? this.#wrapped(at, input) : 0;
      this.#errors[at] = error;
      if (!bent && error !== 0) inherited += by[at]! * error;
      if (!bent && by[at] !== 0) addNoise(noise, by[at]!, input, this.#formats[at]);
    }
    // Who converts to so few digits wants them rounded, as inputs are.
    if (this.#narrows) addNoise(noise, 1, { low, high, shadow: undefined, constant: false, format }, format);
    const shares = inputs.flatMap(({ shadow }, at): [readonly Share[], number][] =>
      shadow?.kind === "float" && shadow.shares.length > 0
        ? [[shadow.shares, by[at]!]]
        : shadow?.kind === "integer" && this.#errors[at] !== 0
          ? [[[{ pc: shadow.pc, amount: this.#errors[at]! }], by[at]!]]
          : [],
    );
    const sum = { format, low, high, exact, inherited, noise, shares, inputs, pc, thread };
    return shadowOfSum({ ...sum, most: true, growth: (rest) => this.#growth(inputs, by, rest, exact, pc) });
  }

  /**
   * Whether a sum is made to be rounded: compilers add 1.5 * 2^23 to a number of f32 where they want the nearest integer,
   * and subtract it again.
   */
  #isCut(inputs: readonly Input[]): boolean {
    const { of } = this.#result;
    if (of.node !== "add" || this.format.frac < 23) return false;
    return [of.a, of.b].some((addend) => {
      if (addend.node !== "argument" && addend.node !== "flush") return false;
      const input = inputs[this.#takes.findIndex(({ name }) => name === addend.name)];
      return input !== undefined && (input.constant || input.shadow?.kind === "constant") && this.#cuts(input);
    });
  }

  #cuts({ low, high }: Input): boolean {
    const size = Math.abs(toNumber(ofBits(this.format, low, high)));
    const unit = 2 ** this.format.frac;
    return size === unit || (size >= 1.5 * unit && size <= 1.5 * unit + 1024);
  }

  /** How far an integer is off. */
  #wrapped(at: number, { low, high }: Input): number {
    const exact = this.#given.operands[at]!;
    const real = worthOf(
      { low, high, shadow: undefined, constant: false, format: undefined },
      undefined,
      this.#takes[at]!,
    );
    return toNumber(minus(real, exact));
  }

  /** `.sat` and `.relu` are part of what is meant. */
  #restricted(value: Real): Real {
    const { sat, relu } = this.#result;
    if (!sat && !relu) return value;
    if (value.kind === "nan") return sat ? ZERO : value;
    if (isNegative(value)) return ZERO;
    return sat && compare(value, ONE) > 0 ? ONE : value;
  }

  #growth(inputs: readonly Input[], by: Float64Array, rest: number, exact: Real, pc: number): Growth | undefined {
    let before = 2 ** -(this.format.frac + 2);
    let most = 0;
    let growth: Growth | undefined;
    for (const [at, { shadow }] of inputs.entries()) {
      const error = this.#errors[at]!;
      if (error === 0) continue;
      const size = Math.abs(toNumber(this.#given.operands[at]!));
      before = Math.max(before, Math.abs(error) / size);
      const effect = Math.abs(by[at]! * error);
      if (effect > most) {
        most = effect;
        growth = shadow?.kind === "float" ? shadow.growth : undefined;
      }
    }
    const after = Math.abs(rest) / Math.abs(toNumber(exact));
    const bits = Math.min(MOST_GROWTH, Math.log2(after / before));
    return bits > 2 && bits > (growth?.bits ?? 0) ? { pc, bits } : growth;
  }
}

/** Where an operation rounds: perhaps only if its operands are numbers. */
interface Way {
  readonly round: RoundResult;
  readonly choices: readonly { readonly when: Expression; readonly holds: boolean }[];
}

function wayTo(result: Result): Way | undefined {
  if (result.into === "round") return { round: result, choices: [] };
  if (result.into !== "choose") return undefined;
  for (const holds of [true, false]) {
    const way = wayTo(holds ? result.yes : result.no);
    if (way !== undefined) return { ...way, choices: [{ when: result.when, holds }, ...way.choices] };
  }
  return undefined;
}

const isNonzero = (
  when: Parameters<Given["choose"]>[0],
  env: { readonly takes: readonly Argument[]; readonly bits: readonly bigint[] },
): boolean => evaluate(when, { ...env, rnd: "rn" }) !== 0n;

/** What an operand is worth exactly. */
function worthOf({ low, high, shadow }: Input, format: Format | undefined, { type }: Argument): Real {
  if (shadow?.kind === "float" && format !== undefined) return exactOf(shadow);
  if (format !== undefined) return ofBits(format, low, high);
  const width = Number(type.slice(1)) || 1;
  const isSigned = type.startsWith("s");
  const bits = (BigInt(high) << 32n) | BigInt(low);
  const real = isSigned ? BigInt.asIntN(width, bits) : BigInt.asUintN(width, bits);
  if (shadow?.kind !== "integer") return ofInteger(real);
  return ofInteger(wanted(shadow, isSigned, real) ?? real);
}

/** Adds how far an operand moves when the inputs of the program do, `by` times. What has no shadow is an input. */
export function addNoise(
  sum: [number, number, number],
  by: number,
  { low, high, shadow, constant }: Input,
  format: Format | undefined,
): void {
  if (!Number.isFinite(by)) return;
  if (shadow?.kind === "float") {
    for (let at = 0; at < 3; at++) sum[at]! += by * shadow.noise[at]!;
    return;
  }
  if (constant || shadow?.kind === "constant" || format === undefined) return;
  const size = toNumber(ofBits(format, low, high));
  if (!Number.isFinite(size)) return;
  const most = size * 2 ** -(format.frac + 1) * by;
  let x = low ^ Math.imul(high, 0x9e37_79b1);
  for (let at = 0; at < 3; at++) {
    x = mixed(x + 0x9e37_79b9);
    // A size of 1/2 to 1, and a sign, that depend on the bits alone: the same input moves the same way.
    sum[at]! += most * (0.5 + (x >>> 1) / 2 ** 32) * (x & 1 ? -1 : 1);
  }
}

/** Each bit depends on all. */
function mixed(bits: number): number {
  let x = Math.imul(bits ^ (bits >>> 16), 0x21f0_aaad);
  x = Math.imul(x ^ (x >>> 15), 0x735a_2d97);
  return x ^ (x >>> 15);
}

/** A unit in the last place of a number; of 0 what may have become 0, by `.ftz` the least normal number. */
function unitOf({ frac, bias }: Format, x: Real): number {
  const least = 1 - bias;
  if (isNothing(x)) return 2 ** least;
  const exponent = exponentOf(x);
  return 2 ** (Math.max(least, exponent) - frac);
}
