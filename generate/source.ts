import type { PrimitiveName } from "../src/numeric/lower/primitive.ts";
import type { Operand, Step, Steps } from "../src/numeric/lower/steps.ts";

/** The text of an operand that lies in no register, by the view that is read. */
export type Given = Readonly<Record<"s" | "r" | "f" | "q" | "d" | "low" | "high", () => string>>;

/** JavaScript source of a lane: statements that come first, and the views of the warp and functions that it names. */
export class LaneSource {
  readonly statements: string[] = [];
  readonly views = new Set<string>();
  readonly imports = new Set<string>();
  /** Constants that are made once, when the loop is bound: name and text. */
  readonly bound = new Map<string, string>();
  readonly #places: readonly (string | Given)[];
  readonly #uses = new Map<Steps, number>();
  readonly #named = new Map<Steps, string>();
  readonly #conditions = new Map<Steps, string>();

  /** `places`: where the operands are, as names of their offsets in their banks, or as text that a lane has already. */
  constructor(places: readonly (string | Given)[]) {
    this.#places = places;
  }

  /** A view of the warp: `s`, `r`, `f`, `q`, `w` or `d`. */
  view(name: string): string {
    this.views.add(name);
    return name === "d" ? "doubles" : name;
  }

  /** Something that the module imports. */
  use(name: string): string {
    this.imports.add(name);
    return name;
  }

  /** Adds a statement that names a value; returns the name. */
  name(text: string): string {
    const name = `x${this.statements.length}`;
    this.statements.push(`const ${name} = ${text};`);
    return name;
  }

  /** What an operand holds, as a view of its register has it. */
  element(view: "s" | "r" | "f" | "q" | "d", at: number): string {
    const place = this.#places[at]!;
    return typeof place === "string" ? `${this.view(view)}[${place} + lane]!` : place[view]();
  }

  word(at: number, high: boolean): string {
    const place = this.#places[at]!;
    if (typeof place !== "string") return high ? place.high() : place.low();
    return `${this.view("w")}[2 * (${place} + lane)${high ? " + 1" : ""}]!`;
  }

  /** Counts the uses of each step, so that steps with several uses get a name. Call it with all steps before `text`. */
  plan(...all: readonly Steps[]): this {
    for (const x of all) {
      const uses = (this.#uses.get(x) ?? 0) + 1;
      this.#uses.set(x, uses);
      if (uses === 1 && "parts" in x) this.plan(...x.parts);
    }
    return this;
  }

  /** The text of a number. */
  text(x: Steps): string {
    if (x.step === "number") return x.value < 0 ? `(${x.value})` : `${x.value}`;
    const known = this.#named.get(x);
    if (known !== undefined) return known;
    const text = x.step === "operand" ? this.#operand(x) : this.#step(x);
    if ((this.#uses.get(x) ?? 0) < 2) return text;
    // A name is not given another one.
    const name = /^\w+$/.test(text) ? text : this.name(text);
    this.#named.set(x, name);
    return name;
  }

  /** The text of a step as a condition; for a step that is 1 or 0, the test itself. */
  condition(x: Steps): string {
    const known = this.#conditions.get(x);
    if (known !== undefined) return known;
    const asked = "parts" in x ? this.#question(x) : undefined;
    if (asked === undefined) return `${this.text(x)} !== 0`;
    if ((this.#uses.get(x) ?? 0) < 2) return asked;
    const name = this.name(asked);
    this.#conditions.set(x, name);
    return name;
  }

  #question(x: Step): string | undefined {
    if (x.step in relations) return this.#relation(x);
    const bit = bitOf(x);
    if (bit !== undefined) return `(${this.text(bit.of)} & ${bit.mask}) !== 0`;
    if (x.step !== "choose" || !x.parts.every((part) => part.step in relations)) return undefined;
    const [when, yes, no] = x.parts.map((part) => this.condition(part));
    return `(${when} ? ${yes} : ${no})`;
  }

  #relation({ step, parts: [a, b] }: Step): string {
    return `${this.text(a as Steps)} ${relations[step as keyof typeof relations]} ${this.text(b as Steps)}`;
  }

  #operand({ at, view }: Operand): string {
    switch (view) {
      case "unsigned":
        return this.element("r", at);
      case "signed":
      case "word":
        return this.element("s", at);
      case "low":
        return this.word(at, false);
      case "high":
        return this.word(at, true);
    }
  }

  #step(x: Step): string {
    if (x.step in relations) return `(${this.#relation(x)} ? 1 : 0)`;
    if (x.step === "choose") {
      const [when, yes, no] = x.parts as readonly [Steps, Steps, Steps];
      return `(${this.condition(when)} ? ${this.text(yes)} : ${this.text(no)})`;
    }
    const parts = x.parts.map((part) => this.text(part));
    const [a, b = ""] = parts;
    const symbol = operators[x.step];
    if (symbol !== undefined) return b === "" ? `(${symbol}${a})` : `(${a} ${symbol} ${b})`;
    switch (x.step) {
      case "signed":
        return `(${a} | 0)`;
      case "unsigned":
        return `(${a} >>> 0)`;
      case "scale":
        return `(${a} * ${power(b)})`;
      case "floor":
        return `Math.floor(${a} / ${power(b)})`;
      case "div":
        return `Math.trunc(${a} / ${b})`;
      default:
        return `${calls[x.step] ?? this.use(x.step)}(${parts.join(", ")})`;
    }
  }
}

/** The bit of a word that a step extracts: testing it needs a mask, but no shift. */
function bitOf({ step, parts: [shifted, one] }: Step): { readonly of: Steps; readonly mask: number } | undefined {
  if (step !== "and" || one?.step !== "number" || one.value !== 1 || shifted?.step !== "shr") return undefined;
  const [of, by] = shifted.parts;
  return of !== undefined && by?.step === "number" ? { of, mask: 1 << by.value } : undefined;
}

const power = (by: string): string => (/^\d+$/.test(by) ? `${2 ** Number(by)}` : `2 ** ${by}`);

const relations = { lt: "<", le: "<=", eq: "===", ne: "!==" } as const;

const operators: Partial<Record<PrimitiveName, string>> = {
  negate: "-", add: "+", sub: "-", mul: "*", rem: "%", not: "~", and: "&", or: "|", xor: "^", shl: "<<", sar: ">>",
  shr: ">>>",
}; // biome-ignore format: by kind

const calls: Partial<Record<PrimitiveName, string>> = {
  abs: "Math.abs", min: "Math.min", max: "Math.max", imul: "Math.imul", clz: "Math.clz32",
}; // biome-ignore format: by kind
