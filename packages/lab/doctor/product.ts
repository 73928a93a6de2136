import { bitsOf, formatOf } from "../../../src/host/memory/element.ts";
import { isCollective, isComputed } from "../../../src/interp/contract/plan/effects.ts";
import type { Parameter, Program } from "../../../src/interp/contract/program.ts";
import type { Checked } from "../launches/run.ts";
import { ofBits, toNumber } from "../precision/real.ts";

/** How far a sum of products may be from the exact one, in parts of the sum of their sizes: of halves, in any order. */
const FAR = 2 ** -6;

/**
 * The output of a kernel that multiplies two matrices and does nothing else, where it is no product of them, whichever of the three lie
 * by rows and by columns; undefined where it is one, or where the kernel does something else.
 */
export function noProduct(program: Program, { launch, outputs, stop }: Checked): Parameter | undefined {
  const multiplies = program.code.some(({ plan, opcode }) => isCollective(plan) && opcode.startsWith("mma."));
  if (!multiplies || stop.reason !== "exit" || program.code.some(computesFloats)) return undefined;
  const matrices = [...launch.values].flatMap(([parameter, value]) => {
    const numbers = value.kind === "buffer" ? numbersOf(value.type, outputs.get(parameter)) : undefined;
    return value.kind === "buffer" && numbers !== undefined ? [{ parameter, numbers, ...value }] : [];
  });
  const [a, b, ...others] = matrices.filter((each) => each.reads && !each.writes);
  const [d, ...more] = matrices.filter((each) => each.writes && !each.reads);
  if (a === undefined || b === undefined || d === undefined || others.length + more.length > 0) return undefined;
  const m = Math.sqrt((a.numbers.length * d.numbers.length) / b.numbers.length);
  const [k, n] = [a.numbers.length / m, d.numbers.length / m];
  if (![m, n, k].every(Number.isInteger)) return undefined;
  for (const first of [index(m, k), turned(m, k)])
    for (const second of [index(k, n), turned(k, n)])
      for (const result of [index(m, n), turned(m, n)])
        if (isProduct(a.numbers, b.numbers, d.numbers, [m, n, k], first, second, result)) return undefined;
  return d.parameter;
}

type Index = (row: number, column: number) => number;
const index =
  (_rows: number, columns: number): Index =>
  (row, column) =>
    row * columns + column;
const turned =
  (rows: number, _columns: number): Index =>
  (row, column) =>
    column * rows + row;

function isProduct(
  a: readonly number[],
  b: readonly number[],
  d: readonly number[],
  [m, n, k]: readonly [number, number, number],
  first: Index,
  second: Index,
  result: Index,
): boolean {
  for (let row = 0; row < m; row++)
    for (let column = 0; column < n; column++) {
      let [sum, size] = [0, 0];
      for (let at = 0; at < k; at++) {
        const term = a[first(row, at)]! * b[second(at, column)]!;
        sum += term;
        size += Math.abs(term);
      }
      if (Math.abs(sum - d[result(row, column)]!) > FAR * size) return false;
    }
  return true;
}

/** Whether an instruction computes with floats, beyond converting them. */
const computesFloats = ({ plan, opcode }: Program["code"][number]): boolean =>
  isComputed(plan) && /\.b?f\d/.test(opcode) && !/^(cvt|mov|selp)/.test(opcode);

/** The elements of a buffer of floats, or of pairs of them. */
function numbersOf(type: string, bytes: Uint8Array | undefined): readonly number[] | undefined {
  const [, lane = type] = /^(b?f16)x2$/.exec(type) ?? [];
  const format = formatOf(lane as Parameters<typeof formatOf>[0]);
  if (format === undefined || bytes === undefined) return undefined;
  return bitsOf(bytes, lane as Parameters<typeof bitsOf>[1]).map((bits) =>
    toNumber(ofBits(format, Number(bits & 0xffff_ffffn), Number(bits >> 32n))),
  );
}
