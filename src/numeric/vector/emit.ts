import type { Code } from "../../wasm/code.ts";
import type { LaneInstruction } from "../../wasm/instructions.ts";
import type { LaneShape, Scalar, Vector, VectorFunction } from "./vector.ts";

/** Supplies the values that vectors refer to by number. */
export interface VectorSource {
  /** Writes code that pushes an input. */
  input(at: number, code: Code): void;
  /** The index of a function in the module. */
  function(of: VectorFunction): number;
}

/**
 * Writes code for vectors. A value that is used more than once is kept in a local until its last use, so all that is
 * going to be pushed is announced first, in order.
 */
export class VectorEmitter {
  readonly #code: Code;
  readonly #source: VectorSource;
  readonly #uses = new Map<Vector, number>();
  readonly #held = new Map<Vector, number>();
  readonly #free: number[];

  /** `free`: locals for vectors of the code's width that nobody uses, which emitters of one function may share. */
  constructor(code: Code, source: VectorSource, free: number[] = []) {
    this.#code = code;
    this.#source = source;
    this.#free = free;
  }

  /** Announces that `of` will be pushed once. */
  expect(of: Vector): void {
    const uses = this.#uses.get(of) ?? 0;
    this.#uses.set(of, uses + 1);
    if (uses === 0) for (const part of partsOf(of)) this.expect(part);
  }

  /** Pushes a value that was expected. */
  push(of: Vector): void {
    const code = this.#code;
    const left = (this.#uses.get(of) ?? 0) - 1;
    if (left < 0) throw new Error("a vector that nobody expected");
    this.#uses.set(of, left);
    const held = this.#held.get(of);
    if (held !== undefined) {
      code.get(held);
      if (left === 0) this.#release(of, held);
      return;
    }
    this.#compute(of);
    if (left === 0 || of.node === "constant") return;
    const local = this.local();
    this.#held.set(of, local);
    code.tee(local);
  }

  /** A local for a vector; `free` gives it back. */
  local(): number {
    return this.#free.pop() ?? this.#code.local("v128");
  }

  free(local: number): void {
    this.#free.push(local);
  }

  #release(of: Vector, local: number): void {
    this.#held.delete(of);
    this.#free.push(local);
  }

  #compute(of: Vector): void {
    const code = this.#code;
    switch (of.node) {
      case "input":
        this.#source.input(of.at, code);
        return;
      case "constant":
        // Its uses are not kept in a local.
        code.v128(of.words);
        return;
      case "op":
        for (const part of of.parts) this.push(part);
        code.vector(of.name);
        return;
      case "shift":
        this.push(of.of);
        code.i32(of.by).vector(of.name);
        return;
      case "shuffle":
        this.push(of.a);
        this.push(of.b);
        code.shuffle(of.bytes);
        return;
      case "lanes":
        this.#lanes(of);
        return;
      case "rarely":
        this.#rarely(of);
        return;
    }
  }

  #lanes({ shape, parts, run }: Vector & { node: "lanes" }): void {
    const code = this.#code;
    const locals = parts.map((part) => {
      this.push(part);
      const local = this.local();
      code.set(local);
      return local;
    });
    const { count, extract, replace } = shapes[shape];
    code.v128([0, 0, 0, 0]);
    for (let lane = 0; lane < (code.wide ? 2 * count : count); lane++) {
      this.#scalar(run, (at) => code.get(locals[at]!).lane(extract, lane));
      code.lane(replace, lane);
    }
    for (const local of locals) this.free(local);
  }

  #scalar(run: Scalar, part: (at: number) => void): void {
    const code = this.#code;
    switch (run.code) {
      case "part":
        part(run.at);
        return;
      case "i32":
        code.i32(run.value);
        return;
      case "i64":
        code.i64(run.value);
        return;
      case "f32":
        code.f32(run.value);
        return;
      case "f64":
        code.f64(run.value);
        return;
      case "op":
        for (const each of run.parts) this.#scalar(each, part);
        code.scalar(run.name);
        return;
    }
  }

  #rarely({ when, usual, instead, inputs }: Vector & { node: "rarely" }): void {
    const code = this.#code;
    // Before the branch, since values computed inside of it cannot be used after it.
    const locals = inputs.map((input) => {
      this.push(input);
      const local = this.local();
      code.set(local);
      return local;
    });
    this.push(usual);
    const result = this.local();
    code.set(result);
    this.push(when);
    code.vector("v128.any_true").if();
    for (const local of locals) code.get(local);
    code.call(this.#source.function(instead)).set(result).end();
    code.get(result);
    for (const local of [...locals, result]) this.free(local);
  }
}

/** The vectors that one is computed from. */
export function partsOf(of: Vector): readonly Vector[] {
  switch (of.node) {
    case "input":
    case "constant":
      return [];
    case "op":
    case "lanes":
      return of.parts;
    case "shift":
      return [of.of];
    case "shuffle":
      return [of.a, of.b];
    case "rarely":
      return [...of.inputs, of.usual, of.when];
  }
}

/** How many vectors are computed for some. */
export function sizeOf(all: readonly Vector[]): number {
  const seen = new Set<Vector>();
  const visit = (of: Vector): void => {
    if (seen.has(of)) return;
    seen.add(of);
    partsOf(of).forEach(visit);
  };
  all.forEach(visit);
  return seen.size;
}

const shapes: Readonly<
  Record<LaneShape, { readonly count: number; readonly extract: LaneInstruction; readonly replace: LaneInstruction }>
> = {
  i32x4: { count: 4, extract: "i32x4.extract_lane", replace: "i32x4.replace_lane" },
  i64x2: { count: 2, extract: "i64x2.extract_lane", replace: "i64x2.replace_lane" },
  f32x4: { count: 4, extract: "f32x4.extract_lane", replace: "f32x4.replace_lane" },
  f64x2: { count: 2, extract: "f64x2.extract_lane", replace: "f64x2.replace_lane" },
};
