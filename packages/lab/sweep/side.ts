import { problem } from "../../../src/host/problem.ts";
import { isComputed, operationOf } from "../../../src/interp/contract/plan/effects.ts";
import { type Candidate, type Form, match, mnemonics } from "../../../src/isa/index.ts";
import type { Operation } from "../../../src/numeric/operation/operation.ts";
import { formalsOf, inputTypes } from "../../../src/present/working/form.ts";
import { operationTypes } from "../../../src/present/working/type.ts";
import { nearest } from "../../../src/resolve/nearest.ts";
import type { Diagnostic } from "../../../src/source/diagnostic.ts";

/** The operands of an instruction: cut at commas that stand outside of braces. */
function operandsIn(text: string): string[] {
  const found: string[] = [];
  let [depth, from] = [0, 0];
  for (let at = 0; at <= text.length; at++) {
    const character = text[at] ?? ",";
    if (character === "{") depth++;
    if (character === "}") depth--;
    if (at < text.length && (character !== "," || depth > 0)) continue;
    found.push(text.slice(from, at).trim());
    from = at + 1;
  }
  return found;
}

const NAMES = /\d[\w.]*|\.[\w]+|%?[A-Za-z_$][\w$]*/g;

/** An operand with `v_` before each register's name, which may be a reserved word of PTX. */
const renamed = (operand: string): string =>
  operand.replace(NAMES, (word) => (/^[\d.]/.test(word) || word === "_" ? word : `v_${word.replace(/^%/, "")}`));

/** Thrown inside, caught by `readSide`: the first error in a sequence. */
class Refused extends Error {
  readonly diagnostic: Diagnostic;
  constructor(diagnostic: Diagnostic) {
    super(diagnostic.message);
    this.diagnostic = diagnostic;
  }
}
const refuse = (code: "PTX2301" | "PTX2003", message: string, expected?: string, help?: string): never => {
  throw new Refused(
    problem(code, message, {
      ...(expected === undefined ? {} : { expected }),
      ...(help === undefined ? {} : { help: [{ message: help }] }),
    }),
  );
};

type Slot = Form["slots"][number];

/** The forms that a spelling has; a mnemonic alone adopts the modifiers of another as far as it has them. */
function formsOf(spelling: string, others: readonly string[] | undefined): readonly Candidate[] {
  const [mnemonic = "", ...words] = spelling.split(".");
  const found = match(mnemonic, words);
  if (found.kind === "forms") return found.candidates;
  if (words.length === 0 && others !== undefined) {
    for (const some of fewer(others)) {
      const borrowed = match(mnemonic, some);
      if (borrowed.kind === "forms") return borrowed.candidates;
    }
  }
  const near = nearest(mnemonic, mnemonics);
  if (found.kind !== "none") {
    const many = mnemonic.split(",").every((each) => mnemonics.includes(each));
    const help = many ? `write ${mnemonic.replaceAll(",", ";")}` : near && `did you mean ${near}?`;
    const expected = many ? "a `;` between two instructions" : "an instruction that computes, such as add.f16";
    return refuse("PTX2301", `${mnemonic} is not an instruction`, !many && near ? undefined : expected, help);
  }
  return refuse(
    "PTX2301",
    `${spelling} is not a form of ${mnemonic}`,
    found.form.syntax,
    `ptxrun isa ${mnemonic} lists the forms`,
  );
}

/** The form that fits; only instructions that compute from values can be swept. */
function usable(spelling: string, candidates: readonly Candidate[], fits: (each: Candidate) => boolean): Candidate {
  const computed = candidates.filter((each) => isComputed(each.plan()));
  if (computed.length === 0)
    refuse(
      "PTX2301",
      `${spelling} has no values to sweep: its result does not follow from its operands alone`,
      "an instruction that computes, such as add, cvt or setp; not memory, control or other lanes",
    );
  return (
    computed.find(fits) ??
    refuse(
      "PTX2301",
      `${spelling} needs its operands written here`,
      `${spelling} ${computed[0]?.form.syntax.split(" ").slice(1).join(" ")}, with a number for each constant`,
    )
  );
}

/** The operands that an instruction cannot leave out: its words decide whether an optional one is there (`scale`). */
const required = ({ form, classes }: Candidate): readonly Slot[] =>
  form.slots.filter(({ name }) => classes[name]?.kind !== "absent");

/** The complete spelling, where the modifiers came from the other side. */
function spelled({ form, mods }: Candidate, written: string): string {
  const words = form.modifiers.flatMap(({ name }) => {
    const value = mods[name];
    return value === undefined || value === false ? [] : [value === true ? name : String(value)];
  });
  return written.includes(".") || words.length === 0 ? written : [written, ...words].join(".");
}

/** All words, then fewer and fewer of them, in their order. */
function fewer(words: readonly string[]): string[][] {
  const few = words.slice(0, 8);
  return Array.from({ length: 2 ** few.length }, (_, mask) => few.filter((_, at) => (mask & (1 << at)) === 0)).sort(
    (a, b) => b.length - a.length,
  );
}

/** A register of a sequence: its width, 1 being a predicate, and the type that its values are drawn and shown in. */
export interface Value {
  readonly name: string;
  readonly type: string;
  readonly bits: number;
  /** A register of 8 bits, where no wider one will do (pairs of e2m1). */
  readonly narrow?: true;
}

/** Instructions one after another, from inputs to a result. */
export interface Side {
  readonly text: string;
  readonly inputs: readonly Value[];
  readonly result: Value;
  /** All registers, inputs and result among them. */
  readonly registers: readonly Value[];
  /** The instructions, their registers named `v_NAME`. */
  readonly body: string;
  /** Modifiers of the first one, for others that have none. */
  readonly words: readonly string[];
  /** The operation, where it is one instruction with operands in declared order. */
  readonly operation: Operation | undefined;
}

/**
 * Reads `fma.rn.f32`, `mul.rn.f32 t, a, b; add.rn.f32 d, t, c`, or, against another side, `mul;add`: instructions
 * without operands use the other side's inputs in order, each after the first one the previous result as its first
 * operand, and a mnemonic alone adopts the other's modifiers.
 */
export function readSide(text: string, other?: Side): Side | Diagnostic {
  try {
    return new Reader(text, other).read();
  } catch (error) {
    if (error instanceof Refused) return error.diagnostic;
    throw error;
  }
}

class Reader {
  readonly #text: string;
  readonly #other: Side | undefined;
  readonly #registers = new Map<string, Value>();
  readonly #inputs: Value[] = [];
  readonly #lines: string[] = [];
  /** The instructions as they were written, with the omitted modifiers. */
  readonly #said: string[] = [];
  /** Inputs of the other side that no instruction without operands took yet. */
  readonly #left: string[];
  #result: Value | undefined;

  constructor(text: string, other: Side | undefined) {
    this.#text = text;
    this.#other = other;
    this.#left = other?.inputs.map(({ name }) => name) ?? [];
    for (const each of other?.inputs ?? []) this.#registers.set(each.name, each);
  }

  read(): Side {
    const items = this.#text.split(";").map((item) => item.trim());
    while (items.at(-1) === "") items.pop();
    const empty = items.indexOf("");
    if (items.length === 0)
      refuse(
        "PTX2301",
        `${this.#other ? "--against" : "the sweep"} holds no instruction`,
        "one or several, such as mul.rn.f32; add.rn.f32",
      );
    if (empty >= 0) {
      const where = empty === 0 ? "before the first ;" : `between the ; after ${items[empty - 1]} and the next`;
      refuse("PTX2301", `there is nothing ${where}`, "one ; between two instructions, such as mul.rn.f32; add.rn.f32");
    }
    const comma = items.find((item) => /^[\w.:]+,(?:\s|$)/.test(item));
    if (comma !== undefined)
      refuse("PTX2301", `there is a comma after ${comma.slice(0, comma.indexOf(","))}`, "a ; between two instructions");
    let words: readonly string[] | undefined;
    let operation: Operation | undefined;
    for (const [at, item] of items.entries()) {
      const [head = ""] = item.split(/\s/, 1);
      const candidates = formsOf(head, this.#other?.words);
      const rest = item.slice(head.length).trim();
      const last = at === items.length - 1;
      const found = rest === "" ? this.#bare(head, candidates, at, last) : this.#written(head, candidates, rest);
      this.#said.push(`${spelled(found, head)} ${rest}`.trim());
      words ??= head.split(".").slice(1);
      operation = items.length === 1 && (rest === "" || ownOrder(rest)) ? operationOf(found.plan()) : undefined;
    }
    const result = this.#result ?? refuse("PTX2301", `${this.#text} gives no result`);
    if (result.bits > 64) refuse("PTX2301", `${result.name} has ${result.bits} bits`, "results of 64 bits at most");
    return {
      text: this.#said.join("; "),
      inputs: this.#other?.inputs ?? this.#inputs,
      result,
      registers: [...this.#registers.values()],
      body: this.#lines.join(" "),
      words: words ?? [],
      operation,
    };
  }

  /** An instruction without operands. */
  #bare(spelling: string, candidates: readonly Candidate[], at: number, last: boolean): Candidate {
    const simple = (each: Candidate): boolean =>
      required(each).every(({ name }) => ["register", "predicate", "vector"].includes(each.classes[name]?.kind ?? ""));
    const candidate = usable(spelling, candidates, simple);
    const before = this.#result?.name;
    let chained = at > 0;
    const name = (formal: string): string => {
      if (chained && before !== undefined) {
        chained = false;
        return before;
      }
      if (this.#other === undefined && at === 0) return formal;
      const next = this.#left.shift();
      return next ?? refuse("PTX2301", `${spelling} takes more operands than are left`, this.#enough());
    };
    const operands = required(candidate).map((slot): string => {
      const takes = candidate.classes[slot.name];
      if (takes === undefined) return "_";
      const written = "access" in takes && takes.access === "write";
      if (takes.kind === "vector") {
        if (takes.of.access === "write") return refuse("PTX2301", `${spelling} gives several results`, "one result");
        return `{${Array.from({ length: takes.count }, (_, index) => name(`${slot.name}${index}`)).join(", ")}}`;
      }
      return written ? (last ? this.#resultName(slot.name) : `step${at}`) : name(slot.name);
    });
    this.#take(spelling, candidate, operands);
    return candidate;
  }

  #enough(): string {
    return this.#other === undefined
      ? "operands written out: mul.rn.f32 t, a, b; add.rn.f32 d, t, c"
      : `at most ${this.#other.inputs.map(({ name }) => name).join(", ")}, and the result before as the first`;
  }

  /** Not the name of an input, which another form may use for its result. */
  #resultName(name: string): string {
    return this.#registers.has(name) ? `${name}_result` : name;
  }

  #written(spelling: string, candidates: readonly Candidate[], rest: string): Candidate {
    const operands = operandsIn(rest);
    const candidate = usable(spelling, candidates, ({ form, classes }) => {
      const most = form.slots.filter(({ name }) => classes[name] !== undefined && classes[name]?.kind !== "absent");
      const least = most.filter(({ optional }) => !optional);
      return operands.length >= least.length && operands.length <= most.length;
    });
    this.#take(spelling, candidate, operands);
    return candidate;
  }

  /** Declares the operands, and appends the instruction. */
  #take(spelling: string, candidate: Candidate, operands: readonly string[]): void {
    const slots = candidate.form.slots.filter(({ name }) => candidate.classes[name]?.kind !== "absent");
    const formals = formalsOf(candidate);
    const types = inputTypes(candidate, formals);
    const operation = operationOf(candidate.plan());
    const gives = operation === undefined ? undefined : operationTypes(operation).gives;
    const writes: Value[] = [];
    for (const [index, text] of operands.entries()) {
      const slot = slots[index];
      const parts = text.replace(/^[{]|[}]$/g, "").split(/[|,]/);
      for (const [at, part] of parts.entries()) {
        const word = /[A-Za-z_$%][\w$]*/.exec(part.trim().replace(/^[-!]/, ""))?.[0];
        const own = at > 0 && text.includes("|") ? slot?.second?.name : slot?.name;
        const takes = own === undefined ? undefined : candidate.classes[own];
        if (word === undefined || /^[-!]?\d/.test(part.trim()) || own === undefined || takes === undefined) continue;
        const register = takes.kind === "vector" ? takes.of : takes;
        if (register.kind !== "register" && register.kind !== "predicate") continue;
        if (word === "_") continue;
        const bits = register.kind === "predicate" ? 1 : register.bits;
        const declared = register.kind === "predicate" ? "pred" : register.type;
        const narrow =
          register.kind === "register" && bits === 8 && register.wider !== true ? { narrow: true as const } : {};
        const name = word.replace(/^%/, "");
        if (register.access === "write")
          writes.push({ name, bits, ...narrow, type: (writes.length === 0 ? gives : undefined) ?? declared });
        else this.#reads(spelling, { name, bits, ...narrow, type: types.get(own) ?? declared }, takes.kind);
      }
    }
    for (const value of writes) {
      const known = this.#registers.get(value.name);
      if (this.#other?.inputs.some(({ name }) => name === value.name))
        refuse("PTX2301", `${spelling} writes ${value.name}, which is an input`, "another name for the result");
      if (known !== undefined && known.bits !== value.bits) this.#wrongWidth(spelling, known, value.bits);
      this.#registers.set(value.name, value);
    }
    this.#result = writes[0] ?? this.#result;
    this.#lines.push(`${spelled(candidate, spelling)} ${operands.map(renamed).join(", ")};`);
  }

  #reads(spelling: string, value: Value, kind: string): void {
    const known = this.#registers.get(value.name);
    if (known !== undefined) {
      if (known.bits !== value.bits) this.#wrongWidth(spelling, known, value.bits);
      return;
    }
    if (this.#other !== undefined)
      refuse("PTX2301", `${value.name} has no value`, `${this.#other.inputs.map(({ name }) => name).join(", ")}`);
    if (value.bits > 64) refuse("PTX2301", `${value.name} has ${value.bits} bits`, "operands of 64 bits at most");
    // A vector's type is that of all its elements together.
    const lane = kind === "vector" ? value.type.replace(/x\d$/, "") : value.type;
    const input = { ...value, type: lane };
    this.#registers.set(value.name, input);
    this.#inputs.push(input);
  }

  #wrongWidth(spelling: string, { name, bits }: Value, wanted: number): never {
    return refuse("PTX2301", `${name} has ${width(bits)}, and ${spelling} takes ${width(wanted)}`, width(bits));
  }
}

const width = (bits: number): string => (bits === 1 ? "a predicate's one bit" : `${bits} bits`);

/** `d, a, b`: different plain names, so that the operation's operands are the inputs in their order. */
function ownOrder(rest: string): boolean {
  const names = operandsIn(rest);
  return names.every((name) => /^%?[A-Za-z_$][\w$]*$/.test(name)) && new Set(names).size === names.length;
}
