import { problem } from "../host/problem.ts";
import { type Candidate, match } from "../isa/index.ts";
import { widthOf } from "../numeric/format/value-type.ts";
import type { Palette } from "../present/text/palette.ts";
import { apartText, lanesApart } from "../present/working/distance.ts";
import { formalsOf, isInput, placesOf } from "../present/working/form.ts";
import { workingOf } from "../present/working/plan.ts";
import type { Typed } from "../present/working/row.ts";
import { valueText } from "../present/working/value.ts";
import { nearest } from "../resolve/nearest.ts";
import type { Diagnostic } from "../source/diagnostic.ts";
import { hexJson } from "./answer.ts";

/** PTX's rounding modifiers (PTX ISA, Floating Point and cvt), as a spelling may have one. */
const ROUNDINGS = ["rn", "rna", "rz", "rm", "rp", "rni", "rzi", "rmi", "rpi"] as const;
const isRounding = (word: string): boolean => ROUNDINGS.some((each) => each === word);

/** A spelling with one rounding, and the forms that have it. */
export interface Rounded {
  readonly rnd: string;
  readonly spelling: string;
  readonly candidates: readonly Candidate[];
}

/**
 * The spellings that differ from one only in the rounding modifier; one without a rounding gets it at a valid
 * position.
 */
function rounded(mnemonic: string, words: readonly string[], asked: readonly string[]): Rounded[] {
  const at = words.findIndex(isRounding);
  return asked.flatMap((rnd) => {
    const spelt = at < 0 ? [rnd, ...words] : words.with(at, rnd);
    const found = match(mnemonic, spelt);
    if (found.kind !== "forms" || found.unordered.length > 0) return [];
    return [{ rnd, spelling: [mnemonic, ...spelt].join("."), candidates: found.candidates }];
  });
}

/** The words of `--rnd`, or what is wrong with them. */
export function askedRoundings(rnd: string): readonly string[] | Diagnostic {
  if (rnd === "all") return ROUNDINGS;
  const words = rnd.split(",").map((word) => word.replace(/^\./, ""));
  const wrong = words.find((word) => !isRounding(word));
  if (wrong === undefined) return words;
  const meant = nearest(wrong, ROUNDINGS);
  return problem("PTX2003", `${wrong || "nothing"} is not a rounding`, {
    expected: `all, or some of ${ROUNDINGS.join(",")}`,
    help: meant === undefined ? [] : [{ message: `did you mean ${meant}?` }],
  });
}

/** The first valid spelling with a rounding added, where one lacks it. */
export function firstRounded(mnemonic: string, words: readonly string[], rnd: string): Rounded | undefined {
  const asked = askedRoundings(rnd);
  return "code" in asked ? undefined : rounded(mnemonic, words, asked)[0];
}

/** The result of one rounding, and its distance from the spelling's own result. */
interface Side {
  readonly rnd: string;
  readonly result: Typed;
  readonly apart: string;
}

/** The results of a spelling under other roundings of the same values. */
export function sidesOf(
  spelling: string,
  rnd: string,
  own: Typed | undefined,
  inputs: ReadonlyMap<string, readonly bigint[]>,
): readonly Side[] | Diagnostic {
  const asked = askedRoundings(rnd);
  if ("code" in asked) return asked;
  const [mnemonic = "", ...words] = spelling.split(".");
  const sides = rounded(mnemonic, words, asked).flatMap(({ rnd: word, candidates }) => {
    const result = candidates.map((each) => resultOf(each, inputs)).find((each) => each !== undefined);
    if (result === undefined) return [];
    const base = own ?? result;
    const apart = apartText(base.type, lanesApart(base.type, widthOf(base.type), base.bits, result.bits));
    return [{ rnd: word, result, apart: /^the same(, the same)*$/.test(apart) ? "" : apart }];
  });
  const lacks = rnd === "all" ? [] : asked.filter((word) => sides.every((side) => side.rnd !== word));
  if (sides.length > 0 && lacks.length === 0) return sides;
  return problem(
    "PTX2301",
    `${spelling} is not rounded in ${rnd === "all" ? "any way that can be chosen" : lacks.join(", ")}`,
    {
      expected: "an instruction whose syntax has .rnd, such as add.f32, fma.rn.f16 or cvt.rn.f16.f32",
      help: [{ message: `ptxrun isa ${mnemonic} lists the forms` }],
    },
  );
}

/** The result of a form for values; undefined where it reads other inputs. */
function resultOf(candidate: Candidate, inputs: ReadonlyMap<string, readonly bigint[]>): Typed | undefined {
  const formals = formalsOf(candidate);
  const reads = formals.filter((each) => isInput(each) && !each.optional).map(({ name }) => name);
  const others = [...inputs.keys()].some((name) => !formals.some((each) => isInput(each) && each.name === name));
  if (others || reads.some((name) => !inputs.has(name))) return undefined;
  const target = formals.find(({ written }) => written)?.name;
  return workingOf(candidate.plan(), placesOf(formals, inputs)).findLast(({ label }) => label === target)?.value;
}

/** A line for each rounding: its result, and its distance from the spelling's own. */
export function sidesText(sides: readonly Side[], colours: Palette): string {
  const texts = sides.map(({ result }) => valueText(result.type, result.bits));
  const width = Math.max(...texts.map(({ length }) => length));
  const lines = sides.map(({ rnd, apart }, at) => `  .${rnd.padEnd(4)} ${(texts[at] ?? "").padEnd(width)}  ${apart}`);
  return `${colours.strong("by rounding")}\n${lines.map((line) => `${line.trimEnd()}\n`).join("")}`;
}

export const sidesJson = (sides: readonly Side[]): readonly Record<string, unknown>[] =>
  sides.map(({ rnd, result, apart }) => ({
    rnd,
    type: result.type,
    bits: hexJson(result.bits),
    apart: apart || "the same",
  }));
