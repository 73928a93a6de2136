import { narrowSteps, pairSteps } from "../src/numeric/lower/word/narrow.ts";
import type { Operation } from "../src/numeric/operation/operation.ts";
import { widthOf } from "../src/numeric/operation/type.ts";
import { bigintText, isCut } from "./integer-loop.ts";
import { type LoopText, views } from "./lane-loop.ts";
import { type Given, LaneSource } from "./source.ts";

/** What memory holds becomes what an operation makes of it and of b and c, lane after lane. */
export function atomicLoop(operation: Operation): LoopText | undefined {
  const width = widthOf(operation.gives);
  if (operation.takes.some(({ type }) => widthOf(type) !== width)) return undefined;
  if (width === 32) return narrow(operation);
  return width === 64 ? (ofBigints(operation) ?? ofWords(operation)) : undefined;
}

const none = (): string => {
  throw new Error("no loop reads memory so");
};
const given = (texts: Partial<Given>): Given => ({
  s: none,
  r: none,
  f: none,
  q: none,
  d: none,
  low: none,
  high: none,
  ...texts,
});

function narrow(operation: Operation): LoopText | undefined {
  const steps = narrowSteps(operation);
  if (steps === undefined) return called(operation);
  const held = given({ s: () => "(held | 0)", r: () => "held" });
  const source = new LaneSource([held, "b", "c"]);
  const whole = steps.step === "unsigned" ? steps.parts[0]! : steps;
  const text = source.plan(whole).text(whole);
  return words(operation, source, text);
}

/** The operation's own function, in a loop that calls no other: the engine inlines it there. */
function called(operation: Operation): LoopText {
  const [, ...operands] = ["held", "b", "c"].slice(0, operation.takes.length);
  const list = operands.map((offset) => `r[${offset} + lane]!`).join(", ");
  return words(operation, new LaneSource([]), `run(held, ${list})`);
}

/** A word of memory becomes `made` of what it held. */
function words(operation: Operation, source: LaneSource, made: string): LoopText {
  const r = source.view("r");
  return loop(operation, source, ["u32"], "const index = at[lane]! >>> 2; const held = u32[index]!;", [
    `u32[index] = ${made};`,
    `if (d >= 0) ${r}[d + lane] = held;`,
  ]);
}

function ofBigints(operation: Operation): LoopText | undefined {
  const { result } = operation;
  if (result.into !== "wrap" || !isCut(result.of)) return undefined;
  const source = new LaneSource([given({ q: () => "u64[index]!" }), "b", "c"]);
  const text = bigintText(result.of, operation, source.element.bind(source));
  if (text === undefined) return undefined;
  const q = source.view("q");
  return loop(operation, source, ["u64"], "const index = at[lane]! >>> 3;", [
    `const made = ${text};`,
    `if (d >= 0) ${q}[d + lane] = u64[index]!;`,
    "u64[index] = made;",
  ]);
}

function ofWords(operation: Operation): LoopText | undefined {
  const pair = pairSteps(operation);
  if (pair === undefined) return undefined;
  const source = new LaneSource([given({ low: () => "low", high: () => "high" }), "b", "c"]).plan(pair.low, pair.high);
  const [first, second] = [source.name(source.text(pair.low)), source.name(source.text(pair.high))];
  const w = source.view("w");
  const before = "const index = at[lane]! >>> 2; const low = u32[index]! | 0; const high = u32[index + 1]! | 0;";
  return loop(operation, source, ["u32"], before, [
    `u32[index] = ${first};`,
    `u32[index + 1] = ${second};`,
    `if (d < 0) continue; ${w}[2 * (d + lane)] = low; ${w}[2 * (d + lane) + 1] = high;`,
  ]);
}

const offsetsOf = ({ takes }: Operation): string => ["d", "b", "c"].slice(0, takes.length).join(", ");

function loop(
  operation: Operation,
  source: LaneSource,
  data: readonly string[],
  before: string,
  body: readonly string[],
): LoopText {
  const lane = `{ if (!((active >>> lane) & 1)) continue; ${[before, ...source.statements, ...body].join(" ")} }`;
  const step = `({ ${[...views(source), "active"].join(", ")} }) => { const { ${data.join(", ")} } = memory.data; for (let lane = 0; lane < lanes; lane++) ${lane} }`;
  const run = lane.includes("run(");
  const head = `({ lanes, memory, scratch: { at } }, ${run ? "op" : "_op"}, ${offsetsOf(operation)})`;
  return {
    text: run ? `${head} => { const run = op.js as Run; return ${step}; }` : `${head} => ${step}`,
    imports: source.imports,
  };
}
