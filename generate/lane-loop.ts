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

/** How often a loop's body is repeated. */
const copiesOf = (characters: number): 1 | 2 => (characters <= 270 ? 2 : 1);

/**
 * A loop over the active lanes, written out, since a loop that is handed a function would need a closure for each
 * step. For a full warp the loop does not test the mask, and repeats the body.
 */
export function lanesText(body: string, copies: 1 | 2 = 1): string {
  const masked = `for (let lane = 0; lane < lanes; lane++) if ((active >>> lane) & 1) { ${body} }`;
  if (copies === 1) return masked;
  const repeated = Array.from({ length: copies }, () => `{ ${body} }`).join(" lane++; ");
  return `if (active === FULL) for (let lane = 0; lane < 32; lane++) { ${repeated} } else ${masked}`;
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
  const copies = twice ? 2 : copiesOf(lane.length);
  const step = `({ ${[...views(source), "active"].join(", ")} }) => { ${lanesText(lane, copies)} ${behind} }`;
  // The operation's own function handles the cases that the loop does not.
  const run = lane.includes("run(");
  const bound = [...(run ? [["run", "op.js as Run"]] : []), ...source.bound];
  const before = bound.map(([name, text]) => `const ${name} = ${text};`).join(" ");
  const head = `(lanes, ${run ? "op" : "_op"}, to, ${OFFSETS.slice(0, takes.length).join(", ")})`;
  return {
    text: before === "" ? `${head} => ${step}` : `${head} => { ${before} return ${step}; }`,
    imports: new Set([...(copies === 1 ? [] : ["FULL"]), ...source.imports]),
  };
}

/** The views that a lane names, as a step takes them from its warp. */
export const views = (source: LaneSource): readonly string[] =>
  [...source.views].map((view) => (view === "d" ? "d: doubles" : view));
