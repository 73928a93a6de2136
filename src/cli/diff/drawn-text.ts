import { shellWord } from "../../../packages/demangle/src/index.ts";
import type { Difference } from "../../../packages/lab/diff/compare.ts";
import { NEAR, type RandomComparison } from "../../../packages/lab/diff/drawing.ts";
import { entriesOf, type Pair } from "../../../packages/lab/diff/pairs.ts";
import type { DiffOptions } from "../../../packages/lab/diff/side.ts";
import type { Palette } from "../../present/text/palette.ts";
import { caseOf, commandLine } from "../repeat.ts";

/** What was drawn, and where results differ the inputs that show it, once more and as a check. */
export function drawnText(comparison: RandomComparison, pair: Pair, options: DiffOptions, colours: Palette): string {
  const { result, compared, tooLong, sizes, isNear } = comparison;
  const { tolerance, random, quiet } = options;
  const exactly =
    tolerance === undefined
      ? "bits compared"
      : `floats within ${"ulps" in tolerance ? `${tolerance.ulps} ulp` : tolerance.part} of each other count as equal`;
  const plural = compared === 1 ? "" : "s";
  const launches = plural === "" ? "launch" : "launches";
  const runs =
    sizes.length === 0 ? `${compared} run${plural}` : `${compared} ${launches} of sizes ${sizes.join(" and ")}`;
  const isUnasked = random === undefined && quiet !== true;
  const hint = isUnasked
    ? [colours.faint(`no inputs were given: ${sizes.length === 0 ? "-r" : "-a"} gives some, --random N draws more`)]
    : [];
  const [first] = result.differences ?? [];
  if (first === undefined) {
    const left = tooLong === 0 ? "" : ` (${tooLong} more took too many steps)`;
    return shown([colours.faint(`in ${runs}${left} with drawn inputs, which is no proof; ${exactly}`), ...hint]);
  }
  return shown([
    `after ${runs} with drawn inputs; ${exactly}`,
    ...hint,
    `again: ${againOf(comparison, pair, options)}`,
    ...(isNear
      ? [
          `with --tolerance ${NEAR.ulps}ulp all results are equal: sums in another order, contraction and .approx may differ by so much`,
        ]
      : []),
    "as a check that the first passes:",
    ...checkOf(comparison, options, first).map((line) => `  ${line}`),
  ]);
}

const shown = (lines: readonly string[]): string => lines.map((line) => `  ${line}\n`).join("");

/** The same for `schema/diff-1.json`. */
export function drawnJson(comparison: RandomComparison, pair: Pair, options: DiffOptions): object {
  const { result, compared, sizes, isNear } = comparison;
  const [first] = result.differences ?? [];
  if (first === undefined) return { compared, sizes };
  const again = againOf(comparison, pair, options);
  const lines = checkOf(comparison, options, first);
  return { compared, sizes, again, case: lines, ...(isNear && { near: `${NEAR.ulps}ulp` }) };
}

/** The command line that compares with these inputs alone. */
function againOf({ inputs }: RandomComparison, { a, b }: Pair, { entry }: DiffOptions): string {
  const words = ["diff", a.path, b.path];
  if (inputs.kind === "launch") return commandLine(words, entry, inputs);
  return ["ptxrun", ...words, ...inputs.registers.flatMap((each) => ["-r", each])].map(shellWord).join(" ");
}

/** Lines of `ptxrun check` for these inputs. */
function checkOf({ inputs }: RandomComparison, { entry }: DiffOptions, first: Difference): readonly string[] {
  const expected = expectation(first);
  if (inputs.kind === "launch") return caseOf("random", entriesOf(entry)[0], inputs, expected);
  return [`//@ case random: ${inputs.registers.join(" ")} -> ${expected}`];
}

/** What the first program gives, right of the arrow of a case. */
function expectation({ what, name, index, type, a }: Difference): string {
  if (what === "stop") return /^PTX/.test(a) ? `fault ${a}` : "ends";
  if (what === "printed") return `prints~${JSON.stringify(a)}`;
  return `${name}${index === undefined ? "" : `[${index}]`}${type === undefined ? "" : `:${type}`}=${a}`;
}
