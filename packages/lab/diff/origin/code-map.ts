import type { Program } from "../../../../src/interp/contract/program.ts";

/** Maps instructions of one program to those of another: by text, and in gaps between those by position or mnemonic. */
export interface CodeMap {
  /** By pc of the first program: the pc of the second. */
  readonly forth: ReadonlyMap<number, number>;
  readonly back: ReadonlyMap<number, number>;
  /** The share of the longer program that has the same text: 1 is all. */
  readonly alike: number;
}

/** Pairs of instructions that are compared to find what both programs have. */
const MOST_CELLS = 16_000_000;

export function mapCode(a: Program, b: Program): CodeMap {
  const [textA, textB] = [texts(a), texts(b)];
  const pairs = common(textA, textB);
  const forth = new Map(pairs);
  const alike = forth.size / Math.max(1, textA.length, textB.length);
  // The gaps: the same count on both sides maps one to one, else by mnemonic.
  let [lastA, lastB] = [-1, -1];
  for (const [atA, atB] of [...pairs, [textA.length, textB.length] as const]) {
    const [countA, countB] = [atA - lastA - 1, atB - lastB - 1];
    if (countA === countB) for (let at = 1; at <= countA; at++) forth.set(lastA + at, lastB + at);
    else if (countA > 0 && countB > 0) {
      const opcodes = (program: Program, from: number, count: number) =>
        program.code.slice(from, from + count).map(({ opcode }) => opcode.split(".")[0] ?? "");
      for (const [inA, inB] of common(opcodes(a, lastA + 1, countA), opcodes(b, lastB + 1, countB)))
        forth.set(lastA + 1 + inA, lastB + 1 + inB);
    }
    [lastA, lastB] = [atA, atB];
  }
  return { forth, back: new Map([...forth].map(([one, other]) => [other, one])), alike };
}

const texts = ({ code, source }: Program): readonly string[] =>
  code.map(({ span }) => source.text.slice(span.start, span.end).replace(/\s+/g, " "));

/** A longest common subsequence, as pairs of indices. */
function common(a: readonly string[], b: readonly string[]): readonly (readonly [number, number])[] {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let tail = 0;
  while (tail < a.length - start && tail < b.length - start && a.at(-1 - tail) === b.at(-1 - tail)) tail++;
  const [rows, columns] = [a.length - start - tail, b.length - start - tail];
  const found: [number, number][] = Array.from({ length: start }, (_, at) => [at, at]);
  if (rows * columns <= MOST_CELLS) {
    const width = columns + 1;
    const lengths = new Uint16Array((rows + 1) * width);
    const lengthAt = (row: number, column: number): number => lengths[row * width + column] ?? 0;
    for (let row = rows - 1; row >= 0; row--)
      for (let column = columns - 1; column >= 0; column--)
        lengths[row * width + column] =
          a[start + row] === b[start + column]
            ? lengthAt(row + 1, column + 1) + 1
            : Math.max(lengthAt(row + 1, column), lengthAt(row, column + 1));
    for (let row = 0, column = 0; row < rows && column < columns; ) {
      if (a[start + row] === b[start + column]) found.push([start + row++, start + column++]);
      else if (lengthAt(row + 1, column) >= lengthAt(row, column + 1)) row++;
      else column++;
    }
  }
  for (let at = tail; at > 0; at--) found.push([a.length - at, b.length - at]);
  return found;
}
