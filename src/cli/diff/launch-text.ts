import type { Difference } from "../../../packages/lab/diff/compare.ts";
import type { Pair } from "../../../packages/lab/diff/pairs.ts";
import { NEAR, type RandomComparison } from "../../../packages/lab/diff/random.ts";
import type { DiffOptions } from "../../../packages/lab/diff/side.ts";
import type { Palette } from "../../present/text/palette.ts";
import { caseOf, commandLine } from "../repeat.ts";

/** Which launches were drawn, and where results differ the one that shows it, once more and as a check. */
export function launchText(
  { result, launch, way, compared, sizes, isNear }: RandomComparison,
  { a, b }: Pair,
  { entry, tolerance }: DiffOptions,
  colours: Palette,
): string {
  const exactly =
    tolerance === undefined
      ? "bits compared"
      : `floats within ${"ulps" in tolerance ? `${tolerance.ulps} ulp` : tolerance.part} of each other count as equal`;
  const about = `${compared} ${compared === 1 ? "launch" : "launches"} of sizes ${sizes.join(" and ")}, ${exactly}`;
  const [first] = result.differences ?? [];
  if (first === undefined) return `  ${colours.faint(about)}\n`;
  const words = ["diff", a.path, b.path];
  const lines = [`  ${about}`, `  again: ${commandLine(words, entry, { launch, way })}`];
  if (isNear)
    lines.push(
      `  with --tolerance ${NEAR.ulps}ulp all results are equal: sums in another order, contraction and .approx may differ by so much`,
    );
  lines.push("  as a check that the first passes:");
  lines.push(...caseOf("random", entry, { launch, way }, expectation(first)).map((line) => `    ${line}`));
  return `${lines.join("\n")}\n`;
}

/** The same for `schema/diff-1.json`. */
export function launchJson(
  { result, launch, way, compared, sizes, isNear }: RandomComparison,
  { a, b }: Pair,
  { entry }: DiffOptions,
): object {
  const [first] = result.differences ?? [];
  if (first === undefined) return { compared, sizes };
  const again = commandLine(["diff", a.path, b.path], entry, { launch, way });
  const lines = caseOf("random", entry, { launch, way }, expectation(first));
  return { compared, sizes, again, case: lines, ...(isNear && { near: `${NEAR.ulps}ulp` }) };
}

/** What the first program gives, right of the arrow of a case. */
function expectation({ what, name, index, type, a }: Difference): string {
  if (what === "stop") return /^PTX/.test(a) ? `fault ${a}` : "ends";
  if (what === "printed") return `prints~${JSON.stringify(a)}`;
  return `${name}${index === undefined ? "" : `[${index}]`}${type === undefined ? "" : `:${type}`}=${a}`;
}
