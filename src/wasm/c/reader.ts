import { halves, TWICE, VECTOR } from "../code.ts";
import {
  accessInstructions,
  laneAccessInstructions,
  laneInstructions,
  saturatingInstructions,
  scalarInstructions,
  vectorAccessInstructions,
  vectorInstructions,
} from "../instructions.ts";

/** One instruction as `Code` wrote it. */
export type Read =
  | {
      readonly of: "get" | "set" | "tee" | "branch" | "branchIf" | "call" | "callIndirect" | "globalGet" | "globalSet";
      readonly at: number;
    }
  | { readonly of: "block" | "loop" | "if" | "else" | "end" | "fill" }
  | { readonly of: "i32"; readonly value: number }
  | { readonly of: "i64"; readonly value: bigint }
  /** Constants of floating point as their bits. */
  | { readonly of: "f32" | "f64"; readonly bits: bigint }
  | { readonly of: "scalar"; readonly name: string }
  | { readonly of: "access"; readonly name: string; readonly offset: number }
  /** Instructions on vectors; `wide`: on both halves of v256. */
  | { readonly of: "constant"; readonly words: readonly number[]; readonly wide: boolean }
  | { readonly of: "shuffle"; readonly bytes: readonly number[]; readonly wide: boolean }
  | { readonly of: "vector"; readonly name: string; readonly wide: boolean }
  | { readonly of: "lane"; readonly name: string; readonly lane: number; readonly wide: boolean }
  | {
      readonly of: "vectorAccess";
      readonly name: string;
      readonly offset: number;
      readonly apart: number;
      readonly wide: boolean;
    }
  | {
      readonly of: "laneAccess";
      readonly name: string;
      readonly offset: number;
      readonly lane: number;
      readonly wide: boolean;
    }
  | { readonly of: "half"; readonly name: keyof typeof halves };

const named = (table: Readonly<Record<string, number>>): ReadonlyMap<number, string> =>
  new Map(Object.entries(table).map(([name, opcode]) => [opcode, name]));

const [scalars, saturating, vectors, accesses] = [
  named(scalarInstructions),
  named(saturatingInstructions),
  named(vectorInstructions),
  named(accessInstructions),
];
const [vectorAccesses, laneAccesses, lanes] = [
  named(vectorAccessInstructions),
  named(laneAccessInstructions),
  named(laneInstructions),
];
const halfNames = named(halves) as ReadonlyMap<number, keyof typeof halves>;

/** What stands behind these opcodes is one number. */
const numbered = new Map([
  [0x20, "get"],
  [0x21, "set"],
  [0x22, "tee"],
  [0x0c, "branch"],
  [0x0d, "branchIf"],
  [0x10, "call"],
  [0x23, "globalGet"],
  [0x24, "globalSet"],
] as const);

const structure = new Map([
  [0x02, "block"],
  [0x03, "loop"],
  [0x04, "if"],
] as const);

/** Reads the instructions of a body that `Code` wrote, in order. */
export function* read(bytes: Uint8Array): Generator<Read, void> {
  let at = 0;
  const byte = (): number => bytes[at++]!;
  const some = (count: number): Uint8Array => {
    at += count;
    return bytes.subarray(at - count, at);
  };
  const unsigned = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const next = byte();
      value |= (next & 0x7f) << shift;
      if (next < 0x80) return value >>> 0;
    }
  };
  const signed = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const next = byte();
      value |= BigInt(next & 0x7f) << shift;
      if (next < 0x80) return BigInt.asIntN(Number(shift) + 7, value);
    }
  };
  const littleEndian = (count: number): bigint =>
    [...some(count)].reduceRight((sum, each) => (sum << 8n) | BigInt(each), 0n);
  const word = (): number => Number(BigInt.asIntN(32, littleEndian(4)));
  const onVectors = (wide: boolean): Read => {
    const opcode = unsigned();
    if (opcode === 12) return { of: "constant", wide, words: Array.from({ length: wide ? 8 : 4 }, word) };
    if (opcode === 13) return { of: "shuffle", wide, bytes: [...some(16)] };
    const half = halfNames.get(opcode);
    if (half !== undefined) return { of: "half", name: half };
    const name = vectors.get(opcode);
    if (name !== undefined) return { of: "vector", name, wide };
    const lane = lanes.get(opcode);
    if (lane !== undefined) return { of: "lane", name: lane, lane: byte(), wide };
    const [moved, movedLane] = [vectorAccesses.get(opcode), laneAccesses.get(opcode)];
    unsigned();
    const offset = unsigned();
    if (moved !== undefined) return { of: "vectorAccess", name: moved, offset, apart: wide ? unsigned() : 16, wide };
    if (movedLane !== undefined) return { of: "laneAccess", name: movedLane, offset, lane: byte(), wide };
    throw new Error(`vector instruction ${opcode}`);
  };
  const one = (opcode: number): Read => {
    const what = numbered.get(opcode as 0x20);
    if (what !== undefined) return { of: what, at: unsigned() };
    const opens = structure.get(opcode as 0x02);
    if (opens !== undefined) {
      byte();
      return { of: opens };
    }
    switch (opcode) {
      case 0x05:
        return { of: "else" };
      case 0x0b:
        return { of: "end" };
      case 0x11: {
        const type = unsigned();
        byte();
        return { of: "callIndirect", at: type };
      }
      case 0x41:
        return { of: "i32", value: Number(signed()) };
      case 0x42:
        return { of: "i64", value: signed() };
      case 0x43:
        return { of: "f32", bits: littleEndian(4) };
      case 0x44:
        return { of: "f64", bits: littleEndian(8) };
      case VECTOR:
        return onVectors(false);
      case TWICE:
        return onVectors(true);
      case 0xfc: {
        const second = unsigned();
        if (second === 11) {
          byte();
          return { of: "fill" };
        }
        return { of: "scalar", name: saturating.get(second)! };
      }
    }
    const name = scalars.get(opcode);
    if (name !== undefined) return { of: "scalar", name };
    const access = accesses.get(opcode);
    if (access === undefined) throw new Error(`instruction ${opcode}`);
    unsigned();
    return { of: "access", name: access, offset: unsigned() };
  };
  while (at < bytes.length) yield one(byte());
}
