import { elements, type Operand } from "../../../../src/interp/contract/operand.ts";

/** Positions of reads in a trace, ascending. */
export type Reads = readonly number[];

export const none: Reads = [];

export const union = (...all: readonly Reads[]): Reads => {
  const [first = none, ...others] = all.filter((each) => each.length > 0);
  return others.length === 0 ? first : [...new Set([first, ...others].flat())].sort((a, b) => a - b);
};

/** The reads that the registers of a thread, its carry flag and its private memory depend on (PTX ISA 8.10.4). */
export class Taints {
  readonly #of: Map<string, Reads>;

  constructor(of: ReadonlyMap<string, Reads> = new Map()) {
    this.#of = new Map(of);
  }

  copy(): Taints {
    return new Taints(this.#of);
  }

  get(key: string): Reads {
    return this.#of.get(key) ?? none;
  }

  set(key: string, reads: Reads): void {
    if (reads.length === 0) this.#of.delete(key);
    else this.#of.set(key, reads);
  }

  /** The dependences of everything that an operand reads; for an address, its registers. */
  of(operand: Operand | undefined): Reads {
    return operand === undefined ? none : union(...keysOf(operand).map((key) => this.get(key)));
  }
}

/** The registers of an operand. */
export function keysOf(operand: Operand): readonly string[] {
  switch (operand.kind) {
    case "slot":
      return [`${operand.bank}${operand.slot}`];
    case "predicate":
      return [`p${operand.slot}`];
    case "vector":
      return elements(operand).flatMap(keysOf);
    case "address":
      return [...(operand.base ? keysOf(operand.base) : []), ...(operand.index ? keysOf(operand.index.of) : [])];
    case "target":
    case "sink":
      return [];
  }
}
