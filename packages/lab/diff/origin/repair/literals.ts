/** A constant in a text, and its position. */
export interface Literal {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The numbers in the operands of an instruction, including those of addresses. */
export function literalsIn(text: string): readonly Literal[] {
  return [...text.matchAll(/(?<![\w$%.])-?\d\w*/g)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    text: match[0],
  }));
}

type Kind = "integer" | "single" | "double";
const kindOf = (text: string): Kind => (/^0[fF]/.test(text) ? "single" : /^0[dD]/.test(text) ? "double" : "integer");

/** Constants of one kind that are tried in place of another. */
const MOST_TRIED = 200;
/** Shifts, positions and counts. */
const small: readonly string[] = Array.from({ length: 65 }, (_, value) => String(value));

/** The constants of two programs: one is changed, the other suggests the intended values. */
export class Literals {
  readonly #ofOther = new Map<Kind, Set<string>>();
  readonly #all = new Map<Kind, Set<string>>();
  /** Integers that a compiler may have made of those of the other program, or the other way round. */
  readonly #derived = new Set<string>();

  constructor(own: Iterable<string>, other: Iterable<string>) {
    for (const text of other) {
      for (const { text: literal } of literalsIn(text)) {
        add(this.#ofOther, literal);
        add(this.#all, literal);
      }
    }
    for (const text of own) for (const { text: literal } of literalsIn(text)) add(this.#all, literal);
    for (const literal of this.#ofOther.get("integer") ?? [])
      for (const each of derivedFrom(sizeOf(literal))) this.#derived.add(String(each));
  }

  /**
   * How unlikely a constant is: 0 where the other program has it, too, 0.5 where it may derive from one that it has.
   */
  strangeness(literal: string): 0 | 0.5 | 1 {
    if (this.#ofOther.get(kindOf(literal))?.has(literal)) return 0;
    return this.#derived.has(literal) ? 0.5 : 1;
  }

  /** Possible replacements of a constant, with their tier. */
  *insteadOf(literal: string): Generator<readonly [string, 0 | 1 | 2]> {
    const kind = kindOf(literal);
    const known = this.strangeness(literal) === 0;
    const tried = new Set([literal]);
    let left = MOST_TRIED;
    const fresh = function* (list: Iterable<string>, tier: 0 | 1 | 2): Generator<readonly [string, 0 | 1 | 2]> {
      for (const each of list) {
        if (tried.has(each) || left-- <= 0) continue;
        tried.add(each);
        yield [each, tier];
      }
    };
    yield* fresh(this.#ofOther.get(kind) ?? [], known ? 1 : 0);
    yield* fresh(nearby(literal, kind), 1);
    yield* fresh(this.#all.get(kind) ?? [], known ? 2 : 1);
    if (kind !== "integer") return;
    yield* fresh(this.#derived, known ? 2 : 1);
    yield* fresh(small, 2);
  }
}

function add(to: Map<Kind, Set<string>>, literal: string): void {
  const kind = kindOf(literal);
  const known = to.get(kind);
  if (known === undefined) to.set(kind, new Set([literal]));
  else known.add(literal);
}

/** The absolute value of an integer; 0 for any other text. */
function sizeOf(literal: string): bigint {
  const digits = literal.replace("-", "").replace(/U$/, "");
  return /^(0[xX][\da-fA-F]+|0[bB][01]+|\d+)$/.test(digits) ? BigInt(digits) : 0n;
}

function derivedFrom(value: bigint): readonly bigint[] {
  const derived = [value, -value, value - 1n, value + 1n, value << 2n, value << 3n, value >> 2n, value >> 3n];
  if (value > 0n && value < 64n) derived.push(1n << value, 32n - value, 64n - value);
  if (value > 0n && (value & (value - 1n)) === 0n) derived.push(BigInt(value.toString(2).length - 1));
  return derived;
}

function nearby(literal: string, kind: Kind): readonly string[] {
  if (kind === "integer") {
    const size = sizeOf(literal);
    const value = literal.startsWith("-") ? -size : size;
    return [value - 1n, value + 1n, -value, value >> 1n, value << 1n, 0n, 1n].map(String);
  }
  const bits = sizeOf(`0x${literal.slice(2)}`);
  const width = kind === "single" ? 8 : 16;
  const sign = 1n << BigInt(4 * width - 1);
  return [bits - 1n, bits + 1n, bits ^ sign].map(
    (each) =>
      literal.slice(0, 2) +
      BigInt.asUintN(4 * width, each)
        .toString(16)
        .toUpperCase()
        .padStart(width, "0"),
  );
}
