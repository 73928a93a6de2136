import type { Channels, ElementAccess } from "../../../../src/interp/contract/launch/channels.ts";
import type { SlotOperand } from "../../../../src/interp/contract/operand.ts";
import type { Inner, Plan } from "../../../../src/interp/contract/plan/plan.ts";
import { argument, operation, rounded } from "../../../../src/numeric/operation/build.ts";
import type * as ast from "../ast.ts";
import { typeName } from "../isa/calculate.ts";
import type { Product } from "../isa/define.ts";
import { DEPTH } from "../isa/matrix.ts";
import { bytesOfType } from "../type.ts";
import type { Platform } from "./platform.ts";
import type { Storage } from "./storage.ts";
import type { Symbols } from "./symbols.ts";

/** Where an operand begins, and the type of its elements. */
interface Registers {
  readonly base: SlotOperand;
  readonly offset: number;
  readonly type: ast.Type;
}

/** Turns products of matrices into plans: a channel has a column of src0, src1 and dst, and all have src2. */
export class Products {
  readonly #platform: Platform;
  readonly #storage: Storage;
  readonly #symbols: Symbols;

  constructor(platform: Platform, storage: Storage, symbols: Symbols) {
    this.#platform = platform;
    this.#storage = storage;
    this.#symbols = symbols;
  }

  /** Undefined where the elements are of a format that the manual does not define. */
  plan({ operands }: ast.Instruction, product: Product, channels: Channels): Plan | undefined {
    const [dst, src0, src1, src2] = operands.map((each) => this.#registers(each));
    const { repeat, perStep, bits, step } = product;
    if (step === undefined || src1 === undefined || src2 === undefined) return undefined;
    const [bitsB, bitsA] = bits;
    const loads = new Map<string, ElementAccess>();
    const dword = (name: string, from: Registers, offset: number, columnStride: number): SlotOperand => {
      const slot = loads.get(name)?.slot ?? this.#storage.scratch(16 + loads.size, 32);
      loads.set(name, access(from, slot, 32, offset, columnStride, channels));
      return slot;
    };
    const inner: Inner[] = [];
    const stores: ElementAccess[] = [];
    for (let row = 0; row < repeat; row++) {
      const sum = this.#storage.scratch(112 + row, 32);
      const narrow = this.#storage.scratch(120 + row, 16);
      /** A row of src0 or dst: its elements lie in a row, those of 16 bits too. */
      const ofRow = (from: Registers): ElementAccess => {
        const bytes = bytesOfType(from.type);
        return access(
          from,
          bytes === 2 ? narrow : sum,
          bytes === 2 ? 16 : 32,
          row * bytes * channels.count,
          bytes,
          channels,
        );
      };
      let before: SlotOperand = this.#storage.value(32, 0n);
      if (src0 !== undefined) {
        const start = ofRow(src0);
        loads.set(`src0 ${row}`, start);
        before = sum;
        if (start.slot !== sum) inner.push(converted(sum, start.slot, src0.type, "f"));
      }
      for (let depth = 0; depth < DEPTH; depth++) {
        const lowB = depth * perStep * bitsB;
        const lowA = (row * DEPTH + depth) * perStep * bitsA;
        const [register, word] = [Math.floor(lowB / 32), Math.floor(lowA / 32)];
        const b = dword(`src1 ${register}`, src1, register * this.#platform.grf, 4);
        const a = dword(`src2 ${word}`, src2, 4 * word, 0);
        inner.push({ plan: { shape: "compute", op: step(lowB % 32, lowA % 32) }, operands: [sum, before, b, a] });
        before = sum;
      }
      if (dst === undefined) continue;
      const end = ofRow(dst);
      stores.push(end);
      if (end.slot !== sum) inner.push(converted(end.slot, sum, "f", dst.type));
    }
    return { shape: "channels", channels, loads: [...loads.values()], inner, stores };
  }

  /** Undefined for %null. */
  #registers(operand: ast.Operand): Registers | undefined {
    if (operand.kind !== "raw" && operand.kind !== "matrix") return undefined;
    const found = this.#symbols.find(operand.variable.text);
    if (found?.kind !== "variable" || found.isNull) return undefined;
    const { type, root, offset } = found;
    const within =
      operand.kind === "raw" ? operand.offset : operand.row * this.#platform.grf + operand.column * bytesOfType(type);
    return { base: this.#storage.address(root, offset), offset: within, type };
  }
}

const access = (
  { base, offset }: Registers,
  slot: SlotOperand,
  bits: 16 | 32,
  behind: number,
  columnStride: number,
  { count }: Channels,
): ElementAccess => ({
  slot,
  cell: { bits, signed: false },
  base,
  offset: offset + behind,
  width: count,
  rowStride: 0,
  columnStride,
});

const converted = (to: SlotOperand, from: SlotOperand, type: ast.Type, into: ast.Type): Inner => {
  const name = typeName(into);
  const format = name as "visa.f" | "visa.hf" | "visa.bf";
  return {
    plan: { shape: "compute", op: operation({ a: typeName(type) }, name, rounded(format, {}, argument("a"))) },
    operands: [to, from],
  };
};
