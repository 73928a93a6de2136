import type { Operand } from "../../interp/contract/operand.ts";
import type { Plan } from "../../interp/contract/plan/plan.ts";
import type { OperandClass } from "../../isa/form/operands.ts";
import type { Scope } from "../declaration/scope.ts";

/**
 * How one operand of the program is rebuilt; `at` counts from the first item of the instruction's operands in its
 * body's stream (src/parser/plain).
 */
export type Place =
  /** A register, or the opposite of a predicate. */
  | { readonly how: "register" | "opposite"; readonly at: number }
  /** A number, and the class that turns it into bits. */
  | { readonly how: "number"; readonly at: number; readonly wanted: OperandClass }
  /** A number where a predicate stands. */
  | { readonly how: "truth"; readonly at: number; readonly wanted: OperandClass & { kind: "predicate" } }
  /** `[r+4]` of a register, and `[x+4]` of a variable. */
  | { readonly how: "based"; readonly at: number }
  | {
      readonly how: "placed";
      readonly at: number;
      readonly wanted: OperandClass & { kind: "address" };
      /** How many bytes from there have to lie in the variable. */
      readonly bytes: number;
    }
  /** A special register, or the address of a variable. */
  | { readonly how: "value"; readonly at: number; readonly wanted: OperandClass & { kind: "register" } }
  | { readonly how: "label"; readonly at: number }
  | { readonly how: "vector"; readonly items: readonly Place[] }
  /** An operand that does not depend on the words: `_`, or nothing. */
  | { readonly how: "fixed"; readonly operand: Operand | undefined };

/** The result for an instruction of a certain spelling, with operands of certain kinds. */
export interface Recipe {
  readonly plan: Plan;
  readonly opcode: string;
  readonly places: readonly Place[];
}

/**
 * A trie over the kinds of an instruction's operands: a leaf is a recipe, or null where the instruction has to be
 * resolved each time.
 */
export class Kinds {
  recipe: Recipe | null | undefined;
  #next: Map<number, Kinds> | undefined;
  /** The last step from here, which is mostly the next one, too. */
  #kind = -1;
  #last: Kinds | undefined;

  get(kind: number): Kinds | undefined {
    if (kind === this.#kind) return this.#last;
    const next = this.#next?.get(kind);
    if (next !== undefined) {
      this.#kind = kind;
      this.#last = next;
    }
    return next;
  }

  made(kind: number): Kinds {
    this.#next ??= new Map();
    let next = this.#next.get(kind);
    if (next === undefined) {
      next = new Kinds();
      this.#next.set(kind, next);
    }
    return next;
  }
}

/** Cached results, for one version and target. */
export class Memo {
  readonly #byOpcode = new Map<string, Kinds>();
  readonly #kinds = new Map<string, number>();
  #recipes = 0;

  of(opcode: string): Kinds {
    let found = this.#byOpcode.get(opcode);
    if (found === undefined) {
      found = new Kinds();
      this.#byOpcode.set(opcode, found);
    }
    return found;
  }

  /** A number for a kind that has a name alone, such as `%tid.x`. */
  kind(name: string): number {
    let found = this.#kinds.get(name);
    if (found === undefined) {
      found = FIRST + this.#kinds.size;
      this.#kinds.set(name, found);
    }
    return found;
  }

  /** Caches a result for kinds; false when there is no room for more. */
  keep(at: Kinds, recipe: Recipe | null): boolean {
    at.recipe = recipe;
    return ++this.#recipes < MOST_RECIPES;
  }
}

/** Above the kinds that have numbers of their own. */
const FIRST = 1024;
/** More than all of nvcc's output in the tests has, by far. */
const MOST_RECIPES = 20_000;
/** A process meets few versions and targets. */
const MOST_MEMOS = 32;

const memos = new Map<string, Memo>();

/**
 * The cache for bodies like this one: its key is everything that an instruction's meaning depends on besides its
 * operands.
 */
export function memoFor({ version, target, independent, device }: Scope): Memo {
  const key = `${version} ${target.name} ${independent} ${device}`;
  let found = memos.get(key);
  if (found === undefined) {
    if (memos.size >= MOST_MEMOS) memos.clear();
    found = new Memo();
    memos.set(key, found);
  }
  return found;
}

/** Clears a full cache. */
export function forget(memo: Memo): void {
  for (const [key, each] of memos) if (each === memo) memos.delete(key);
}
