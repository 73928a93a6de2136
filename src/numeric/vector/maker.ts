import type { LaneShape, PureInstruction, Scalar, ShiftInstruction, Vector, VectorFunction, Wide } from "./vector.ts";

/** Makes vectors; equal vectors are one object. */
export class VectorMaker {
  readonly #made = new Map<string, Vector>();
  readonly #numbers = new Map<Vector, number>();
  readonly #functions = new Map<string, VectorFunction>();
  /** `relaxed_madd` may be used: the engine rounds it once (`wasm/fused.ts`). */
  readonly fused: boolean;

  constructor({ fused = false }: { readonly fused?: boolean } = {}) {
    this.fused = fused;
  }

  input(at: number): Vector {
    return this.#once(`input ${at}`, () => ({ node: "input", at }));
  }

  /** The same 32 bits in all four lanes. */
  all32(value: number): Vector {
    const word = value | 0;
    return this.words(word, word, word, word);
  }

  /** The same 64 bits in both lanes. */
  all64(value: bigint): Vector {
    const low = Number(BigInt.asIntN(32, value));
    const high = Number(BigInt.asIntN(32, value >> 32n));
    return this.words(low, high, low, high);
  }

  words(a: number, b: number, c: number, d: number): Vector {
    return this.#once(`words ${a} ${b} ${c} ${d}`, () => ({ node: "constant", words: [a, b, c, d] }));
  }

  op(name: PureInstruction, ...parts: readonly Vector[]): Vector {
    return this.#once(`${name} ${this.#list(parts)}`, () => ({ node: "op", name, parts }));
  }

  /** All lanes by the same number of bits, which is below the lane's width. */
  shift(name: ShiftInstruction, of: Vector, by: number): Vector {
    if (by === 0) return of;
    return this.#once(`${name} ${this.#number(of)} ${by}`, () => ({ node: "shift", name, of, by }));
  }

  shuffle(a: Vector, b: Vector, bytes: readonly number[]): Vector {
    return this.#once(`shuffle ${this.#list([a, b])} ${bytes.join()}`, () => ({ node: "shuffle", a, b, bytes }));
  }

  /** Four words of two values, by number: the second's begin at 4. */
  pick(a: Vector, b: Vector, ...words: readonly [number, number, number, number]): Vector {
    return this.shuffle(
      a,
      b,
      words.flatMap((word) => [4 * word, 4 * word + 1, 4 * word + 2, 4 * word + 3]),
    );
  }

  lanes(shape: LaneShape, run: Scalar, ...parts: readonly Vector[]): Vector {
    const key = `${shape} ${this.#list(parts)} ${textOf(run)}`;
    return this.#once(key, () => ({ node: "lanes", shape, parts, run }));
  }

  rarely(when: Vector, usual: Vector, instead: VectorFunction, ...inputs: readonly Vector[]): Vector {
    const key = `rarely ${instead.name} ${this.#list([when, usual, ...inputs])}`;
    return this.#once(key, () => ({ node: "rarely", when, usual, instead, inputs }));
  }

  /** A function for `rarely`, whose result is made on first use. */
  function(name: string, takes: number, gives: () => Vector): VectorFunction {
    const known = this.#functions.get(name);
    if (known !== undefined) return known;
    let made: Vector | undefined;
    const fresh: VectorFunction = {
      name,
      takes,
      get gives() {
        made ??= gives();
        return made;
      },
    };
    this.#functions.set(name, fresh);
    return fresh;
  }

  // Frequent combinations.

  and(a: Vector, b: Vector): Vector {
    return this.op("v128.and", a, b);
  }

  or(a: Vector, b: Vector): Vector {
    return this.op("v128.or", a, b);
  }

  xor(a: Vector, b: Vector): Vector {
    return this.op("v128.xor", a, b);
  }

  not(a: Vector): Vector {
    return this.op("v128.not", a);
  }

  /** Bits of `yes` where `when` has a 1, else of `no`. */
  choose(when: Vector, yes: Vector, no: Vector): Vector {
    const [all, always, never] = [when, yes, no].map(constant32);
    if (yes === no || all === -1) return yes;
    if (all === 0) return no;
    if (always === -1) return never === 0 ? when : this.or(when, no);
    if (always === 0) return never === -1 ? this.not(when) : this.op("v128.andnot", no, when);
    if (never === 0) return this.and(when, yes);
    return this.op("v128.bitselect", yes, no, when);
  }

  /** A mask of four 32-bit lanes as two of two 64-bit lanes. */
  widen(mask: Vector): Wide {
    return [this.pick(mask, mask, 0, 0, 1, 1), this.pick(mask, mask, 2, 2, 3, 3)];
  }

  /** The low words of 64-bit lanes. */
  low([first, second]: Wide): Vector {
    return this.pick(first, second, 0, 2, 4, 6);
  }

  /** The high words of 64-bit lanes. Masks of 64-bit lanes become one of 32-bit lanes either way. */
  high([first, second]: Wide): Vector {
    return this.pick(first, second, 1, 3, 5, 7);
  }

  #list(parts: readonly Vector[]): string {
    return parts.map((part) => this.#number(part)).join(" ");
  }

  #number(of: Vector): number {
    const known = this.#numbers.get(of);
    if (known === undefined) throw new Error("a vector of another maker");
    return known;
  }

  #once(key: string, make: () => Vector): Vector {
    const known = this.#made.get(key);
    if (known !== undefined) return known;
    const made = make();
    this.#made.set(key, made);
    this.#numbers.set(made, this.#numbers.size);
    return made;
  }
}

function textOf(run: Scalar): string {
  if (run.code === "part") return `$${run.at}`;
  if (run.code === "op") return `(${run.name} ${run.parts.map(textOf).join(" ")})`;
  return `${run.code}:${Object.is(run.value, -0) ? "-0" : run.value}`;
}

/** The 32 bits that all four lanes have where that is known, as a signed number. */
export function constant32(of: Vector): number | undefined {
  if (of.node !== "constant") return undefined;
  const [a, b, c, d] = of.words;
  return a === b && a === c && a === d ? a : undefined;
}
