import { Device, must } from "../../src/index.ts";
import { type Fragment, placeOf } from "../../src/interp/contract/matrix/fragment.ts";
import { fragmentsOf } from "../../src/interp/contract/matrix/matrix-fragments.ts";
import type { MatrixOperation } from "../../src/numeric/operation/matrix.ts";
import { newestVersion, showVersion } from "../../src/resolve/module/header/target.ts";

/** The matrices of one multiply, row by row, several matrices one after the other; bits of each element. */
export interface Matrices {
  readonly a: readonly bigint[];
  readonly b: readonly bigint[];
  readonly c: readonly bigint[];
  readonly metadata?: readonly bigint[];
  readonly scaleA?: readonly bigint[];
  readonly scaleB?: readonly bigint[];
}

/** An instruction, what it is, and for whom. */
export interface MatrixCase {
  readonly opcode: string;
  readonly op: MatrixOperation;
  readonly target: string;
  readonly version?: string;
  /** Selector of a sparse A, and `{byte-id, thread-id}` of the scales. */
  readonly selector?: number;
  readonly idsA?: readonly [number, number];
  readonly idsB?: readonly [number, number];
}

/** Where in a register the element lies: those of 4 and 6 bits may have padding around them (PTX ISA, mma). */
function shiftOf(op: MatrixOperation, role: string, { bits }: Fragment): bigint {
  const type = role === "a" || role === "b" ? op[role] : "f32";
  return op.contained && bits === 8 && type === "e2m1" ? 2n : 0n;
}

/** Registers of each lane, `register * 32 + lane`. */
function registersFrom(fragment: Fragment, matrix: readonly bigint[], shift: bigint): bigint[] {
  const { rows, columns, bits, count } = fragment;
  const width = bits === 64 ? 64 : 32;
  const each = width / bits;
  const made = Array.from({ length: 32 * Math.ceil(count / each) }, () => 0n);
  for (let lane = 0; lane < 32; lane++)
    for (let i = 0; i < count; i++) {
      const { row, column, matrix: which } = placeOf(fragment, lane, i);
      const value = matrix[(which * rows + row) * columns + column] ?? 0n;
      const at = Math.floor(i / each) * 32 + lane;
      made[at] = (made[at] ?? 0n) | (value << (BigInt(i % each) * BigInt(bits) + shift));
    }
  return made;
}

/** Back from registers to the matrix. */
function matrixFrom(fragment: Fragment, registers: readonly bigint[]): bigint[] {
  const { rows, columns, bits, count, matrices } = fragment;
  const each = (bits === 64 ? 64 : 32) / bits;
  const made = Array.from({ length: rows * columns * (matrices?.count ?? 1) }, () => 0n);
  for (let lane = 0; lane < 32; lane++)
    for (let i = 0; i < count; i++) {
      const { row, column, matrix } = placeOf(fragment, lane, i);
      const word = registers[Math.floor(i / each) * 32 + lane] ?? 0n;
      made[(matrix * rows + row) * columns + column] = BigInt.asUintN(bits, word >> BigInt((i % each) * bits));
    }
  return made;
}

/** Data of scales or metadata: the threads that the selector names hold it, the others hold garbage. */
function selectedFrom(
  fragment: Fragment,
  matrix: readonly bigint[],
  first: number,
  threads: number,
  byte: number,
): bigint[] {
  return Array.from({ length: 32 }, (_, lane) => {
    const holder = (lane % 4) - first;
    if (holder < 0 || holder >= threads) return 0xdead_beefn;
    let word = 0n;
    for (let i = 0; i < fragment.count; i++) {
      const { row, column } = placeOf(fragment, lane - first, i);
      word |= (matrix[row * fragment.columns + column] ?? 0n) << BigInt(8 * byte + i * fragment.bits);
    }
    return word;
  });
}

const vector = (name: string, count: number): string =>
  `{${Array.from({ length: count }, (_, at) => `${name}${at}`).join(", ")}}`;

/** Runs the instruction once for each of `all`, a warp each, and gives the D of each. */
export function multiplied(
  { opcode, op, target, version = showVersion(newestVersion), selector = 0, idsA = [0, 0], idsB = [0, 0] }: MatrixCase,
  all: readonly Matrices[],
): bigint[][] {
  const layout = fragmentsOf(op);
  const wide = op.a === "f64";
  const size = wide ? 8 : 4;
  const inputs = all.map(({ a, b, c, metadata = [], scaleA = [], scaleB = [] }) => [
    ...registersFrom(layout.a, a, shiftOf(op, "a", layout.a)),
    ...registersFrom(layout.b, b, shiftOf(op, "b", layout.b)),
    ...registersFrom(layout.c, c, 0n),
    ...(layout.metadata
      ? selectedFrom(
          layout.metadata,
          metadata,
          selector * (layout.metadata.holders?.threads ?? 4),
          layout.metadata.holders?.threads ?? 4,
          0,
        )
      : []),
    ...(layout.scaleA ? selectedFrom(layout.scaleA, scaleA, 2 * idsA[1], 2, idsA[0]) : []),
    ...(layout.scaleB ? selectedFrom(layout.scaleB, scaleB, idsB[1], 1, idsB[0]) : []),
  ]);
  const registers = (fragment: Fragment): number => (fragment.count * fragment.bits) / (8 * size);
  const [na, nb, nc, nd] = [layout.a, layout.b, layout.c, layout.d].map(registers) as [number, number, number, number];
  const names = [
    ...Array.from({ length: na }, (_, at) => `a${at}`),
    ...Array.from({ length: nb }, (_, at) => `b${at}`),
    ...Array.from({ length: nc }, (_, at) => `c${at}`),
    ...(op.sparse ? ["e"] : []),
    ...(op.scale ? ["sa", "sb"] : []),
  ];
  const extra = [
    ...(op.sparse ? ["e", `${selector}`] : []),
    ...(op.scale ? ["sa", `{${idsA.join(", ")}}`, "sb", `{${idsB.join(", ")}}`] : []),
  ];
  const type = wide ? "b64" : "b32";
  const text = `.version ${version}
.target ${target}
.address_size 64
.visible .entry k(.param .u64 in, .param .u64 out) {
  .reg .${type} a<${na + 1}>, b<${nb + 1}>, c<${nc + 1}>, d<${nd + 1}>, e, sa, sb;
  .reg .b32 lane, block, at; .reg .b64 from, to, wide;
  mov.u32 lane, %tid.x; mov.u32 block, %ctaid.x;
  ld.param.u64 from, [in]; mad.lo.u32 at, block, ${names.length * 32}, lane; mad.wide.u32 from, at, ${size}, from;
  ld.param.u64 to, [out]; mad.lo.u32 at, block, ${nd * 32}, lane; mad.wide.u32 to, at, ${size}, to;
${names.map((name, at) => `  ld.global.${type} ${name}, [from+${at * 32 * size}];`).join("\n")}
  ${opcode} ${[vector("d", nd), vector("a", na), vector("b", nb), vector("c", nc), ...extra].join(", ")};
${Array.from({ length: nd }, (_, at) => `  st.global.${type} [to+${at * 32 * size}], d${at};`).join("\n")}
  ret;
}
`;
  const device = new Device();
  const loaded = must(device.module({ name: "multiply.ptx", text }));
  const flat = inputs.flat();
  const given = device.buffer(wide ? BigUint64Array.from(flat) : Uint32Array.from(flat, Number));
  const count = all.length * nd * 32;
  const out = device.buffer(wide ? new BigUint64Array(count) : new Uint32Array(count));
  const session = must(
    must(loaded.kernel("k")).launch({ grid: [all.length, 1, 1], block: [32, 1, 1], args: [given, out] }),
  );
  if (session.stop.reason !== "exit" || session.findings.length > 0)
    throw new Error(`${opcode}: ${JSON.stringify(session.stop)} ${session.findings.map(({ code }) => code).join()}`);
  const bytes = out.read();
  const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  const words = wide ? [...new BigUint64Array(buffer)] : Array.from(new Uint32Array(buffer), BigInt);
  return all.map((_, at) => matrixFrom(layout.d, words.slice(at * nd * 32, (at + 1) * nd * 32)));
}
