import { Device, must } from "../../src/host/index.ts";
import { type Fragment, placeOf } from "../../src/interp/contract/matrix/fragment.ts";
import { fragmentsOf } from "../../src/interp/contract/matrix/matrix-fragments.ts";
import type { Executor } from "../../src/interp/state/executor.ts";
import type { HardwareRow } from "./tensor-rows.ts";

/** The mma of a recorded row's types and length; wgmma has none. */
export function spellingOf({ sm, in: type, out, a }: HardwareRow): string {
  if (sm === 70) return `mma.sync.aligned.m8n8k4.row.col.${out}.f16.f16.${out}`;
  return `mma.sync.aligned.m16n8k${a.length}.row.col.${out}.${type}.${type}.${out}`;
}

const text = (operand: string, count: number): string =>
  `{${Array.from({ length: count }, (_, at) => `${operand}${at}`)}}`;
const registers = ({ bits, count }: Fragment): number => (bits * count) / 32;

/** How many rows one mma takes: they lie on the diagonal of D. */
export const AT_ONCE = 8;

/** What D is on the diagonal, for up to eight rows of one target, type and length, through parser, resolver and machine. */
export function throughPtx(rows: readonly HardwareRow[], executor: Executor): string[] {
  const [one] = rows;
  if (one === undefined) return [];
  const spelling = spellingOf(one);
  const counts = /m8n8k4/.test(spelling) ? [one.out === "f16" ? 4 : 8, 2, 2, one.out === "f16" ? 4 : 8] : undefined;
  const kernel = kernelOf(spelling, one, counts);
  const session = must(kernel.session({ block: 32, sanitize: { mem: false, init: false }, executor }));
  const plan = session.program.code.find(({ plan }) => plan.shape === "multiply")?.plan;
  if (plan?.shape !== "multiply") throw new Error(`${spelling} multiplies nothing`);
  const layout = fragmentsOf(plan.op);
  const element = (list: readonly string[] | undefined, k: number): bigint => BigInt(`0x${list?.[k] ?? "0"}`);
  const values = {
    a: (row: number, column: number) => element(rows[row]?.a, column),
    b: (row: number, column: number) => element(rows[column]?.b, row),
    c: (row: number, column: number) => (row === column ? element(rows[row] && [rows[row].c], 0) : 0n),
  };
  for (let lane = 0; lane < 32; lane++)
    for (const role of ["a", "b", "c"] as const) {
      const fragment = layout[role];
      const words = new Array<bigint>(registers(fragment)).fill(0n);
      for (let i = 0; i < fragment.count; i++) {
        const { row, column, matrix } = placeOf(fragment, lane, i);
        if (matrix !== 0) continue;
        const at = Math.floor((i * fragment.bits) / 32);
        words[at]! |= values[role](row, column) << BigInt((i * fragment.bits) % 32);
      }
      for (const [at, word] of words.entries())
        session.writeRegister({ block: 0, warp: 0, lane }, `${role}${at}`, [word]);
    }
  if (session.run().reason !== "exit") throw new Error(`${spelling} did not end`);
  const found: string[] = [];
  for (let lane = 0; lane < 32; lane++) {
    const own = session.registers({ block: 0, warp: 0, lane });
    for (let i = 0; i < layout.d.count; i++) {
      const { row, column, matrix } = placeOf(layout.d, lane, i);
      if (row !== column || matrix !== 0 || row >= rows.length) continue;
      const word = own.find(({ name }) => name === `d${Math.floor((i * layout.d.bits) / 32)}`)!.bits[0]!;
      found[row] = BigInt.asUintN(layout.d.bits, word >> BigInt((i * layout.d.bits) % 32)).toString(16);
    }
  }
  return found;
}

const kernels = new Map<string, ReturnType<typeof newKernel>>();

function kernelOf(spelling: string, { sm }: HardwareRow, counts: readonly number[] | undefined) {
  const key = `${sm} ${spelling}`;
  const made = kernels.get(key) ?? newKernel(spelling, sm, counts);
  kernels.set(key, made);
  return made;
}

function newKernel(spelling: string, sm: number, counts: readonly number[] | undefined) {
  const [d, a, b, c] = counts ?? countsOf(spelling);
  const operands = `${text("d", d!)}, ${text("a", a!)}, ${text("b", b!)}, ${text("c", c!)}`;
  return must(new Device().snippet(`${spelling} ${operands};`, { target: `sm_${sm}` }));
}

/** Registers of D, A, B and C of an m16n8 shape. */
function countsOf(spelling: string): readonly number[] {
  const [, k, out, type] = /m16n8k(\d+)\.row\.col\.(\w+)\.(\w+)/.exec(spelling)!;
  const bits = type === "tf32" ? 32 : type!.startsWith("e") ? 8 : 16;
  const sums = out === "f16" ? 2 : 4;
  return [sums, (16 * Number(k) * bits) / 1024, (8 * Number(k) * bits) / 1024, sums];
}
