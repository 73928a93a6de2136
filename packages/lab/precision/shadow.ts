import type { Format } from "../../../src/numeric/format/format.ts";
import { minus, negated, ofBits, type Real, toNumber } from "./real.ts";

/** How much of a value's error one instruction has made: by its place in the code. */
export interface Share {
  readonly pc: number;
  readonly amount: number;
}

/** Where an error that was small beside its value became large beside it: by so many bits. */
export interface Growth {
  readonly pc: number;
  readonly bits: number;
}

/** Where a value left the range of its format, or became no number, while it had a value in exact arithmetic. */
export interface Loss {
  readonly pc: number;
  readonly kind: "overflow" | "invalid";
  readonly thread: Thread;
}

export interface Thread {
  readonly block: number;
  readonly warp: number;
  readonly lane: number;
}

/**
 * How far an exact value moves when each input of the program moves by up to half a unit in its last place: three times,
 * with other directions, because one may hit where nothing moves.
 */
export type Noise = readonly [number, number, number];
export const SILENCE: Noise = [0, 0, 0];

/** What the bits of a float would be worth had nothing been rounded on the way to them. */
export interface FloatShadow {
  readonly kind: "float";
  readonly format: Format;
  readonly width: number;
  /** The bits that the program has, low word first: without them the shadow belongs to an earlier value. */
  readonly low: number;
  readonly high: number;
  /** Undefined where the bits are exact. */
  readonly exact: Real | undefined;
  /** What the bits are worth, less the exact value. */
  readonly error: number;
  readonly noise: Noise;
  /** The instructions that have made most of the error, the largest share first. */
  readonly shares: readonly Share[];
  readonly growth: Growth | undefined;
  readonly loss: Loss | undefined;
}

/** What an integer would be had it not wrapped, or been cut down, once or more. */
export interface IntegerShadow {
  readonly kind: "integer";
  readonly width: number;
  readonly low: number;
  readonly high: number;
  /** Its value where registers are taken for integers with a sign, or for those without one. */
  readonly signed: bigint;
  readonly unsigned: bigint;
  /** The instruction that wrapped first. */
  readonly pc: number;
  /**
   * `wrapped`: it left its type; `shifted`: by a shift to the left, which may only move bits; `mixed`: a hash function wants
   * that; `saturated`: it was a float that has no place in the type; `counted`: it is what it should be, and was made
   * of constants and of small values from memory alone, so that it may outgrow the byte where it is kept.
   */
  readonly why: "wrapped" | "shifted" | "mixed" | "saturated" | "counted";
  /** It was made wider, without a sign, after it had wrapped: an error if it is ever used as a number. */
  readonly widened: boolean;
}

/** A number that stands in the program's text: no input of it, and exact. */
export interface ConstantShadow {
  readonly kind: "constant";
  readonly width: number;
  readonly low: number;
  readonly high: number;
}

export type Shadow = FloatShadow | IntegerShadow | ConstantShadow;

/** A shadow within a register or a word of memory: bit `at` there is its lowest; the rest of it may lie outside. */
export interface Piece {
  readonly at: number;
  readonly shadow: Shadow;
}

/** What a register has: one shadow as wide as it is, from its lowest bit on, or pieces. */
export type Held = Shadow | readonly Piece[];

export const piecesOf = (held: Held | undefined): readonly Piece[] =>
  held === undefined ? none : "kind" in held ? [{ at: 0, shadow: held }] : held;

const none: readonly Piece[] = [];

/** Pieces as they are kept. */
export function heldOf(pieces: readonly Piece[]): Held | undefined {
  const [first] = pieces;
  if (first === undefined) return undefined;
  return pieces.length === 1 && first.at === 0 ? first.shadow : pieces;
}

/** The shadow of `width` bits from bit `at` on, of a register that has these bits there. */
export function shadowAt(
  held: Held | undefined,
  at: number,
  width: number,
  low: number,
  high: number,
): Shadow | undefined {
  if (held === undefined) return undefined;
  if ("kind" in held)
    return at === 0 && held.width === width && held.low === low && held.high === high ? held : undefined;
  for (const piece of held) {
    const { shadow } = piece;
    if (piece.at === at && shadow.width === width && shadow.low === low && shadow.high === high) return shadow;
  }
  return undefined;
}

/** A float that is what it should be. */
export const exactly = (format: Format, low: number, high: number, noise: Noise): FloatShadow => ({
  kind: "float",
  format,
  width: format.width,
  low,
  high,
  exact: undefined,
  error: 0,
  noise,
  shares: [],
  growth: undefined,
  loss: undefined,
});

/** What a shadow says its value should have been. */
export const exactOf = ({ exact, format, low, high }: FloatShadow): Real => exact ?? ofBits(format, low, high);

/**
 * A float whose bits were edited as an integer: with another sign or another exponent it is the same number times a
 * power of two, and so is its shadow. Undefined where it is another number.
 */
export function scaled(shadow: FloatShadow, low: number, high: number): FloatShadow | undefined {
  const { format, width, exact } = shadow;
  if (format.specials !== "ieee" || format.pad > 0 || format.sign === 0) return undefined;
  if (low === shadow.low && high === shadow.high) return shadow;
  const [top, before] = width === 64 ? [high, shadow.high] : [low, shadow.low];
  if (width === 64 && low !== shadow.low) return undefined;
  const frac = width === 64 ? format.frac - 32 : format.frac;
  const most = 2 ** format.exp - 1;
  const [field, old] = [(top >>> frac) & most, (before >>> frac) & most];
  if (((top ^ before) & (2 ** frac - 1)) !== 0) return undefined;
  if (field !== old && (field === 0 || old === 0 || field === most || old === most)) return undefined;
  const flips = (top ^ before) >>> (frac + format.exp) !== 0;
  const factor = 2 ** (field - old) * (flips ? -1 : 1);
  const value = exact === undefined || exact.kind !== "finite" ? exact : { ...exact, exp: exact.exp + field - old };
  return {
    ...shadow,
    low,
    high,
    exact: value === undefined || !flips ? value : negated(value),
    error: shadow.error * factor,
    noise: [shadow.noise[0] * factor, shadow.noise[1] * factor, shadow.noise[2] * factor],
    shares: shadow.shares.map(({ pc, amount }) => ({ pc, amount: amount * factor })),
  };
}

/** How far bits are from an exact value. */
export const errorOf = (format: Format, low: number, high: number, exact: Real): number =>
  toNumber(minus(ofBits(format, low, high), exact));
