import type { Operation } from "../src/numeric/operation/operation.ts";
import { type TypeName, widthOf } from "../src/numeric/operation/type.ts";
import { LaneSource } from "./source.ts";

/** One generated function, and what it names of other modules. */
export interface LoopText {
  readonly text: string;
  readonly imports: ReadonlySet<string>;
}

const OFFSETS = ["a", "b", "c", "e"];

/** The widths that registers have banks for, and loops are written for. */
export const isLoopWidth = (type: TypeName): boolean => [16, 32, 64].includes(widthOf(type));

/** The source of an operation's lane whose operands lie in registers. */
export const registerSource = ({ takes }: Operation): LaneSource => new LaneSource(OFFSETS.slice(0, takes.length));

/** How often a loop's body is repeated: what grows too large is not inlined any more, and then five times slower. */
function loopName(characters: number): "unrolled4" | "unrolled2" | "rolled" {
  if (characters <= 135) return "unrolled4";
  return characters <= 270 ? "unrolled2" : "rolled";
}

/** What a loop needs besides the statements of one lane. */
interface Around {
  /** Repeats the body twice, however long it is: measured to be worth it. */
  readonly twice?: boolean;
  /** What follows when all lanes are done. */
  readonly behind?: string;
}

/** `d = ...` in the active lanes; `body` are the statements of one lane. */
export function computeLoop(
  { takes }: Operation,
  source: LaneSource,
  body: readonly string[],
  { twice = false, behind = "" }: Around = {},
): LoopText {
  const lane = [...source.statements, ...body].join(" ");
  const loop = twice ? "unrolled2" : loopName(lane.length);
  const lanes = `${loop}(lanes, active, (lane) => { ${lane} })`;
  const inner = behind === "" ? lanes : `{ ${lanes}; ${behind} }`;
  const step = `({ ${[...views(source), "active"].join(", ")} }) => ${inner}`;
  // The operation's own function decides what the loop does not.
  const run = lane.includes("run(");
  const bound = [...(run ? [["run", "op.js as Run"]] : []), ...source.bound];
  const before = bound.map(([name, text]) => `const ${name} = ${text};`).join(" ");
  const head = `(lanes, ${run ? "op" : "_op"}, to, ${OFFSETS.slice(0, takes.length).join(", ")})`;
  return {
    text: before === "" ? `${head} => ${step}` : `${head} => { ${before} return ${step}; }`,
    imports: new Set([loop, ...source.imports]),
  };
}

/** The views that a lane names, as a step takes them from its warp. */
export const views = (source: LaneSource): readonly string[] =>
  [...source.views].map((view) => (view === "d" ? "d: doubles" : view));
