import { type PrimitiveName, primitives } from "./primitive.ts";

/** Steps on JavaScript numbers that compute an integer operation: a tree whose equal parts are one object. */
export type Steps = Operand | Literal | Step;

/**
 * What an operand holds: its bits as a number without or with sign, or whichever is cheaper; of a 64-bit one its low or
 * high word, with sign.
 */
export interface Operand {
  readonly step: "operand";
  readonly at: number;
  readonly view: "unsigned" | "signed" | "word" | "low" | "high";
  readonly most: number;
}

export interface Literal {
  readonly step: "number";
  readonly value: number;
  readonly most: number;
}

export interface Step {
  readonly step: PrimitiveName;
  readonly parts: readonly Steps[];
  /** No result is larger in magnitude. */
  readonly most: number;
  /** How many steps it takes where nothing is shared. */
  readonly size: number;
}

export const sizeOf = (x: Steps): number => ("size" in x ? x.size : 0);

/** Makes steps; equal steps are one object. */
export class StepMaker {
  readonly #made = new Map<string, Steps>();
  readonly #numbers = new Map<Steps, number>();

  operand(at: number, view: Operand["view"]): Steps {
    const most = view === "unsigned" || view === "word" ? 2 ** 32 : 2 ** 31;
    return this.#once(`operand ${view} ${at}`, () => ({ step: "operand", at, view, most }));
  }

  number(value: number): Steps {
    return this.#once(`${value}`, () => ({ step: "number", value, most: Math.abs(value) }));
  }

  /** One step; if all its operands are known numbers, the result. */
  do(step: PrimitiveName, ...parts: readonly Steps[]): Steps {
    const [run, most] = primitives[step];
    if (parts.every((part) => part.step === "number")) return this.number(run(...parts.map(({ value }) => value)) + 0);
    const [first, yes, no] = parts;
    if (step === "choose" && first?.step === "number") return (first.value !== 0 ? yes : no) as Steps;
    const key = `${step} ${parts.map((part) => this.#numbers.get(part)).join(" ")}`;
    return this.#once(key, () => ({
      step,
      parts,
      most: most(...parts.map((part) => part.most)),
      size: parts.reduce((sum, part) => sum + sizeOf(part), 1),
    }));
  }

  #once(key: string, make: () => Steps): Steps {
    const known = this.#made.get(key);
    if (known !== undefined) return known;
    const made = make();
    this.#made.set(key, made);
    this.#numbers.set(made, this.#numbers.size);
    return made;
  }
}
