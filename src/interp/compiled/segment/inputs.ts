/** The inputs of a segment's vectors; `Vector` refers to them by number. */
export type Input =
  /** Four lanes of a slot of bank r. */
  | { readonly of: "r"; readonly slot: number }
  /** Two lanes of a slot of bank q: the chunk's first two, or its last two. */
  | { readonly of: "q"; readonly slot: number; readonly half: 0 | 1 }
  /** A predicate, as a mask of four lanes. */
  | { readonly of: "p"; readonly slot: number }
  /** CC.CF. */
  | { readonly of: "carry" }
  /** The lanes that execute, as a mask; and the word with a bit for each, in all lanes. */
  | { readonly of: "active" }
  | { readonly of: "lanes" }
  /** A word of the state, the same in all lanes. */
  | { readonly of: "state"; readonly offset: number }
  /** Where the local memory of each lane lies. */
  | { readonly of: "local" }
  /** While accesses are checked: the first byte of a group's range, and how far behind it an access may begin. */
  | { readonly of: "start" | "limit"; readonly group: number }
  /** What a load of the segment has read: a vector of an access, both by number. */
  | { readonly of: "loaded"; readonly access: number; readonly vector: number };

/** Numbers inputs; equal ones share a number. */
export class Inputs {
  readonly #known = new Map<string, number>();
  readonly #inputs: Input[] = [];

  number(input: Input): number {
    const key = keyOf(input);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const number = this.#inputs.push(input) - 1;
    this.#known.set(key, number);
    return number;
  }

  at(number: number): Input {
    const found = this.#inputs[number];
    if (found === undefined) throw new Error(`there is no input ${number}`);
    return found;
  }
}

function keyOf(input: Input): string {
  switch (input.of) {
    case "r":
    case "p":
      return `${input.of}${input.slot}`;
    case "q":
      return `q${input.slot}.${input.half}`;
    case "state":
      return `state ${input.offset}`;
    case "start":
    case "limit":
      return `${input.of} ${input.group}`;
    case "loaded":
      return `loaded ${input.access}.${input.vector}`;
    case "carry":
    case "active":
    case "lanes":
    case "local":
      return input.of;
  }
}
