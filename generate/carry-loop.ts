import { narrowSteps } from "../src/numeric/lower/word/narrow.ts";
import { carrySteps } from "../src/numeric/lower/word/wide-carry.ts";
import type { Operation } from "../src/numeric/operation/operation.ts";
import { widthOf } from "../src/numeric/operation/type.ts";
import { type LoopText, lanesText, views } from "./lane-loop.ts";
import { type Given, LaneSource } from "./source.ts";

const OFFSETS = ["a", "b", "c"];
const flag = (): string => "((carry >>> lane) & 1)";
const CF: Given = { s: flag, r: flag, f: flag, q: flag, d: flag, low: flag, high: () => "0" };

/** A sum with CC.CF in, out or both. */
export function carryLoop(operation: Operation): LoopText | undefined {
  const { takes, result } = operation;
  if (result.into !== "carry") return undefined;
  let at = 0;
  const source = new LaneSource(takes.map(({ name }) => (name === "CF" ? CF : OFFSETS[at++]!)));
  const body =
    widthOf(result.type) === 64 ? wideBody(operation, source, result.out) : narrowBody(operation, source, result.out);
  if (body === undefined) return undefined;
  const carry = result.out || takes.some(({ name }) => name === "CF") ? ["carry"] : [];
  const loop = lanesText([...source.statements, ...body].join(" "));
  const list = [...views(source), "active", ...carry].join(", ");
  // The flags of all lanes are read before any is written.
  const text = result.out
    ? `(warp) => { const { ${list} } = warp; let flags = 0; ${loop} warp.carry = ((carry & ~active) | flags) >>> 0; }`
    : `({ ${list} }) => { ${loop} }`;
  const head = `(lanes, to, ${OFFSETS.slice(0, at).join(", ")})`;
  return { text: `${head} => ${text}`, imports: source.imports };
}

const flagged = (condition: string): string => `if (${condition}) flags |= 1 << lane;`;

function narrowBody(operation: Operation, source: LaneSource, out: boolean): readonly string[] | undefined {
  const steps = narrowSteps(operation);
  if (steps === undefined || widthOf(operation.gives) !== 32) return undefined;
  const r = source.view("r");
  if (!out) return [`${r}[to + lane] = ${source.plan(steps).text(steps)};`];
  const sum = source.name(source.plan(steps).text(steps));
  return [`${r}[to + lane] = ${sum};`, flagged(`${sum} >= ${2 ** 32}`)];
}

function wideBody(operation: Operation, source: LaneSource, out: boolean): readonly string[] | undefined {
  const sum = carrySteps(operation);
  if (sum === undefined) return undefined;
  const { low, high, out: over } = sum;
  source.plan(low, high, ...(out ? [over] : []));
  const first = source.name(source.text(low));
  const second = source.name(source.text(high));
  const w = source.view("w");
  const flag = out ? [flagged(source.condition(over))] : [];
  return [`${w}[2 * (to + lane)] = ${first};`, `${w}[2 * (to + lane) + 1] = ${second};`, ...flag];
}
