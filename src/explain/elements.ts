import { problem } from "../host/problem.ts";
import type { Candidate } from "../isa/match/match.ts";
import { matrixLines } from "../present/fragment.ts";
import { boundsOf, type HeldMatrix, heldBy, heldLines, holdersOf, holderText, sizeOf } from "../present/held.ts";
import type { Palette } from "../present/text/palette.ts";
import { type Answer, refused, said } from "./answer.ts";

const ELEMENT = /^([a-z][\w-]*)((?:\[\d{1,6}\]){2,3})$/i;

/** True for `c[5][3]`, an element of a matrix, and for `c`, a matrix as a whole. */
export const isElement = (word: string): boolean => ELEMENT.test(word) || /^(?:[a-z]|scale-[ab])$/.test(word);

/** Which lane and which register hold elements of an instruction's matrices, and for a name alone those of all of them. */
export function explainElements(
  spelling: string,
  candidates: readonly Candidate[],
  words: readonly string[],
  colours: Palette,
): Answer {
  const all = candidates.flatMap((each) => heldBy(each.plan(), (name) => each.classes[name]?.kind === "vector"));
  const names = [...new Set(all.map(({ name }) => name))].join(", ");
  if (all.length === 0)
    return refused(
      problem("PTX2301", `${spelling} has no matrix in the registers of a warp`, {
        expected: "mma, wmma, ldmatrix, wgmma.mma_async, tcgen05.ld and the like",
      }),
    );
  const lines: string[] = [];
  const elements: Record<string, unknown>[] = [];
  const width = Math.max(...words.map(({ length }) => length));
  for (const word of words) {
    const [, name = word, places = ""] = ELEMENT.exec(word) ?? [];
    const held = all.find((each) => each.name === name);
    if (held === undefined)
      return refused(problem("PTX2301", `${spelling} has no matrix ${name} in registers`, { expected: names }));
    if (places === "") {
      lines.push(...gridOf(held));
      continue;
    }
    const numbers = [...places.matchAll(/\d+/g)].map(([each]) => Number(each));
    const { matrices, rows, columns } = boundsOf(held);
    const [column = 0, row = 0, matrix] = numbers.toReversed();
    if (matrix === undefined && matrices > 1)
      return refused(
        problem("PTX2301", `${name} is ${sizeOf(held)}`, { expected: `${name}[0..${matrices - 1}]${places}` }),
      );
    if (row >= rows || column >= columns || (matrix ?? 0) >= matrices)
      return refused(
        problem("PTX2301", `${word} is not in ${name}, which is ${sizeOf(held)}`, {
          expected: `${matrices > 1 ? `matrix 0 to ${matrices - 1}, ` : ""}row 0 to ${rows - 1}, column 0 to ${columns - 1}`,
        }),
      );
    const holders = holdersOf(held, row, column, matrix);
    const text = holders.map((each) => holderText(held, each)).join("; a copy in ");
    lines.push(`  ${colours.faint(word.padEnd(width))}  ${text}`);
    elements.push({ element: word, holders });
  }
  const json = { kind: "elements", form: spelling, elements } as const;
  return said({ text: `${[colours.strong(spelling), ...lines].join("\n")}\n`, json });
}

/** The layout of a matrix, and for each of its elements `LANE:ELEMENT`. */
function gridOf(held: HeldMatrix): readonly string[] {
  const { name, fragment, warps } = held;
  const below = warps === undefined ? "" : ", of the first warp: the others have the rows below";
  return [
    ...heldLines([held]),
    `lane:element, as in 21:1 for ${name}1 of lane 21${below}`,
    ...matrixLines(fragment, ({ lane, i }) => `${lane}:${i}`),
  ].map((line) => `  ${line}`);
}
