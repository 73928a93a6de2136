import { Bytes } from "./bytes.ts";
import {
  type AccessInstruction,
  accessInstructions,
  type LaneAccessInstruction,
  type LaneInstruction,
  laneAccessInstructions,
  laneInstructions,
  type SaturatingInstruction,
  type ScalarInstruction,
  saturatingInstructions,
  scalarInstructions,
  type VectorAccessInstruction,
  type VectorInstruction,
  vectorAccessInstructions,
  vectorInstructions,
} from "./instructions.ts";

/** Types of values, as the binary format writes them; v256 is two v128 side by side, which only modules that become C have. */
export const valueTypes = { i32: 0x7f, i64: 0x7e, f32: 0x7d, f64: 0x7c, v128: 0x7b, v256: 0x7a } as const;
export type ValueType = keyof typeof valueTypes;

/** Prefixes of instructions on v128, and of the same on both halves of v256. */
export const VECTOR = 0xfd;
export const TWICE = 0xfe;

/** Instructions between v128 and v256, behind `TWICE`. */
export const halves = { join: 512, low: 513, high: 514 } as const;

const EMPTY = 0x40;

/**
 * The body of one function, written instruction by instruction. Locals are numbered from the parameters on; `local` makes
 * one more. Labels are counted outward from the innermost block, as the format has them.
 */
export class Code {
  readonly #bytes = new Bytes();
  readonly #parameters: number;
  readonly #locals: ValueType[] = [];
  /** Sets locals to constants before the body begins: engines that compute each use anew do so in loops, too. */
  readonly #prologue = new Bytes();
  readonly #constants = new Map<string, number>();
  /** Whether instructions on vectors do both halves of v256 until this changes: no engine takes that, a C compiler does (`c/`). */
  wide = false;

  constructor(parameters: number) {
    this.#parameters = parameters;
  }

  /** A new local; one for a vector is as wide as vectors are now. */
  local(type: Exclude<ValueType, "v256">): number {
    this.#locals.push(type === "v128" && this.wide ? "v256" : type);
    return this.#parameters + this.#locals.length - 1;
  }

  get(local: number): this {
    this.#bytes.byte(0x20).unsigned(local);
    return this;
  }

  set(local: number): this {
    this.#bytes.byte(0x21).unsigned(local);
    return this;
  }

  tee(local: number): this {
    this.#bytes.byte(0x22).unsigned(local);
    return this;
  }

  i32(value: number): this {
    this.#bytes.byte(0x41).signed(value);
    return this;
  }

  i64(value: bigint): this {
    this.#bytes.byte(0x42).signed64(value);
    return this;
  }

  f64(value: number): this {
    this.#bytes.byte(0x44).bytes(new Uint8Array(new Float64Array([value]).buffer));
    return this;
  }

  f32(value: number): this {
    this.#bytes.byte(0x43).bytes(new Uint8Array(new Float32Array([value]).buffer));
    return this;
  }

  /** A v128 of four words, the first lowest; of a v256 eight, or four that both halves have. */
  v128(words: readonly number[]): this {
    if (this.wide) {
      this.#vector(12);
      for (const word of words.length === 8 ? words : [...words, ...words]) writeWord(this.#bytes, word);
      return this;
    }
    const [first] = words;
    if ((first === 0 || first === -1) && words.every((word) => word === first)) {
      writeConstant(this.#bytes, words);
      return this;
    }
    const key = words.join();
    let local = this.#constants.get(key);
    if (local === undefined) {
      local = this.local("v128");
      this.#constants.set(key, local);
      writeConstant(this.#prologue, words);
      this.#prologue.byte(0x21).unsigned(local);
    }
    return this.get(local);
  }

  scalar(name: ScalarInstruction | SaturatingInstruction): this {
    if (name in scalarInstructions) this.#bytes.byte(scalarInstructions[name as ScalarInstruction]);
    else this.#bytes.byte(0xfc).unsigned(saturatingInstructions[name as SaturatingInstruction]);
    return this;
  }

  vector(name: VectorInstruction): this {
    this.#vector(vectorInstructions[name]);
    return this;
  }

  /** One lane of a vector, out of it or into it. */
  lane(name: LaneInstruction, lane: number): this {
    this.#vector(laneInstructions[name]).byte(lane);
    return this;
  }

  /** Sixteen bytes of two v128, by number: the second's begin at 16. */
  shuffle(bytes: readonly number[]): this {
    this.#vector(13).bytes(bytes);
    return this;
  }

  /** Makes a v256 of two v128, the low half first on the stack. */
  join(): this {
    this.#bytes.byte(TWICE).unsigned(halves.join);
    return this;
  }

  /** A half of a v256. */
  half(which: "low" | "high"): this {
    this.#bytes.byte(TWICE).unsigned(halves[which]);
    return this;
  }

  /** Four words of two v128, by number: the second's begin at 4. */
  shuffleWords(words: readonly number[]): this {
    return this.shuffle(words.flatMap((word) => [0, 1, 2, 3].map((byte) => 4 * word + byte)));
  }

  /**
   * A load or store at the address on the stack plus `offset`; no alignment is promised. What the high half of a v256 has lies
   * `apart` bytes behind what the low one has.
   */
  access(name: AccessInstruction | VectorAccessInstruction, offset = 0, apart = 16): this {
    if (name in accessInstructions) {
      this.#bytes
        .byte(accessInstructions[name as AccessInstruction])
        .unsigned(0)
        .unsigned(offset);
      return this;
    }
    this.#vector(vectorAccessInstructions[name as VectorAccessInstruction])
      .unsigned(0)
      .unsigned(offset);
    if (this.wide) this.#bytes.unsigned(apart);
    return this;
  }

  /** The same of one lane. */
  laneAccess(name: LaneAccessInstruction, lane: number, offset = 0): this {
    this.#vector(laneAccessInstructions[name]).unsigned(0).unsigned(offset).byte(lane);
    return this;
  }

  block(): this {
    return this.#open(0x02);
  }

  loop(): this {
    return this.#open(0x03);
  }

  /** Where the i32 on the stack is not 0. */
  if(): this {
    return this.#open(0x04);
  }

  else(): this {
    this.#bytes.byte(0x05);
    return this;
  }

  end(): this {
    this.#bytes.byte(0x0b);
    return this;
  }

  branch(label: number): this {
    this.#bytes.byte(0x0c).unsigned(label);
    return this;
  }

  branchIf(label: number): this {
    this.#bytes.byte(0x0d).unsigned(label);
    return this;
  }

  /** Calls a function by its index in the module, imported ones first. */
  call(index: number): this {
    this.#bytes.byte(0x10).unsigned(index);
    return this;
  }

  /** Calls the function of table 0 whose index is the i32 on the stack; `type` is the index of its type. */
  callIndirect(type: number): this {
    this.#bytes.byte(0x11).unsigned(type).byte(0);
    return this;
  }

  /** Fills bytes of memory; the stack has the address, the value of each byte, and their number. */
  fill(): this {
    this.#bytes.byte(0xfc).unsigned(11).byte(0);
    return this;
  }

  globalGet(index: number): this {
    this.#bytes.byte(0x23).unsigned(index);
    return this;
  }

  globalSet(index: number): this {
    this.#bytes.byte(0x24).unsigned(index);
    return this;
  }

  /** The types of the locals behind the parameters, and the instructions. */
  get body(): { readonly locals: readonly ValueType[]; readonly bytes: Uint8Array } {
    return { locals: this.#locals, bytes: new Bytes().append(this.#prologue).append(this.#bytes).result() };
  }

  /** Writes the body in the form of the code section. */
  write(into: Bytes): void {
    const body = new Bytes();
    const groups: [ValueType, number][] = [];
    for (const type of this.#locals) {
      const last = groups.at(-1);
      if (last?.[0] === type) last[1]++;
      else groups.push([type, 1]);
    }
    body.unsigned(groups.length);
    for (const [type, count] of groups) body.unsigned(count).byte(valueTypes[type]);
    body.append(this.#prologue).append(this.#bytes).byte(0x0b);
    into.unsigned(body.length).append(body);
  }

  #vector(opcode: number): Bytes {
    return this.#bytes.byte(this.wide ? TWICE : VECTOR).unsigned(opcode);
  }

  #open(opcode: number): this {
    this.#bytes.byte(opcode).byte(EMPTY);
    return this;
  }
}

/** `v128.const`. */
function writeConstant(into: Bytes, words: readonly number[]): void {
  into.byte(VECTOR).unsigned(12);
  for (const word of words) writeWord(into, word);
}

const writeWord = (into: Bytes, word: number): Bytes =>
  into
    .byte(word & 0xff)
    .byte((word >>> 8) & 0xff)
    .byte((word >>> 16) & 0xff)
    .byte(word >>> 24);
