import type { Module } from "../../../../src/host/index.ts";
import type { Parameter, Program, Register } from "../../../../src/interp/contract/program.ts";
import type { Space } from "../../../../src/interp/contract/space.ts";
import { spaceOf } from "../../../../src/interp/contract/window.ts";
import { component, specialRegisters } from "../../../../src/isa/special-registers.ts";
import { isValueType } from "../../../../src/numeric/format/value-type.ts";
import { nearest } from "../../../../src/resolve/nearest.ts";
import { type LinePart, type Refusal, refuse } from "./refusal.ts";

/** What a name of the program stands for. */
export type NameMeaning =
  /** `element` of a vector register; the complete register without it. */
  | { readonly kind: "register"; readonly register: Register; readonly element: number | undefined }
  | { readonly kind: "carry" }
  /** `tid.x`, `laneid`. */
  | { readonly kind: "special"; readonly name: string; readonly type: "u32" | "u64" | "pred" }
  | {
      readonly kind: "variable";
      readonly name: string;
      readonly space: Space;
      readonly address: bigint;
      readonly type: string;
      readonly bytes: number;
    }
  | { readonly kind: "parameter"; readonly parameter: Parameter }
  | { readonly kind: "label"; readonly name: string; readonly pc: number };

/** The types of C that a cast may name, and these types as PTX calls them. */
const castTypes: ReadonlyMap<string, string> = new Map([
  ["float", "f32"],
  ["double", "f64"],
  ["half", "f16"],
  ["char", "s8"],
  ["short", "s16"],
  ["int", "s32"],
  ["long", "s64"],
  ["unsigned", "u32"],
]);

/** The type that a cast means, by its name in C or PTX; undefined for another name. */
export function castType(name: string): string | undefined {
  const [, unsigned = "", kind = "", bits = ""] = /^(u?)(int|float)(\d{1,2})(?:_t)?$/.exec(name) ?? [];
  const sized = kind === "" ? name : `${kind === "float" ? "f" : unsigned === "" ? "s" : "u"}${bits}`;
  return castTypes.get(name) ?? (isValueType(sized) ? sized : undefined);
}

/** Names that a message lists. */
const MOST_LISTED = 8;

/** The names of a program that is being debugged. */
export class ProgramNames {
  readonly program: Program;
  readonly #module: Module | undefined;
  readonly #registers = new Map<string, Register>();
  readonly #known = new Map<string, NameMeaning | undefined>();

  readonly #inner = new Map<number, ProgramNames>();

  /** `callee`: index of the function whose registers are meant; the kernel's are searched after them. */
  constructor(program: Program, module: Module | undefined, callee?: number) {
    this.program = program;
    this.#module = module;
    const own = callee === undefined ? [] : (program.functions[callee]?.registers ?? []);
    for (const register of [...program.registers, ...own]) this.#registers.set(register.name, register);
  }

  /** The names as a function sees them, by its index; undefined for the kernel. */
  within(callee: number | undefined): ProgramNames {
    if (callee === undefined) return this;
    const names = this.#inner.get(callee) ?? new ProgramNames(this.program, this.#module, callee);
    this.#inner.set(callee, names);
    return names;
  }

  /** Undefined for an unknown name. A register's percent sign may be missing where nothing else has the name. */
  find(name: string): NameMeaning | undefined {
    if (!this.#known.has(name)) this.#known.set(name, this.#search(name));
    return this.#known.get(name);
  }

  /** Like `find`, but throws a refusal (PTX2404) for an unknown name. */
  need(name: string, at: LinePart): NameMeaning {
    const found = this.find(name);
    if (found === undefined) throw this.unknown(name, at);
    return found;
  }

  unknown(name: string, at: LinePart): Refusal {
    const bare = name.replace(/^%/, "");
    if (specialRegisters.get(bare)?.vector)
      return refuse("PTX2404", `%${bare} has parts`, at, { expected: `%${bare}.x, %${bare}.y or %${bare}.z` });
    const type = castType(name);
    if (type !== undefined) {
      const rest = at.source.text.slice(at.start + name.length);
      const [, what = "%r1"] = /^\s?\)\s?([%$]?[A-Za-z_][\w$]*)/.exec(rest) ?? [];
      return refuse("PTX2404", `${name} means nothing here`, at, {
        expected: `a type after the value, ${what}:${type}; set X = V converts`,
      });
    }
    const meant = /^%?.$/.test(name) ? undefined : nearest(name, this.all());
    const registers = [...this.#registers.keys()];
    const few = registers.slice(0, MOST_LISTED).join(", ");
    const others = registers.length > MOST_LISTED ? ` ... (info regs lists ${registers.length})` : "";
    const expected = registers.length === 0 ? "a number, %tid.x or the like" : `a register, such as ${few}${others}`;
    return refuse("PTX2404", `${name} means nothing here`, at, meant === undefined ? { expected } : { meant });
  }

  /** Everything that can be named, for completion and for did-you-mean. */
  *all(): Iterable<string> {
    yield* this.#registers.keys();
    for (const { name } of this.program.labels ?? []) yield name;
    for (const { name } of this.program.parameters) yield name;
    for (const { name } of this.program.variables) yield name;
    yield* this.#module?.variables ?? [];
    for (const { name, vector } of specialRegisters.values()) {
      if (/^(pm\d|envreg|reserved_)/.test(name)) continue;
      if (!vector) yield `%${name}`;
      else for (const part of ["x", "y", "z"]) yield `%${name}.${part}`;
    }
    yield "cc.cf";
  }

  #search(name: string): NameMeaning | undefined {
    if (name.toLowerCase() === "cc.cf") return { kind: "carry" };
    return (
      this.#register(name) ??
      this.#special(name) ??
      this.#variable(name) ??
      this.#label(name) ??
      (name.startsWith("%") ? undefined : (this.#register(`%${name}`) ?? this.#special(`%${name}`)))
    );
  }

  #register(name: string): NameMeaning | undefined {
    const register = this.#registers.get(name);
    if (register !== undefined) return { kind: "register", register, element: undefined };
    const [, stem = "", part = ""] = /^(.*)\.([xyzwrgba])$/.exec(name) ?? [];
    const vector = this.#registers.get(stem);
    const element = "xyzw".indexOf(component(part) ?? "-");
    if (vector === undefined || element < 0 || element >= vector.elements || vector.elements === 1) return undefined;
    return { kind: "register", register: vector, element };
  }

  #special(name: string): NameMeaning | undefined {
    if (!name.startsWith("%")) return undefined;
    const [stem = "", part] = name.slice(1).split(".");
    const special = specialRegisters.get(stem);
    if (special === undefined || special.vector !== (part !== undefined)) return undefined;
    const along = part === undefined ? undefined : component(part);
    if (part !== undefined && along === undefined) return undefined;
    return { kind: "special", name: along === undefined ? stem : `${stem}.${along}`, type: special.type };
  }

  #variable(name: string): NameMeaning | undefined {
    const own = this.program.variables.find((variable) => variable.name === name);
    if (own !== undefined)
      return {
        kind: "variable",
        name,
        space: own.space,
        address: BigInt(own.offset),
        type: own.type,
        bytes: own.bytes,
      };
    const parameter = this.program.parameters.find((each) => each.name === name);
    if (parameter !== undefined) return { kind: "parameter", parameter };
    const shared = this.#module?.variable(name);
    if (shared === undefined) return undefined;
    const type = this.#module?.typeOf(name) ?? "b8";
    const space = spaceOf(shared.address) ?? "global";
    return { kind: "variable", name, space, address: shared.address, type, bytes: shared.bytes };
  }

  #label(name: string): NameMeaning | undefined {
    const found = this.program.labels?.find((label) => label.name === name);
    return found && { kind: "label", name, pc: found.pc };
  }
}
