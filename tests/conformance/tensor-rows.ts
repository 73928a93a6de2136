import { blockSums } from "../../src/numeric/tensor/block-sums.ts";
import { type ElementType, elementBits, integerOf, isFloatElement } from "../../src/numeric/tensor/element.ts";
import { integerSums } from "../../src/numeric/tensor/integer-sums.ts";
import { type Row, tensorReference } from "../../src/numeric/tensor/reference.ts";
import { ruleOf, type Unit } from "../../src/numeric/tensor/rules.ts";
import type { Elements, Scale, TileSpec } from "../../src/numeric/tensor/spec.ts";
import { tileOf } from "../../src/numeric/tensor/tile.ts";
import { type Sums, vectorSums } from "../../src/numeric/tensor/vector-sums.ts";
import { Code } from "../../src/wasm/code.ts";
import { compileModule, instantiate, sharedMemory } from "../../src/wasm/engine.ts";
import { ModuleWriter } from "../../src/wasm/module.ts";

/** A row of tests/data/tensor/rows.py: one row of A, one column of B, C, and what the oracle says that D is. */
export interface TensorRow {
  readonly arch: number;
  readonly unit: Unit;
  readonly A: ElementType;
  readonly B: ElementType;
  readonly C: ElementType;
  readonly D: ElementType;
  /** Elements in hexadecimal, one after the other. */
  readonly a: string;
  readonly b: string;
  readonly c: string;
  readonly d: string;
  readonly scale?: readonly [Scale["kind"], Scale["type"], Scale["block"]];
  readonly sa?: string;
  readonly sb?: string;
  readonly shape?: "m8n8k4";
  readonly rounding?: "rn" | "rz" | "rm" | "rp";
  readonly satfinite?: boolean;
  readonly bits?: "xor" | "and";
}

/** A recorded row of a GPU (`hardware-rows.jsonl.gz`): bits in hexadecimal. */
export interface HardwareRow {
  readonly gpu: string;
  readonly sm: number;
  readonly kind: Unit;
  readonly in: ElementType;
  readonly out: ElementType;
  readonly a: readonly string[];
  readonly b: readonly string[];
  readonly c: string;
  readonly d: string;
}

export function fromHardware({ sm, kind, in: type, out, a, b, c, d }: HardwareRow): TensorRow {
  const digits = Math.ceil(elementBits(type) / 4);
  const joined = (list: readonly string[]): string => list.map((bits) => bits.padStart(digits, "0")).join("");
  return { arch: sm, unit: kind, A: type, B: type, C: out, D: out, a: joined(a), b: joined(b), c, d };
}

function elements(text: string, digits: number): bigint[] {
  const count = text.length / digits;
  return Array.from({ length: count }, (_, at) => BigInt(`0x${text.slice(at * digits, (at + 1) * digits)}`));
}

/** A row as the target, the multiplication and its operands. */
export function partsOf(row: TensorRow): { readonly target: string; readonly spec: TileSpec; readonly operands: Row } {
  const { shape, rounding, satfinite, bits, scale } = row;
  const a = elements(row.a, Math.ceil(elementBits(row.A) / 4));
  const spec: TileSpec = {
    m: 1,
    n: 1,
    k: a.length,
    unit: row.unit,
    a: row.A,
    b: row.B,
    c: row.C,
    d: row.D,
    ...(shape && { shape }),
    ...(rounding && { rounding }),
    ...(satfinite !== undefined && { satfinite }),
    ...(bits && { bits }),
    ...(scale && { scale: { kind: scale[0], type: scale[1], block: scale[2] } }),
  };
  const b = elements(row.b, Math.ceil(elementBits(row.B) / 4));
  const scales = { scaleA: elements(row.sa ?? "", 2), scaleB: elements(row.sb ?? "", 2) };
  return { target: `sm_${row.arch}`, spec, operands: { a, b, c: BigInt(`0x${row.c}`), ...scales } };
}

/** What differs from the row's D, if anything: the tile's answer, or the reference's where `judge` asks for it. */
export function differing(row: TensorRow, judge: boolean): string | undefined {
  const { target, spec, operands } = partsOf(row);
  const { a, b, c, scaleA = [], scaleB = [] } = operands;
  const expected = BigInt(`0x${row.d}`);
  const d: Elements = row.D === "f64" ? new BigUint64Array(1) : new Uint32Array(1);
  const words = (list: readonly bigint[]): Elements =>
    row.A === "f64" ? BigUint64Array.from(list) : Uint32Array.from(list, Number);
  const tile = tileOf(target, spec);
  tile(packed(row.A, words(a)), packed(row.A, words(b)), words([c]), d, ...[scaleA, scaleB].map(bytes));
  const say = (who: string, got: bigint): string => `${who} 0x${got.toString(16)}: ${JSON.stringify(row)}`;
  if (BigInt(d[0]!) !== expected) return say("tile", BigInt(d[0]!));
  const sums = row.A === "f64" ? undefined : sumsOf(target, spec);
  if (sums !== undefined) {
    const rows = rowsFor(spec);
    const columns = new Uint32Array(rows * COLUMNS);
    const often = (times: number, list: ArrayLike<number | bigint>): Uint32Array =>
      Uint32Array.from({ length: times * list.length }, (_, at) => Number(list[at % list.length]));
    const [first, second] = [often(rows, packed(row.A, bytes(a))), often(COLUMNS, packed(row.A, bytes(b)))];
    const third = often(rows * COLUMNS, [c]);
    if (sums(first, second, third, columns, often(rows, scaleA), often(COLUMNS, scaleB))) {
      summed.add([row.unit, row.scale?.[0], row.A, row.D].filter(Boolean).join(" "));
      for (const got of columns) if (BigInt(got) !== expected) return say("sums of eight columns", BigInt(got));
    }
  }
  if (!judge) return undefined;
  const got = tensorReference(target, spec, operands);
  return got === expected ? undefined : say("reference", got);
}

/** The units and types whose rows were summed as compiled code does. */
export const summed = new Set<string>();

const COLUMNS = 8;
/** Vectors of four words are full of scales. */
const rowsFor = ({ scale }: TileSpec): number => (scale?.kind === "mxf4" ? 4 : 1);
const known = new Map<string, Sums | undefined>();

/** The sums of compiled code, of eight columns at once, which a tile of one column has no use for. */
function sumsOf(target: string, spec: TileSpec): Sums | undefined {
  const key = JSON.stringify([target, spec]);
  if (!known.has(key)) {
    const all = { ...spec, m: rowsFor(spec), n: COLUMNS };
    const isFloat = isFloatElement(spec.a) && spec.a !== "f64";
    known.set(
      key,
      !isFloat ? integersOf(all) : spec.scale?.kind === "mxf4" ? blockSums(all) : vectorSums(all, ruleOf(target, spec)),
    );
  }
  return known.get(key);
}

/** The same of integers, whose operands the module takes in halves of words. */
function integersOf(spec: TileSpec): Sums | undefined {
  const memory = sharedMemory(1);
  if (!integerSums.has(spec, 65536)) return undefined;
  const module = new ModuleWriter(1);
  const { index, places } = integerSums.write(module, spec);
  module.function({ takes: [], gives: ["i32"] }, new Code(0).i32(0).call(index), "sums");
  const { sums } = instantiate(compileModule(module.result()), { memory }) as { sums: () => number };
  return (a, b, c, d) => {
    const put = (at: number, list: Uint32Array, type: ElementType): void => {
      for (const [x, word] of list.entries()) new Int16Array(memory.buffer, at)[x] = integerOf(type as "s8", word);
    };
    put(places.a, a, spec.a);
    put(places.b, b, spec.b);
    new Uint32Array(memory.buffer, places.c).set(c);
    sums();
    d.set(new Uint32Array(memory.buffer, places.d, d.length));
    return true;
  };
}

const bytes = (list: readonly bigint[]): Uint32Array => Uint32Array.from(list, Number);

/** 32 elements of b1 are a word. */
function packed(type: ElementType, list: Elements): Elements {
  if (type !== "b1") return list;
  return Uint32Array.from({ length: list.length / 32 }, (_, word) =>
    Array.from({ length: 32 }, (_, at) => Number(list[word * 32 + at]!) * 2 ** at).reduce((x, y) => x + y),
  );
}
