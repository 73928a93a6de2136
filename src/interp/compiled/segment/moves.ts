import type { VectorMaker } from "../../../numeric/vector/maker.ts";
import type { Vector, Wide } from "../../../numeric/vector/vector.ts";
import { elements, type Operand, type SlotOperand } from "../../contract/operand.ts";
import type { SegmentRegisters } from "./registers.ts";
import type { Write } from "./write.ts";

type Operands = readonly (Operand | undefined)[];
type Lowering = (operands: Operands, registers: SegmentRegisters) => readonly Write[] | undefined;

/** A register as 32-bit words, the lowest first; `_` has none. */
interface Row {
  readonly words: readonly Vector[];
  readonly bits: number;
}

/** `d, a`: the same bits, of registers or of vectors of one length; one of another width keeps the low bits. */
export const moved: Lowering = ([d, a], registers) => {
  const from = elements(a);
  return joined(
    elements(d).map((operand, at) => spread([operand], [from[at]!], widthOf(operand), widthOf(from[at]!), registers)),
  );
};

/** `d, {a, b, ...}`: the first element takes the low bits. */
export const packed: Lowering = ([d, a], registers) => {
  const from = elements(a);
  const bits = widthOf(elements(d)[0]!);
  return spread(elements(d), from, bits, bits / from.length, registers);
};

/** `{d, e, ...}, a`. */
export const unpacked: Lowering = ([d, a], registers) => {
  const to = elements(d);
  const bits = widthOf(elements(a)[0]!);
  return spread(to, elements(a), bits / to.length, bits, registers);
};

/** 32-bit words, low and high ones, as 64-bit lanes. */
export const wideOf = (make: VectorMaker, low: Vector, high: Vector): Wide => [
  make.pick(low, high, 0, 4, 1, 5),
  make.pick(low, high, 2, 6, 3, 7),
];

const widthOf = (operand: Operand): number => (operand.kind === "slot" ? operand.bits : 0);

const joined = (lists: readonly (readonly Write[] | undefined)[]): readonly Write[] | undefined => {
  const all: Write[] = [];
  for (const list of lists) {
    if (list === undefined) return undefined;
    all.push(...list);
  }
  return all;
};

/** Source registers, read as one row of bits with `source` of each, spread over the targets, `each` bits for one. */
function spread(
  to: readonly Operand[],
  from: readonly Operand[],
  each: number,
  source: number,
  registers: SegmentRegisters,
): readonly Write[] | undefined {
  const { make } = registers;
  const rows: Row[] = [];
  for (const operand of from) {
    const words = wordsOf(operand, registers);
    if (words === undefined) return undefined;
    rows.push({ words, bits: source });
  }
  return joined(
    to.map((operand, index) => {
      if (operand.kind === "sink") return [];
      if (operand.kind !== "slot") return undefined;
      const word = (at: number): Vector => {
        const most = operand.bank === "r" ? Math.min(operand.bits, 32) : 32;
        return slice(rows, index * each + 32 * at, Math.max(0, Math.min(most, each - 32 * at)), make);
      };
      if (operand.bank === "r") return [{ to: operand, value: word(0), width: operand.bits }];
      return Array.from({ length: operand.bits === 128 ? 2 : 1 }, (_, at): Write => {
        const half: SlotOperand = { ...operand, bits: 64, slot: operand.slot + at };
        return { to: half, value: wideOf(make, word(2 * at), word(2 * at + 1)), width: 64 };
      });
    }),
  );
}

function wordsOf(operand: Operand, registers: SegmentRegisters): readonly Vector[] | undefined {
  const { make } = registers;
  if (operand.kind === "sink") return [];
  if (operand.kind !== "slot") return undefined;
  if (operand.bank === "r") return [registers.read(operand, 32) as Vector];
  return Array.from({ length: operand.bits === 128 ? 2 : 1 }, (_, at) => {
    const wide = registers.read({ ...operand, bits: 64, slot: operand.slot + at }, 64) as Wide;
    return [make.low(wide), make.high(wide)];
  }).flat();
}

/** Up to 32 bits of a row of registers, from bit `start` on, with zeros above. */
function slice(rows: readonly Row[], start: number, bits: number, make: VectorMaker): Vector {
  let all: Vector | undefined;
  let before = 0;
  for (const row of rows) {
    const high = Math.min(start + bits, before + row.bits);
    for (let bit = Math.max(start, before); bit < high && row.words.length > 0; ) {
      const [from, to] = [bit - before, bit - start];
      const take = Math.min(high - bit, 32 - (from & 31), 32 - to);
      const word = make.shift("i32x4.shr_u", row.words[from >> 5]!, from & 31);
      const cut = take + (from & 31) === 32 ? word : make.and(word, make.all32((1 << take) - 1));
      const part = make.shift("i32x4.shl", cut, to);
      all = all === undefined ? part : make.or(all, part);
      bit += take;
    }
    before += row.bits;
  }
  return all ?? make.all32(0);
}
