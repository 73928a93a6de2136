import type { Instruction } from "../../../src/interp/contract/program.ts";
import { addressIn } from "../../../src/interp/contract/window.ts";
import type { Session } from "../../../src/interp/machine/session.ts";
import { largest } from "../../../src/numeric/exact/exact.ts";
import type { Format } from "../../../src/numeric/format/format.ts";
import { wanted } from "./integers.ts";
import type { Decision, WrappedInteger } from "./notes.ts";
import { absolute, compare, exponentOf, ofBits, toNumber } from "./real.ts";
import { exactly, exactOf, type FloatShadow, type Growth, type Shadow, SILENCE, type Thread } from "./shadow.ts";
import { PrecisionWatch } from "./watch.ts";

/** Memory that a launch leaves to its host. */
export interface OutputMemory {
  readonly name: string;
  readonly address: bigint;
  readonly bytes: number;
}

/** A float that the launch has left in memory, and what it should be. */
export interface OutputValue {
  readonly buffer: string;
  readonly index: number;
  readonly value: number;
  /** No number where all that is known of it is that it is finite: code for infinities has run in its place. */
  readonly exact: number;
  /** `value` less `exact`, about. */
  readonly error: number;
  /** In parts of the exact value; infinite where that is 0. */
  readonly relative: number;
  /** In units in the last place of the exact value. */
  readonly ulps: number;
  /** How far the value would be off had only its inputs and itself been rounded, once each. */
  readonly unavoidable: number;
  /** `error` in units of that: 1 or so for the best code there is, some tens for long sums. */
  readonly excess: number;
  /** The instructions that made most of the error: their places in the code, and which part of it, which may be negative. */
  readonly made: readonly { readonly pc: number; readonly part: number }[];
  /** Where it became large beside the value: a subtraction of nearly equal numbers, by so many bits. */
  readonly growth: Growth | undefined;
  /** The first instruction that left the range of its format on the way here, and its thread. */
  readonly loss: { readonly pc: number; readonly kind: "overflow" | "invalid"; readonly thread: Thread } | undefined;
}

/** The floats of a buffer. */
export interface BufferPrecision {
  readonly name: string;
  readonly format: string;
  /** Floats that were computed, and how many of them are not what exact arithmetic, rounded once, gives. */
  readonly values: number;
  readonly wrong: number;
  /** The largest exact value, and the largest error in parts of it. */
  readonly size: number;
  readonly norm: number;
  /** The one with the largest `excess`; undefined where all are exact. */
  readonly worst: OutputValue | undefined;
  /** The one with the largest relative error. */
  readonly farthest: OutputValue | undefined;
  /** The worst of those that have lost half of their digits, and more than their inputs explain; see `losesDigits`. */
  readonly losing: OutputValue | undefined;
  /** Values that are infinite, and rightly so: the exact ones are too large for the format. */
  readonly beyond: number;
  /** Values that are infinite or no number, though the exact ones have a place in the format; and the first of them. */
  readonly lost: number;
  readonly firstLost: OutputValue | undefined;
}

/** What one instruction has to do with the errors of the outputs. */
export interface LinePrecision {
  readonly pc: number;
  readonly instruction: Instruction;
  /** The largest error that it made in an output, in units of what is unavoidable there; and that output. */
  readonly made: number;
  /** Outputs in which it made the largest part of the error. */
  readonly outputs: number;
  /** By how many bits it made errors grow beside their values; 0 where it did not. */
  readonly grows: number;
  readonly overflows: number;
  readonly worst: OutputValue;
}

export interface PrecisionReport {
  readonly buffers: readonly BufferPrecision[];
  /** Instructions that made errors of outputs, or made them large: worst first. */
  readonly lines: readonly LinePrecision[];
  /** Integers that wrapped, or were cut, where that matters; of conversions that left their type, those that reached memory. */
  readonly wrapped: readonly WrappedInteger[];
  /** Where exact values would have gone another way. */
  readonly decisions: readonly Decision[];
  /** Values that were stored and not followed, because memory has too many that are. */
  readonly forgotten: number;
}

/** Follows a session from now on; the function that it returns says what the launch made of its floats and integers. */
export function followPrecision(session: Session): (memory?: readonly OutputMemory[]) => PrecisionReport {
  const watch = new PrecisionWatch(session);
  session.observe(watch);
  return (memory) => precisionOf(session, watch, memory);
}

/** What a launch that has ended made of its floats, in `memory` or else in all global memory that there is. */
function precisionOf(
  session: Session,
  watch: PrecisionWatch,
  memory: readonly OutputMemory[] = globalMemory(session),
): PrecisionReport {
  const outputs = [
    ...memory.map((each) => ({ name: each.name, values: valuesIn(session, watch, each) })),
    ...registersIn(watch),
  ];
  return {
    buffers: outputs.flatMap(({ name, values }) => (values.length === 0 ? [] : [bufferOf(name, values)])),
    lines: linesOf(
      session,
      outputs.flatMap(({ values }) => values),
    ),
    wrapped: [...watch.notes.wrapped.filter(({ why }) => why !== "saturated"), ...storedIn(session, watch, memory)],
    decisions: watch.notes.decisions,
    forgotten: watch.memory.forgotten,
  };
}

/** Buffers, variables, and what device malloc has given. */
const globalMemory = ({ state }: Session): readonly OutputMemory[] =>
  (state?.context.memory.allocations.live ?? []).flatMap(({ kind, name, start, end }) =>
    kind === "global" ? [{ name, address: addressIn("global", start), bytes: end - start }] : [],
  );

interface Found {
  readonly shadow: FloatShadow;
  readonly value: OutputValue;
}

function valuesIn(session: Session, watch: PrecisionWatch, memory: OutputMemory): readonly Found[] {
  const found: Found[] = [];
  for (const { shadow, offset } of shadowsIn(session, watch, memory))
    if (shadow.kind === "float")
      found.push({ shadow, value: outputOf(memory.name, (8 * offset) / shadow.width, shadow) });
  return found.sort((a, b) => a.value.index - b.value.index);
}

/** Registers of a snippet, which are its results: a value for each thread. */
function registersIn({
  results,
}: PrecisionWatch): readonly { readonly name: string; readonly values: readonly Found[] }[] {
  return [...results].map(([name, shadows]) => ({
    name,
    values: shadows.map((shadow, index) => ({ shadow, value: outputOf(name, index, shadow) })),
  }));
}

/** The shadows of what memory has at the end. */
function shadowsIn(session: Session, watch: PrecisionWatch, { address, bytes }: OutputMemory) {
  const from = Number(BigInt.asUintN(32, address));
  const data = session.read("global", address, bytes);
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const found: { readonly shadow: Shadow; readonly offset: number }[] = [];
  for (const [where, shadow] of watch.memory.shadows) {
    const offset = where - from;
    const size = shadow.width / 8;
    if (offset < 0 || offset + size > bytes) continue;
    const low = size === 1 ? view.getUint8(offset) : size === 2 ? view.getUint16(offset, true) : view.getUint32(offset, true); // biome-ignore format: by size
    if (low === shadow.low && (size < 8 || view.getUint32(offset + 4, true) === shadow.high))
      found.push({ shadow, offset });
  }
  return found;
}

/** Integers in memory that were floats with no place in their type, or that became wider after they had wrapped. */
function storedIn(session: Session, watch: PrecisionWatch, memory: readonly OutputMemory[]): readonly WrappedInteger[] {
  const found = new Map<number, WrappedInteger>();
  for (const each of memory)
    for (const { shadow } of shadowsIn(session, watch, each)) {
      if (shadow.kind !== "integer" || (shadow.why !== "saturated" && !shadow.widened)) continue;
      const { pc, why, width, low, high, signed: exact } = shadow;
      const value = BigInt.asIntN(width, (BigInt(high) << 32n) | BigInt(low));
      if (wanted(shadow, true, value) === undefined) continue;
      const known = found.get(pc);
      if (known !== undefined) known.count++;
      else found.set(pc, { pc, usedAt: pc, use: "stored", why, count: 1, thread: undefined, value, exact });
    }
  return [...found.values()];
}

function outputOf(buffer: string, index: number, shadow: FloatShadow): OutputValue {
  const { format, low, high, error, noise, shares, growth, loss } = shadow;
  const exact = exactOf(shadow);
  if (isBeyond(shadow)) return outputOf(buffer, index, exactly(format, low, high, SILENCE));
  const unit = 2 ** (Math.max(1 - format.bias, exponentOf(exact)) - format.frac);
  const unavoidable = Math.max(
    unit / 2,
    vanishing(format),
    Math.sqrt((noise[0] ** 2 + noise[1] ** 2 + noise[2] ** 2) / 3),
  );
  const size = Math.abs(error);
  const isUnknown = loss !== undefined && shadow.exact === undefined;
  const total = shares.reduce((sum, { amount }) => sum + Math.abs(amount), 0);
  return {
    buffer,
    index,
    value: toNumber(ofBits(format, low, high)),
    exact: isUnknown ? Number.NaN : toNumber(exact),
    error,
    relative: isUnknown ? Number.NaN : size === 0 ? 0 : size / Math.abs(toNumber(exact)),
    ulps: size / unit,
    unavoidable,
    excess: size / unavoidable,
    made: shares.map(({ pc, amount }) => ({
      pc,
      part: Number.isFinite(error) ? amount / error : amount === total ? 1 : 0,
    })),
    growth,
    loss,
  };
}

/** What may become 0 on the way: the least normal number, except in formats whose range is so small that all of it counts. */
const vanishing = ({ exp, bias }: Format): number => (exp < 8 ? 0 : 2 ** (1 - bias));

/** Whether a value is infinite because the exact one is too large for the format. */
function isBeyond({ format, exact, low, high }: FloatShadow): boolean {
  if (exact === undefined || ofBits(format, low, high).kind !== "inf") return false;
  const most = largest(format);
  return compare(absolute(exact), ofBits(format, Number(most & 0xffff_ffffn), Number(most >> 32n))) > 0;
}

/** Errors that rounding the inputs does not explain: by how many times; sums of some thousand numbers stay far below. */
const EXCESS = 256;

/** Whether a value has lost half of the digits of its format, and neither its inputs nor a long sum explain it. */
export const losesDigits = ({ relative, excess, loss }: OutputValue, { frac }: Format): boolean =>
  loss === undefined && excess > EXCESS && relative > 2 ** (-(frac + 1) / 2);

/** The one for which a number is largest. */
function most(values: readonly OutputValue[], of: (value: OutputValue) => number): OutputValue | undefined {
  let found: OutputValue | undefined;
  for (const value of values) if (of(value) > (found === undefined ? 0 : of(found))) found = value;
  return found;
}

function bufferOf(name: string, found: readonly Found[]): BufferPrecision {
  const values = found.map(({ value }) => value);
  const size = values.reduce((sum, { exact }) => Math.max(sum, Math.abs(exact)), 0);
  const error = values.reduce((sum, { error }) => Math.max(sum, Math.abs(error)), 0);
  return {
    name,
    format: found[0]!.shadow.format.name,
    values: values.length,
    wrong: values.filter(({ ulps }) => ulps > 0.5).length,
    size,
    norm: error === 0 ? 0 : error / size,
    worst: most(values, ({ excess }) => excess),
    farthest: most(values, ({ relative }) => relative),
    losing: most(
      values.filter((value) => losesDigits(value, found[0]!.shadow.format)),
      ({ excess }) => excess,
    ),
    beyond: found.filter(({ shadow }) => isBeyond(shadow)).length,
    lost: values.filter(({ loss }) => loss !== undefined).length,
    firstLost: values.find(({ loss }) => loss !== undefined),
  };
}

function linesOf({ program }: Session, found: readonly Found[]): readonly LinePrecision[] {
  const lines = new Map<number, { -readonly [K in keyof LinePrecision]: LinePrecision[K] }>();
  const lineOf = (pc: number, value: OutputValue) => {
    const known = lines.get(pc) ?? { pc, instruction: program.code[pc]!, made: 0, outputs: 0, grows: 0, overflows: 0, worst: value }; // biome-ignore format: one object
    lines.set(pc, known);
    return known;
  };
  for (const { value, shadow } of found) {
    if (isBeyond(shadow)) continue;
    for (const [at, { pc, amount }] of shadow.shares.entries()) {
      const line = lineOf(pc, value);
      const made = Math.abs(amount) / value.unavoidable;
      if (at === 0) line.outputs++;
      if (made <= line.made) continue;
      line.made = made;
      line.worst = value;
    }
    if (value.growth !== undefined) {
      const line = lineOf(value.growth.pc, value);
      line.grows = Math.max(line.grows, value.growth.bits);
    }
    if (value.loss !== undefined) lineOf(value.loss.pc, value).overflows++;
  }
  return [...lines.values()].sort((a, b) => b.overflows - a.overflows || b.made - a.made || b.grows - a.grows);
}
