import fc from "fast-check";

/**
 * A command as data. What it names (registers, places, threads, positions) is a number that is taken modulo what there is
 * when it is carried out, so that a sequence stays one when parts of it are left out.
 */
export type Command =
  | { readonly kind: "line"; readonly text: string }
  | { readonly kind: "goto"; readonly to: number }
  | { readonly kind: "place"; readonly word: "break" | "tbreak" | "until"; readonly pc: number; readonly when: boolean }
  | { readonly kind: "focus"; readonly thread: number }
  | { readonly kind: "about"; readonly word: "last-write" | "watch" | "print" | "display"; readonly what: number }
  | { readonly kind: "set"; readonly what: number; readonly value: bigint }
  | { readonly kind: "inject"; readonly what: number; readonly value: number }
  /** The next command is interrupted when it has asked so often whether it should be. */
  | { readonly kind: "interrupted"; readonly after: number; readonly text: string };

const index = fc.nat({ max: 1_000_000 });
const few = fc.oneof(
  { weight: 3, arbitrary: fc.constant(1) },
  { weight: 1, arbitrary: fc.integer({ min: 2, max: 40 }) },
);

const moves = ["step", "next", "finish", "reverse-step", "reverse-next"] as const;
const plain = [
  "continue", "continue", "reverse-continue", "reverse-finish", "run", "restart", "continue 2",
  "catch fault", "catch nan", "catch divergence", "catch barrier", "delete", "disable", "enable", "ignore 1 2",
  "info regs", "info warps", "info threads", "info barriers", "info break", "info changes", "info buffers", "where", "list", "explain",
  "undisplay", "dump regs", "print $step", "print no_such_name", "goto 0",
] as const; // biome-ignore format: a list of words

const move = fc.tuple(fc.constantFrom(...moves), few);

export const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 5, arbitrary: move.map(([word, n]) => ({ kind: "line" as const, text: n === 1 ? word : `${word} ${n}` })) },
  { weight: 5, arbitrary: fc.constantFrom(...plain).map((text) => ({ kind: "line" as const, text })) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("goto" as const), to: index }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("place" as const), word: fc.constantFrom("break", "tbreak", "until"), pc: index, when: fc.boolean() }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("focus" as const), thread: index }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant("about" as const), word: fc.constantFrom("last-write", "last-write", "watch", "print", "display"), what: index }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("set" as const), what: index, value: fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("inject" as const), what: index, value: fc.nat({ max: 5 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("interrupted" as const), after: fc.nat({ max: 6 }), text: fc.constantFrom("continue", "reverse-continue", "reverse-step 30", "step 500", "goto 0", "goto 5000") }),
  },
); // biome-ignore format: a table
