import { isElementType } from "../host/memory/element.ts";
import { hex, lanes, number } from "./value.ts";

/** Bits without a type are shown as a number up to here, and as bits beyond. */
const SMALL = 0xffffn;

/** Bits as a number of a type; those of `.b32` and the like as a small number or as bits, because they can be anything. */
export function decoded(bits: bigint, type: string, width: number): string {
  const [first] = lanes(bits, type);
  const element = first?.type ?? type;
  if (isElementType(element) && !(element.startsWith("b") && !element.startsWith("bf"))) {
    const bitsOfType = BigInt.asUintN(widthOf(type, width), bits);
    const values = number(bitsOfType, type);
    return values.includes(",") ? `(${values})` : values;
  }
  return bits <= SMALL ? `${bits}` : hex(bits, width);
}

/** Of a type's name, `f16x2`: 32; an instruction may read a part of a wider register. */
function widthOf(type: string, width: number): number {
  const [, bits = "", , count = "1"] = /^(?:bf|tf|[busf])(\d+)(x(\d))?$/.exec(type) ?? [];
  return bits === "" ? width : Math.min(width, Number(bits) * Number(count));
}

/** A value of some lanes. */
export interface LaneValue {
  readonly lane: number;
  readonly text: string;
  /** What the text begins with and need not say again for the next lane: the name of a buffer. */
  readonly within?: string;
  /** Where it is an integer, or a place in a buffer: what may be a step from one lane to the next. */
  readonly count?: bigint | undefined;
}

/** Values that are written one by one; of more that differ, the first. */
const MOST = 8;

/**
 * Values of lanes, as few words as say it: one for all, a first and a last with the step between, lanes with the same
 * value together, or the first ones.
 */
export function foldLanes(all: readonly LaneValue[]): string {
  const [first] = all;
  if (first === undefined) return "-";
  if (all.every(({ text }) => text === first.text)) return first.text;
  const values = all.map((value, at) => {
    const { text, within = "" } = value;
    return at === 0 || within !== all[at - 1]?.within ? value : { ...value, text: text.slice(within.length) };
  });
  const second = values[1];
  const step = stepOf(values);
  const last = values.at(-1);
  if (values.length > 3 && step !== undefined) return `${first.text}, ${second?.text} .. ${last?.text}`;
  const runs: { from: number; to: number; count: number; text: string }[] = [];
  for (const { lane, text } of values) {
    const run = runs.at(-1);
    if (run !== undefined && run.text === text && run.to === lane - 1) {
      run.to = lane;
      run.count++;
    } else runs.push({ from: lane, to: lane, count: 1, text });
  }
  const grouped = runs.some(({ count }) => count > 1);
  const shown = runs.slice(0, MOST).map(({ from, to, text }) => {
    if (!grouped) return text;
    return from === to ? `${from}: ${text}` : `${from}-${to}: ${text}`;
  });
  const left = runs.slice(MOST).reduce((sum, { count }) => sum + count, 0);
  return `${shown.join(", ")}${left === 0 ? "" : `, and ${left} more`}`;
}

/** The same difference from each lane to the next; undefined where it is not. */
function stepOf(values: readonly LaneValue[]): bigint | undefined {
  const [first, second] = values;
  if (first?.count === undefined || second?.count === undefined) return undefined;
  const step = second.count - first.count;
  for (let at = 1; at < values.length; at++) {
    const [before, here] = [values[at - 1], values[at]];
    if (before?.count === undefined || here?.count === undefined) return undefined;
    if (here.count - before.count !== step || here.lane !== before.lane + 1) return undefined;
  }
  return step;
}
