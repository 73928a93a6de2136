import type * as ast from "../../parser/ast.ts";
import type { Span } from "../../source/source.ts";
import type { Symbol as Named, RegisterRange, RegisterSymbol } from "./scope.ts";

/** The names of one block, inside the names of the block around it. */
export class BlockNames {
  outer: BlockNames | undefined;
  readonly #anywhere: boolean;
  readonly #names = new Map<string, Named>();
  readonly #ranges = new Map<string, MadeRange>();
  /** The range that a name was last found in, which the next is often in, too. */
  #last: MadeRange | undefined;
  /** Numbers of single registers by stem (`%r` of `%r5`), to find a later `%r<10>` that includes them. */
  readonly #numbered = new Map<string, number[]>();

  /** With `anywhere`, names are visible everywhere in the block: the inferred names of a snippet. */
  constructor(outer?: BlockNames, { anywhere = false } = {}) {
    this.outer = outer;
    this.#anywhere = anywhere;
  }

  /** Puts names around an outermost block: those of registers that its body does not declare. */
  surround(outer: BlockNames): void {
    if (this.outer !== undefined) throw new Error("a block has one block around it");
    this.outer = outer;
  }

  /** Enters a symbol under a name; returns the span of the earlier symbol if this block has one of that name. */
  declare(symbol: Named, name = symbol.name): Span | undefined {
    const known = this.#names.get(name) ?? (symbol.kind === "label" ? undefined : this.#member(name));
    if (known) return known.span;
    this.#names.set(name, symbol);
    const parts = split(name);
    if (symbol.kind !== "register" || parts === undefined) return undefined;
    const numbers = this.#numbered.get(parts.stem);
    if (numbers) numbers.push(parts.number);
    else this.#numbered.set(parts.stem, [parts.number]);
    return undefined;
  }

  /** Enters a range; returns the span of an earlier symbol that has one of its names. */
  declareRange(range: RegisterRange): Span | undefined {
    const known = this.#ranges.get(range.stem);
    if (known) return known.range.span;
    const taken = this.#numbered.get(range.stem)?.find((number) => number < range.count);
    if (taken !== undefined) return this.#names.get(`${range.stem}${taken}`)?.span ?? range.span;
    this.#ranges.set(range.stem, { range, made: [] });
    return undefined;
  }

  /** Finds a name from here outwards, at a place in the text: labels anywhere in their block, all else once declared. */
  find(name: string, at: number): Named | undefined {
    let block: BlockNames | undefined = this;
    for (; block; block = block.outer) {
      const symbol = block.#names.get(name);
      if (symbol && (block.#anywhere || isPlace(symbol) || symbol.span.start < at)) return symbol;
      const member = block.#member(name);
      if (member && member.span.start < at) return member;
    }
    return undefined;
  }

  /** What this block itself declares under a name, wherever in it. */
  own(name: string): Named | undefined {
    return this.#names.get(name) ?? this.#member(name);
  }

  /** Visible names, from here outwards; of a range only its first and last register. */
  *names(kind: Named["kind"]): Iterable<string> {
    let block: BlockNames | undefined = this;
    for (; block; block = block.outer) {
      for (const [name, symbol] of block.#names) if (symbol.kind === kind) yield name;
      if (kind !== "register") continue;
      for (const { range } of block.#ranges.values()) {
        if (range.count > 0) yield `${range.stem}0`;
        if (range.count > 1) yield `${range.stem}${range.count - 1}`;
      }
    }
  }

  /** The range that `name` would belong to, so that a message can say where the range ends. */
  rangeOf(name: string): RegisterRange | undefined {
    const parts = split(name);
    if (parts === undefined) return undefined;
    let block: BlockNames | undefined = this;
    for (; block; block = block.outer) {
      const known = block.#ranges.get(parts.stem);
      if (known) return known.range;
    }
    return undefined;
  }

  /** `%r05` is `%r5` (measured): the digits at the end are a number. */
  #member(name: string): RegisterSymbol | undefined {
    if (this.#ranges.size === 0) return undefined;
    const cut = stemEnd(name);
    if (cut === 0 || cut === name.length) return undefined;
    const known = this.#rangeFor(name, cut);
    if (known === undefined) return undefined;
    const number = numberFrom(name, cut);
    const { range, made } = known;
    if (number >= range.count) return undefined;
    let symbol = made[number];
    if (symbol === undefined) {
      const { type, elements, span, stem } = range;
      const plain = name.charCodeAt(cut) !== ZERO || cut + 1 === name.length;
      const shown = plain ? name : `${stem}${number}`;
      symbol = { kind: "register", name: shown, type, elements, span, allotted: undefined, allottedIn: undefined };
      made[number] = symbol;
    }
    return symbol;
  }

  #rangeFor(name: string, cut: number): MadeRange | undefined {
    const last = this.#last;
    if (last !== undefined && last.range.stem.length === cut && name.startsWith(last.range.stem)) return last;
    const found = this.#ranges.get(name.slice(0, cut));
    if (found !== undefined) this.#last = found;
    return found;
  }
}

/** A range, and its registers that were requested, by their numbers. */
interface MadeRange {
  readonly range: RegisterRange;
  readonly made: (RegisterSymbol | undefined)[];
}

/** Labels may be used before they are defined. */
const isPlace = ({ kind }: Named): boolean => kind === "label" || kind === "list" || kind === "prototype";

/** `%r05` is stem `%r` and number 5. */
function split(name: string): { stem: string; number: number } | undefined {
  const cut = stemEnd(name);
  if (cut === 0 || cut === name.length) return undefined;
  return { stem: name.slice(0, cut), number: numberFrom(name, cut) };
}

/** Where the digits at the end of a name begin. */
function stemEnd(name: string): number {
  let cut = name.length;
  while (cut > 0 && isDigit(name.charCodeAt(cut - 1))) cut--;
  return cut;
}

const ZERO = 48;

/** The number in the digits from `cut` on. */
function numberFrom(name: string, cut: number): number {
  let number = 0;
  for (let at = cut; at < name.length; at++) number = number * 10 + name.charCodeAt(at) - ZERO;
  return number;
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57;

/** A statement's own span, without the rest of the node. */
export const spanOf = ({ start, end }: Span): Span => ({ start, end });

/** The symbol of a label, by the statement that it precedes. */
export function labelSymbol({ name }: ast.Label, next: ast.Statement | undefined): Named {
  const kind =
    next?.kind === "branchtargets" || next?.kind === "calltargets"
      ? "list"
      : next?.kind === "callprototype"
        ? "prototype"
        : "label";
  return { kind, name: name.text, span: spanOf(name) };
}
