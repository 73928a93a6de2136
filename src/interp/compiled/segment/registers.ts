import { constant32, type VectorMaker } from "../../../numeric/vector/maker.ts";
import { isWide, type Value, type Vector, type Wide } from "../../../numeric/vector/vector.ts";
import type { Constant } from "../../contract/constant.ts";
import type { RegisterKey } from "../../contract/liveness.ts";
import type { Operand, SlotOperand } from "../../contract/operand.ts";
import { type Input, Inputs } from "./inputs.ts";

/**
 * What registers hold within a segment, as vectors: what the segment has written, else the constant that the program's
 * text has, else what the bank holds at its beginning.
 */
export class SegmentRegisters {
  readonly make: VectorMaker;
  readonly inputs = new Inputs();
  /** What has been written, in order. */
  readonly written = new Map<RegisterKey, Value>();
  readonly #constants: ConstantSlots;

  /** Whether addresses may lie in a supplier's memory. */
  readonly supplied: boolean;

  constructor(make: VectorMaker, constants: ConstantSlots, supplied: boolean) {
    this.supplied = supplied;
    this.make = make;
    this.#constants = constants;
  }

  input(input: Input): Vector {
    return this.make.input(this.inputs.number(input));
  }

  /** The lanes of a predicate operand for which it holds. */
  mask({ slot, negated }: { readonly slot: number; readonly negated: boolean }): Vector {
    const held = this.get(`p${slot}`) as Vector;
    return negated ? this.make.not(held) : held;
  }

  /**
   * An operand as `width` bits: the low ones of a wider register, or all of a narrower one, zero-extended. No
   * instruction reads 64 bits of a narrower register. Undefined for vectors and 128 bits.
   */
  read(operand: Operand, width: number): Value | undefined {
    const { make } = this;
    if (operand.kind === "predicate") {
      const mask = this.mask(operand);
      return width === 1 ? mask : make.and(mask, make.all32(1));
    }
    if (operand.kind !== "slot" || operand.bits === 128 || width > 64) return undefined;
    if (operand.bank === "r") {
      const held = this.get(`r${operand.slot}`) as Vector;
      return operand.bits <= width ? held : cut(make, held, width);
    }
    const wide = this.get(`q${operand.slot}`) as Wide;
    if (width === 64) return wide;
    return width === 32 ? make.low(wide) : cut(make, make.low(wide), width);
  }

  /** Notes that an operand gets `width` bits in the lanes of `when`, extended to its own width. */
  write(
    operand: Operand | undefined,
    value: Value,
    width: number,
    extend: "sign" | "zero" | undefined,
    when?: Vector,
  ): void {
    if (operand === undefined || operand.kind === "sink") return;
    if (operand.kind === "predicate") {
      this.set(`p${operand.slot}`, value, when);
      return;
    }
    if (operand.kind !== "slot") throw new Error(`compiled code cannot write a ${operand.kind}`);
    this.set(`${operand.bank}${operand.slot}`, this.#fitted(operand, value, width, extend), when);
  }

  get(key: RegisterKey): Value {
    return this.written.get(key) ?? this.before(key);
  }

  /** What a register holds at the segment's beginning. */
  before(key: RegisterKey): Value {
    if (key === "carry") return this.input({ of: "carry" });
    const slot = Number(key.slice(1));
    if (key[0] === "p") {
      const fixed = this.#constants.p.get(slot);
      return fixed === undefined ? this.input({ of: "p", slot }) : this.make.all32(fixed === 0n ? 0 : -1);
    }
    if (key[0] === "r") {
      const fixed = this.#constants.r.get(slot);
      return fixed === undefined ? this.input({ of: "r", slot }) : this.make.all32(Number(BigInt.asIntN(32, fixed)));
    }
    const fixed = this.#constants.q.get(slot);
    if (fixed !== undefined) return [this.make.all64(fixed), this.make.all64(fixed)];
    return [this.input({ of: "q", slot, half: 0 }), this.input({ of: "q", slot, half: 1 })];
  }

  set(key: RegisterKey, value: Value, when?: Vector): void {
    this.written.set(key, when === undefined ? value : merged(this.make, when, value, this.get(key)));
  }

  #fitted(to: SlotOperand, value: Value, width: number, extend: "sign" | "zero" | undefined): Value {
    const { make } = this;
    if (to.bank === "q") {
      if (isWide(value)) return value;
      const narrow = extend === "sign" ? signed(make, value, width) : value;
      return extended(make, narrow, extend === "sign" ? "s" : "u");
    }
    if (isWide(value)) return this.#fitted(to, make.low(value), 32, undefined);
    const wide = extend === "sign" && to.bits > width ? signed(make, value, width) : value;
    return to.bits >= 32 || (to.bits >= width && extend !== "sign") ? wide : cut(make, wide, to.bits);
  }
}

/** Slots that hold constants of the program's text. */
export interface ConstantSlots {
  readonly p: ReadonlyMap<number, bigint>;
  readonly r: ReadonlyMap<number, bigint>;
  readonly q: ReadonlyMap<number, bigint>;
}

export function constantSlots(constants: readonly Constant[]): ConstantSlots {
  const slots = { p: new Map<number, bigint>(), r: new Map<number, bigint>(), q: new Map<number, bigint>() };
  for (const { bank, slot, value } of constants) if (typeof value === "bigint") slots[bank].set(slot, value);
  return slots;
}

/** `yes` in the lanes of a mask, else `no`. */
export function merged(make: VectorMaker, when: Vector, yes: Value, no: Value): Value {
  if (!isWide(yes) || !isWide(no)) return make.choose(when, yes as Vector, no as Vector);
  const [first, second] = make.widen(when);
  return [make.choose(first, yes[0], no[0]), make.choose(second, yes[1], no[1])];
}

/** The low `width` bits of 32-bit lanes. */
function cut(make: VectorMaker, value: Vector, width: number): Vector {
  const known = constant32(value);
  const mask = width >= 32 ? -1 : (1 << width) - 1;
  return known === undefined ? make.and(value, make.all32(mask)) : make.all32(known & mask);
}

/** The low `width` bits of 32-bit lanes, extended by their sign. */
function signed(make: VectorMaker, value: Vector, width: number): Vector {
  if (width >= 32) return value;
  return make.shift("i32x4.shr_s", make.shift("i32x4.shl", value, 32 - width), 32 - width);
}

/** 32-bit lanes as 64-bit ones. */
export function extended(make: VectorMaker, value: Vector, sign: "s" | "u"): Wide {
  return [make.op(`i64x2.extend_low_i32x4_${sign}`, value), make.op(`i64x2.extend_high_i32x4_${sign}`, value)];
}
