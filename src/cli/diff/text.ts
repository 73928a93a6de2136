import { Exit } from "../../environment/exit.ts";
import { printable } from "../../present/escape.ts";
import type { Palette } from "../../present/palette.ts";
import { renderCause } from "./cause-text.ts";
import type { Difference } from "./compare.ts";
import type { PairResult } from "./pair.ts";

/** Differences of a pair that are shown; --json has them all. */
const SHOWN = 20;

/** Equal, different, or not to be compared. */
export type Verdict = "equal" | "different" | "failed";
export const verdictOf = ({ differences }: PairResult): Verdict =>
  differences === undefined ? "failed" : differences.length === 0 ? "equal" : "different";

/** A pair in a line, and a line for each difference. */
export function renderPair(result: PairResult, colours: Palette): string {
  const { a, b, differences = [], compared } = result;
  const verdict = verdictOf(result);
  const colour = verdict === "equal" ? colours.good : colours.error;
  const end = verdict === "equal" && result.exit !== Exit.ok ? [`both end with ${a.stop?.code ?? a.stop?.reason}`] : [];
  const what = compared === undefined || verdict !== "equal" ? [] : countsOf(compared);
  const more = [...end, ...what].join(", ");
  const lines = differences.slice(0, SHOWN).map((each) => `  ${sentence(each)}\n`);
  const left = differences.length - SHOWN;
  if (left > 0) lines.push(`  and ${left} more\n`);
  const why = result.cause === undefined ? [] : renderCause(result.cause, a.file, b.file, colours);
  lines.push(...why.map((line) => `  ${line}\n`));
  const files = `${titleOf(a)}  ${titleOf(b)}`;
  return `${colour(verdict.padEnd("different".length))}  ${files}${more === "" ? "" : `  ${colours.faint(more)}`}\n${lines.join("")}`;
}

const titleOf = ({ file, seed, target }: PairResult["a"]): string =>
  [
    file,
    ...(seed === undefined ? [] : [`--schedule random:${seed}`]),
    ...(target === undefined ? [] : [`on ${target}`]),
  ]
    .map(printable)
    .join(" ");

/** One program in many orders that all give the same. */
export const agreement = (file: string, [first, last]: readonly [number, number], colours: Palette): string =>
  `${colours.good("equal".padEnd("different".length))}  ${printable(file)}  ${colours.faint(`seeds ${first} to ${last}`)}\n`;

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`;

const countsOf = (compared: NonNullable<PairResult["compared"]>): readonly string[] => {
  const kinds = [
    [compared.buffers, "buffer"],
    [compared.variables, "variable"],
    [compared.registers, "register"],
  ] as const;
  const some = kinds.filter(([count]) => count > 0).map(([count, what]) => counted(count, what));
  return some.length === 0 ? ["nothing but how they end"] : some;
};

function sentence({
  what,
  name,
  index,
  differing = 0,
  elements = 0,
  block,
  thread,
  a,
  b,
  numbers,
}: Difference): string {
  if (what === "stop") return `the first ends with ${a}, the second with ${b}`;
  if (what === "printed") return `${name} of what they print: ${JSON.stringify(a)} and ${JSON.stringify(b)}`;
  const place = index === undefined ? printable(name) : `${printable(name)}[${index}]`;
  const whose = block === undefined || (block === 0 && thread === 0) ? "" : ` of block ${block}, thread ${thread}`;
  const shown = (bits: string, at: 0 | 1): string => (numbers === undefined ? bits : `${bits} (${numbers[at]})`);
  const rest = elements > 1 ? `; ${differing} of ${elements} differ` : "";
  return `${place}${whose} is ${shown(a, 0)} in the first, ${shown(b, 1)} in the second${rest}`;
}

/** The line behind several pairs. */
export function summary(results: readonly Pick<PairResult, "differences">[]): string {
  const count = (verdict: Verdict) => results.filter((each) => verdictOf(each as PairResult) === verdict).length;
  const [equal, different, failed] = [count("equal"), count("different"), count("failed")];
  return `${counted(results.length, "pair")}: ${equal} equal, ${different} different, ${failed} failed\n`;
}
