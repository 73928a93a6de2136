import type { Code } from "../../../../src/source/codes/index.ts";
import type { Span } from "../../../../src/source/source.ts";
import type * as ast from "../ast.ts";
import { bytesOfType } from "../type.ts";
import { firstSurface, firstVariable, predefinedNumber, predefinedSurfaceNumber } from "./codes.ts";
import { bytesOfState } from "./read-operand.ts";

/** Something that objects cannot hold; thrown within a statement, caught around it. */
export class Unwritable {
  readonly code: Code;
  readonly message: string;
  readonly span: Span;
  readonly expected: string | undefined;
  constructor(code: Code, message: string, span: Span, expected?: string) {
    this.code = code;
    this.message = message;
    this.span = span;
    this.expected = expected;
  }
}

/** The meaning of a name: its number among those of its kind, and sizes in bytes. */
export interface Declared {
  readonly kind: "variable" | ast.FlagDeclaration["kind"];
  readonly number: number;
  readonly elementBytes: number;
  readonly size: number;
}

/** The most of each kind; predicates and addresses have 12 bits, samplers and surfaces 8. */
const most: Readonly<Record<Declared["kind"], number>> = {
  variable: 65536,
  address: 4096,
  predicate: 4095,
  sampler: 255,
  surface: 249,
};

const first: Readonly<Record<Declared["kind"], number>> = {
  variable: firstVariable,
  address: 0,
  predicate: 1,
  sampler: 0,
  surface: firstSurface,
};

/** The names of one kernel, numbered as they are declared; an inner scope may hide those of an outer one. */
export class NumberedNames {
  readonly #scopes: Map<string, Declared>[] = [new Map()];
  readonly #counts = new Map<Declared["kind"], number>();
  readonly #labels: ReadonlyMap<string, number>;

  constructor(labels: ReadonlyMap<string, number>) {
    this.#labels = labels;
  }

  enter(): void {
    this.#scopes.push(new Map());
  }

  leave(): void {
    this.#scopes.pop();
  }

  declare(declaration: ast.Declaration): void {
    const { kind, name, elements } = declaration;
    const at = this.#counts.get(kind) ?? 0;
    if (at >= most[kind])
      throw new Unwritable("PTX8521", `an object has no more than ${most[kind]} of kind ${kind}`, name.span);
    const scope = this.#scopes.at(-1);
    if (scope?.has(name.text)) throw new Unwritable("PTX8101", `${name.text} is declared twice`, name.span);
    const elementBytes = kind === "variable" ? bytesOfType(declaration.type) : bytesOfState;
    scope?.set(name.text, { kind, number: first[kind] + at, elementBytes, size: elements * elementBytes });
    this.#counts.set(kind, at + 1);
  }

  /** The meaning of a name; throws when it is none of `kinds`. */
  find({ text, span }: ast.Name, ...kinds: Declared["kind"][]): Declared {
    const declared = this.#scopes.findLast((scope) => scope.has(text))?.get(text) ?? predefined(text);
    if (declared === undefined) throw new Unwritable("PTX8102", `${text} is not declared`, span);
    if (!kinds.includes(declared.kind))
      throw new Unwritable("PTX8103", `${text} is of kind ${declared.kind}`, span, kinds.join(" or "));
    return declared;
  }

  label({ text, span }: ast.Name): number {
    const number = this.#labels.get(text);
    if (number === undefined) throw new Unwritable("PTX8102", `there is no label ${text}`, span);
    return number;
  }
}

function predefined(name: string): Declared | undefined {
  const number = predefinedNumber(name);
  if (number !== undefined) return { kind: "variable", number, elementBytes: 4, size: 4 };
  const surface = predefinedSurfaceNumber(name);
  return surface === undefined ? undefined : { kind: "surface", number: surface, elementBytes: 4, size: 4 };
}
