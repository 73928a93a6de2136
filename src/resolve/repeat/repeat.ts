import type { Operand } from "../../interp/contract/operand.ts";
import type { Instruction } from "../../interp/contract/program.ts";
import type { OperandClass } from "../../isa/form/operands.ts";
import type * as ast from "../../parser/ast.ts";
import {
  ABOVE,
  ADDRESS,
  LIST,
  NOT,
  type PlainBody,
  type PlainInstruction,
  VECTOR,
  WHAT,
  WORD,
} from "../../parser/plain/instruction.ts";
import { outOfRange } from "../constant/range.ts";
import type { Scope } from "../declaration/scope.ts";
import { beyondOf } from "../instruction/beyond.ts";
import { addressAt } from "../instruction/operand/address.ts";
import { literalOperand } from "../instruction/operand/literal.ts";
import { constantValue, valueOperand } from "../instruction/operand/value.ts";
import { BRACKETS, Facts, OPPOSITE, OTHER, PREDICATE, TWO, VECTOR_OF } from "./facts.ts";
import { type Resolved, recipeFor } from "./learn.ts";
import { forget, type Kinds, type Memo, memoFor, type Place } from "./memo.ts";

/**
 * Resolves instructions with the same spelling and operand kinds as an earlier one, in any program of the process, by
 * copying its result with other registers and numbers. The table is searched once for each spelling; an instruction
 * with a diagnostic is never copied.
 */
export class Repeats {
  /** Where each opcode of the body begins. */
  readonly #starts: Kinds[] = [];
  readonly facts: Facts;
  readonly #scope: Scope;
  readonly #body: PlainBody;
  readonly #memo: Memo;
  /** The constant that each word was last, and of which class. */
  readonly #constants: ({ readonly wanted: OperandClass; readonly operand: Operand } | undefined)[] = [];

  readonly #made: (Operand | undefined)[] = [];

  constructor(scope: Scope, body: PlainBody) {
    this.#scope = scope;
    this.#body = body;
    this.#memo = memoFor(scope);
    this.facts = new Facts(scope, body.words, this.#memo);
  }

  /** The instruction, at a line of the program that it was compiled from; undefined where it has to be resolved. */
  instruction(node: PlainInstruction, location: Instruction["location"]): Instruction | undefined {
    const { at, start, end } = node;
    const recipe = this.#kinds(at, false)?.recipe;
    if (recipe === undefined || recipe === null) return undefined;
    const guarded = this.#body.stream[at + 1] ?? 0;
    const guard = guarded === 0 ? undefined : this.#guard(guarded);
    if (guarded !== 0 && guard === undefined) return undefined;
    const { plan, opcode, places } = recipe;
    const operands = this.#operands(places, node);
    if (operands === undefined) return undefined;
    const span = { start, end };
    if (location === undefined)
      return guard === undefined ? { plan, operands, span, opcode } : { plan, operands, guard, span, opcode };
    return guard === undefined
      ? { plan, operands, span, opcode, location }
      : { plan, operands, guard, span, opcode, location };
  }

  /** Caches the result of a resolved instruction, unless it has a diagnostic. */
  learn(node: PlainInstruction, resolved: Resolved, silently: boolean): void {
    const end = this.#kinds(node.at, true);
    if (end === undefined || end.recipe !== undefined) return;
    const recipe = silently ? recipeFor(node, resolved, this.facts) : undefined;
    const again = recipe && this.#operands(recipe.places, node);
    const sound = again?.every((each, at) => equal(each, resolved.instruction.operands[at]));
    if (!this.#memo.keep(end, recipe && sound ? recipe : null)) forget(this.#memo);
  }

  /**
   * The trie node for the kinds of an instruction's operands; undefined where there is none, unless it is to be
   * created.
   */
  #kinds(at: number, make: boolean): Kinds | undefined {
    const { facts } = this;
    const { stream, opcodes } = this.#body;
    const opcode = stream[at] ?? 0;
    let found: Kinds | undefined = this.#starts[opcode];
    if (found === undefined) {
      found = this.#memo.of(opcodes.texts[opcode] ?? "");
      this.#starts[opcode] = found;
    }
    let next = at + 3;
    for (let left = stream[at + 2] ?? 0; left > 0; left--) {
      const code = stream[next++] ?? 0;
      const value = code >> ABOVE;
      let kind: number;
      switch (code & WHAT) {
        case WORD:
          kind = facts.kind(value);
          break;
        case ADDRESS:
          found = step(found, BRACKETS, make);
          if (found === undefined) return undefined;
          kind = facts.kind(value);
          next++;
          break;
        case NOT:
          found = step(found, OPPOSITE, make);
          if (found === undefined) return undefined;
          kind = facts.kind(value);
          break;
        case VECTOR:
          kind = VECTOR_OF + value;
          left += value;
          break;
        case LIST:
          // The effect of a call depends on the called function.
          return undefined;
        default:
          kind = TWO;
          left += 2;
      }
      if (kind === OTHER) return undefined;
      found = step(found, kind, make);
      if (found === undefined) return undefined;
    }
    return found;
  }

  #guard(guarded: number): Instruction["guard"] {
    const word = (guarded >> 1) - 1;
    if (this.facts.kind(word) !== PREDICATE) return undefined;
    const { slot } = this.facts.register(word) as Operand & { kind: "predicate" };
    return { slot, negated: (guarded & 1) !== 0 };
  }

  #operands(places: readonly Place[], node: PlainInstruction): (Operand | undefined)[] | undefined {
    const made = this.#made;
    for (let at = 0; at < places.length; at++) {
      const place = places[at] as Place;
      const operand = this.#operand(place, node);
      if (operand === undefined && place.how !== "fixed") return undefined;
      made[at] = operand;
    }
    // A list that grows takes room for many more.
    switch (places.length) {
      case 1:
        return [made[0]];
      case 2:
        return [made[0], made[1]];
      case 3:
        return [made[0], made[1], made[2]];
      case 4:
        return [made[0], made[1], made[2], made[3]];
      default:
        return made.slice(0, places.length);
    }
  }

  #operand(place: Place, node: PlainInstruction): Operand | undefined {
    const { facts } = this;
    if (place.how === "fixed") return place.operand;
    if (place.how === "vector") return this.#vector(place.items, node);
    const { stream } = this.#body;
    const at = node.at + 3 + place.at;
    const word = (stream[at] ?? 0) >> ABOVE;
    switch (place.how) {
      case "register":
        return facts.register(word);
      case "opposite":
        return facts.opposite(word);
      case "based": {
        const base = facts.register(word) as Operand & { kind: "slot" };
        return { kind: "address", base, offset: this.#offset(stream[at + 1] ?? 0) };
      }
      case "number":
        return this.#number(word, place.wanted, node);
      case "truth":
        return this.#truth(word, place.wanted.most);
      case "label":
        return this.#scope.label(facts.name(word, node).name);
      case "value":
        return valueOperand(facts.name(word, node), place.wanted, this.#scope);
      case "placed":
        return this.#placed(facts.name(word, node), this.#offset(stream[at + 1] ?? 0), place);
    }
  }

  /** An access beyond its variable has a different plan. */
  #placed(base: ast.OperandName, offset: bigint, { wanted, bytes }: Place & { how: "placed" }): Operand | undefined {
    if (bytes > 0 && beyondOf(this.#scope.lookup(base.name.text), offset, bytes)) return undefined;
    return addressAt(base, offset, wanted, this.#scope);
  }

  #vector(places: readonly Place[], node: PlainInstruction): Operand | undefined {
    const items: Operand[] = [];
    for (let at = 0; at < places.length; at++) {
      const item = this.#operand(places[at] as Place, node);
      if (item === undefined) return undefined;
      items.push(item);
    }
    return { kind: "vector", items };
  }

  #truth(word: number, most: number | undefined): Operand | undefined {
    const value = this.facts.value(word);
    if (value?.kind !== "integer") return undefined;
    const range = most === undefined ? {} : { least: 0, most };
    return outOfRange(range, value.value) === undefined ? this.#scope.truth(value.value !== 0n) : undefined;
  }

  #offset(counted: number): bigint {
    return counted === 0 ? 0n : this.facts.offset(counted - 1);
  }

  /** Undefined for a number that the class does not take. */
  #number(word: number, wanted: OperandClass, node: PlainInstruction): Operand | undefined {
    const known = this.#constants[word];
    if (known?.wanted === wanted) return known.operand;
    const value = this.facts.value(word);
    let operand: Operand | undefined;
    if (wanted.kind === "literal")
      operand = value?.kind === "integer" ? literalOperand(value.value, wanted, this.#scope) : undefined;
    else if (wanted.kind === "register" && value !== undefined && value.kind !== "address") {
      if (value.kind === "integer" && outOfRange(wanted, value.value) !== undefined) return undefined;
      operand = constantValue(value, node, wanted, this.#scope);
    }
    if (operand !== undefined) this.#constants[word] = { wanted, operand };
    return operand;
  }
}

const step = (from: Kinds, kind: number, make: boolean): Kinds | undefined => (make ? from.made(kind) : from.get(kind));

/** True for operands that are the same; labels, whose places may not be known yet, are one like the other. */
function equal(a: Operand | undefined, b: Operand | undefined): boolean {
  if (a === undefined || b === undefined || a.kind !== b.kind) return a === b;
  if (a.kind === "target") return true;
  if (a.kind === "vector" && b.kind === "vector")
    return a.items.length === b.items.length && a.items.every((each, at) => equal(each, b.items[at]));
  if (a.kind === "address" && b.kind === "address")
    return a.offset === b.offset && a.of === b.of && !a.index && !b.index && equal(a.base, b.base);
  if (a.kind === "slot" && b.kind === "slot") return a.bank === b.bank && a.slot === b.slot && a.bits === b.bits;
  if (a.kind === "predicate" && b.kind === "predicate") return a.slot === b.slot && a.negated === b.negated;
  return a.kind === "sink";
}
