/**
 * The manual's notation, read at compile time and at run time.
 *
 * `add{.rnd}{.ftz}{.sat}.f16x2 d, a, b`: dotted words in braces are optional, `{.xorsign.abs}` are both present or both
 * absent. Operands: `d|p` is a pair, `p{|q}` a pair whose second may be missing, `a{, b}` an operand that may be
 * missing, `{!}c` may be negated, `[a]` is an address, `[a{, b}, c]` one with more behind its comma, `(a)` a list of a
 * call. `a{.asel}` may carry a word of its own
 * and `{-}a` a minus sign (PTX ISA, Video): both choose the operation as modifiers do, as `asel` and `-a`.
 */

/** One dotted position of a mnemonic: fixed (`.f16x2`), optional (`{.ftz}`) or one of several (`.type`). */
export interface Modifier {
  readonly name: string;
  readonly optional: boolean;
  readonly choices: readonly string[];
  /** True when the word itself is the choice, so that its value is a boolean. */
  readonly flag: boolean;
  /** Modifiers with the same number are all present or all absent. */
  readonly group?: number;
}

/** One operand as the grammar sees it: `d`, `d|p`, `p{|q}`. */
export interface Slot {
  readonly name: string;
  readonly optional: boolean;
  readonly second?: { readonly name: string; readonly optional: boolean };
  /** What stands behind it within its brackets: each is an operand of its own. */
  readonly inside?: readonly Slot[];
  /** The word after the operand, which selects part of it. */
  readonly selector?: Selector;
  /** A minus sign before a register belongs to the operation. */
  readonly minus?: true;
}

/** `asel` of `a{.asel}`. */
export interface Selector {
  readonly name: string;
  readonly choices: ReadonlySet<string>;
}

/** The words that each placeholder of a syntax line stands for: `{ rnd: ["rn", "rz"] }`. */
export type Sets = Readonly<Record<string, readonly string[]>>;

type Replace<S extends string, From extends string, To extends string> = S extends `${infer A}${From}${infer B}`
  ? Replace<`${A}${To}${B}`, From, To>
  : S;
type Split<S extends string, D extends string> = S extends `${infer A}${D}${infer B}`
  ? Exclude<A, ""> | Split<B, D>
  : Exclude<S, "">;
type Head<S extends string> = S extends `${infer M} ${string}` ? M : S;
type Tail<S extends string> = S extends `${string} ${infer T}` ? T : "";

type OptionalWords<S extends string> = S extends `${string}{.${infer M}}${infer Rest}`
  ? Split<M, "."> | OptionalWords<Rest>
  : never;
type Required<S extends string> = S extends `${infer A}{.${string}}${infer B}` ? Required<`${A}${B}`> : S;
type RequiredWords<S extends string> = Required<S> extends `${string}.${infer M}` ? Split<M, "."> : never;

/** A name without its sign and its selector; never empty. */
type Plain<S extends string> = S extends "" | "-" | `.${string}`
  ? never
  : S extends `-${infer A}`
    ? Plain<A>
    : S extends `${infer A}.${string}`
      ? A
      : S;
type Selectors<S extends string> = S extends `${string}{.${infer M}}${infer Rest}` ? M | Selectors<Rest> : never;
type Signed<S extends string> = S extends `${string}-${infer A}`
  ? Plain<A extends `${infer N},${string}` ? N : A> | Signed<A>
  : never;

type Bare<S extends string> = Replace<
  Replace<
    Replace<
      Replace<Replace<Replace<Replace<Replace<Replace<S, "{", "">, "}", "">, "[", "">, "]", "">, "(", "">, ")", "">,
      "!",
      ""
    >,
    " ",
    ""
  >,
  "|",
  ","
>;
type OptionalOperands<S extends string> = S extends `${string}{${infer G}}${infer Rest}`
  ? Plain<Split<Bare<G>, ",">> | OptionalOperands<Rest>
  : never;

/** Every modifier position of a syntax line. */
export type ModifierNames<S extends string> = OptionalWords<Head<S>> | RequiredWords<Head<S>>;
/** Every selector after an operand. */
export type SelectorNames<S extends string> = Selectors<Tail<S>>;

/** The possible values of a syntax line's modifiers: `{.rnd}` with a set, `{.ftz}` as a flag, `.type` with a set. */
export type ModifiersOf<S extends string, W extends Sets> = {
  readonly [M in OptionalWords<Head<S>>]: M extends keyof W ? W[M][number] | undefined : boolean;
} & { readonly [M in RequiredWords<Head<S>> & keyof W]: W[M][number] } & {
  readonly [M in Selectors<Tail<S>> & keyof W]?: W[M][number] | undefined;
} & { readonly [N in Signed<Bare<Tail<S>>> as `-${N}`]?: boolean };

/** The words that `with:` of a check may pick. */
export type ModifierWords<S extends string, W extends Sets> = {
  [M in ModifierNames<S>]: M extends keyof W ? W[M][number] : M;
}[ModifierNames<S>];

/** Every operand of a syntax line, and those that may be missing. */
export type OperandNames<S extends string> = Plain<Split<Bare<Tail<S>>, ",">>;
export type OptionalOperandNames<S extends string> = OptionalOperands<Tail<S>>;

/** The word that a syntax line begins with; "" when it begins with something else. */
export const mnemonicOf = (line: string): string => /^\w+/.exec(line)?.[0] ?? "";

/** Reads a syntax line. A line that breaks the notation is a mistake in the table, so it throws. */
export function parseSyntax(
  line: string,
  where: Sets,
): { mnemonic: string; modifiers: readonly Modifier[]; slots: readonly Slot[] } {
  const space = line.indexOf(" ");
  const head = space < 0 ? line : line.slice(0, space);
  const dotted = /(\{(?:\.[\w:]+)+\})|\.([\w:]+)/g;
  const mnemonic = mnemonicOf(line);
  const modifiers: Modifier[] = [];
  let read = mnemonic.length;
  for (const [text, optional, fixed] of head.matchAll(dotted)) {
    read += text.length;
    const names = optional === undefined ? [fixed ?? ""] : optional.slice(2, -1).split(".");
    for (const name of names) {
      const choices = where[name] ?? [name];
      const modifier = { name, optional: optional !== undefined, choices, flag: where[name] === undefined };
      modifiers.push(names.length > 1 ? { ...modifier, group: modifiers.length - names.indexOf(name) } : modifier);
    }
  }
  if (read !== head.length || mnemonic === "") throw new Error(`${line}: not the manual's notation`);
  return { mnemonic, modifiers, slots: space < 0 ? [] : parseSlots(line.slice(space + 1), where) };
}

function parseSlots(text: string, where: Sets): Slot[] {
  const slots: Slot[] = [];
  // `{!}` says nothing here: whether an operand may be negated is a matter of its class.
  // Within brackets a comma is written as a semicolon, so that one pass sees which operands stand there.
  const marked = text.replace(/\[([^\]]*)\]/g, (_, within: string) => within.replaceAll(",", ";"));
  for (const [, opening, separator, minus, first, selector, bar, second] of marked
    .replaceAll(/[()\s]|\{!\}/g, "")
    .matchAll(/(\{)?([,;])?(\{-\})?(\w+)(?:\{\.(\w+)\})?(?:(\{?\|)(\w+)\}?)?\}?/g)) {
    const slot: Slot = {
      name: first ?? "",
      optional: opening !== undefined,
      ...(second === undefined ? {} : { second: { name: second, optional: bar === "{|" } }),
      ...(selector === undefined
        ? {}
        : { selector: { name: selector, choices: setOf(where[selector] ?? [selector]) } }),
      ...(minus === undefined ? {} : { minus: true }),
    };
    const around = separator === ";" ? slots.pop() : undefined;
    slots.push(around === undefined ? slot : { ...around, inside: [...(around.inside ?? []), slot] });
  }
  return slots;
}

/** One set for all lines that share a list: the four-way selectors are 4096 words. */
const sets = new WeakMap<readonly string[], ReadonlySet<string>>();
function setOf(words: readonly string[]): ReadonlySet<string> {
  const known = sets.get(words) ?? new Set(words);
  sets.set(words, known);
  return known;
}
