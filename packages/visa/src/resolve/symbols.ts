import type * as ast from "../ast.ts";
import type { Type } from "../ast.ts";
import { isNamed, known } from "../isa/table.ts";
import { bytesOfType, factsOf } from "../type.ts";
import type { Constants } from "../zeinfo/beside.ts";
import type { Platform } from "./platform.ts";
import { predefinedNamed } from "./predefined.ts";
import type { Report } from "./report.ts";
import type { Storage } from "./storage.ts";

/** The meaning of a name. `place` is the variable's name among the module's. */
export type Symbol =
  | {
      readonly kind: "variable";
      readonly place: string;
      readonly type: Type;
      readonly elements: number;
      readonly root: string;
      readonly offset: number;
      readonly rootBytes: number;
      readonly writable: boolean;
      readonly isNull?: true;
    }
  | { readonly kind: "predicate"; readonly slot: number; readonly elements: number }
  | { readonly kind: "address"; readonly place: string; readonly elements: number }
  | { readonly kind: "sampler" | "surface"; readonly place: string };

/** The variable with the address of each surface, by its index in the binding table. */
export const SURFACES = "%surfaces";

/** The variable with the handle of each sampler. */
const SAMPLERS = "%samplers";

const MOST_SAMPLERS = 64;

/** The variable with the program's constants; the payload calls it so. */
export const CONSTANTS = "const_base";

const NOWHERE = { start: 0, end: 0 };

/** The variable with a thread's scratch space. */
const SCRATCH = "%scratch";

/** The surface and the sampler that are selected by a handle, which is moved to them (T4 and S31). */
export const BINDLESS: ReadonlySet<string> = new Set(["%bss", "T4", "S31"]);

const FRAME_BYTES = 65_536;

/** 256 in the binding table, and behind them those of arguments by their handles. */
const MOST_SURFACES = 1280;

/** The names of a kernel, scope by scope; declarations come before uses. */
export class Symbols {
  readonly #report: Report;
  readonly #platform: Platform;
  readonly #storage: Storage;
  readonly #scopes: Map<string, Symbol>[] = [new Map()];
  readonly #predefined = new Map<string, Symbol>();
  #surfaces: string | undefined;
  #samplers: string | undefined;
  #scratch: string | undefined;
  #frames: { readonly whole: string; readonly next: string } | undefined;
  #constants: string | undefined;
  readonly #texts = new Map<string, string>();
  programConstants: Constants | undefined;
  /** Bytes of scratch space that each thread has. */
  scratchBytes = 65_536;

  constructor(report: Report, platform: Platform, storage: Storage) {
    this.#report = report;
    this.#platform = platform;
    this.#storage = storage;
  }

  enter(): void {
    this.#scopes.push(new Map());
  }

  leave(): void {
    this.#scopes.pop();
  }

  find(name: string): Symbol | undefined {
    for (let at = this.#scopes.length - 1; at >= 0; at--) {
      const found = this.#scopes[at]?.get(name);
      if (found !== undefined) return found;
    }
    return this.#ofItself(name);
  }

  /** The names of a kind that are visible here, at most eight; undefined where there is none. */
  visible(kind: Symbol["kind"]): string | undefined {
    const names = this.#scopes.flatMap((scope) =>
      [...scope].flatMap(([name, symbol]) => (symbol.kind === kind ? [name] : [])),
    );
    return names.length === 0 ? undefined : names.length > 8 ? `${names.slice(0, 8).join(", ")} ...` : names.join(", ");
  }

  declare(declaration: ast.Declaration): void {
    const { name } = declaration;
    if (isNamed(name.text) || known.has(name.text))
      this.#report.error("PTX8107", `${name.text} is an opcode`, name.span, "another name");
    const scope = this.#scopes.at(-1);
    if (scope === undefined) throw new Error("no scope is open");
    if (scope.has(name.text) || predefinedNamed(name.text) !== undefined) {
      this.#report.error("PTX8101", `${name.text} is declared already`, name.span, "another name");
      return;
    }
    const symbol = declaration.kind === "variable" ? this.#variable(declaration) : this.#flag(declaration);
    if (symbol !== undefined) scope.set(name.text, symbol);
  }

  /** Where a predefined variable lies, if the kernel uses it. */
  known(name: string): string | undefined {
    const found = this.#predefined.get(name);
    return found?.kind === "variable" ? found.place : undefined;
  }

  /** The table of surfaces, if a message uses it. */
  get surfaceTable(): string | undefined {
    return this.#surfaces;
  }

  /** The table of samplers, likewise. */
  get samplerTable(): string | undefined {
    return this.#samplers;
  }

  /** Variables that all threads share: surfaces, samplers, constants, texts. */
  get shared(): ReadonlySet<string> {
    return new Set([this.#surfaces ?? "", this.#samplers ?? "", this.#constants ?? "", ...this.#texts.values()]);
  }

  /** The name of the table of surfaces, which is created for the first message that uses it. */
  surfaces(): string {
    this.#surfaces ??= this.#storage.variable(SURFACES, "uq", MOST_SURFACES, { start: 0, end: 0 });
    return this.#surfaces;
  }

  samplers(): string {
    this.#samplers ??= this.#storage.variable(SAMPLERS, "uq", MOST_SAMPLERS, NOWHERE);
    return this.#samplers;
  }

  /** The variable of the module with the program's constants, and the byte of a symbol; undefined where it is unknown. */
  constants(symbol?: string): { readonly variable: string; readonly offset: number } | undefined {
    const { bytes, symbols } = this.programConstants ?? {};
    const offset = symbol === undefined ? 0 : symbols?.get(symbol);
    if (bytes === undefined || offset === undefined) return undefined;
    const initial = [{ offset: 0, bytes }];
    this.#constants ??= this.#storage.variable(CONSTANTS, "ub", bytes.length, NOWHERE, undefined, initial);
    return { variable: this.#constants, offset };
  }

  /** A variable of the module for a text whose contents are unknown: it holds the name of the text. */
  text(name: string): string {
    const bytes = new TextEncoder().encode(`${name}\0`);
    const known = this.#texts.get(name);
    if (known !== undefined) return known;
    const made = this.#storage.variable(name, "ub", bytes.length, NOWHERE, undefined, [{ offset: 0, bytes }]);
    this.#texts.set(name, made);
    return made;
  }

  /** The name of the thread's scratch space, for a message that uses it. */
  scratch(): string {
    this.#scratch ??= this.#storage.variable(SCRATCH, "ub", this.scratchBytes, { start: 0, end: 0 });
    return this.#scratch;
  }

  /** The variable with the address of the next frame. */
  frame(): string {
    this.#frames ??= {
      whole: this.#storage.variable("%frames", "ub", FRAME_BYTES, NOWHERE),
      next: this.#storage.variable("%frame", "uq", 1, NOWHERE),
    };
    return this.#frames.next;
  }

  /** The variable with what functions keep while they are entered again, and that with the address of the next frame. */
  get frames(): { readonly whole: string; readonly next: string } | undefined {
    return this.#frames;
  }

  /** What the function that is being read has declared so far. */
  ofFunction(): {
    readonly variables: readonly { readonly place: string; readonly bytes: number }[];
    readonly predicates: readonly number[];
  } {
    const own = this.#scopes.slice(1).flatMap((scope) => [...scope.values()]);
    return {
      variables: own.flatMap((each) =>
        each.kind === "variable" && each.root === each.place
          ? [{ place: each.place, bytes: each.rootBytes }]
          : each.kind === "address"
            ? [{ place: each.place, bytes: 4 * each.elements }]
            : [],
      ),
      predicates: own.flatMap((each) => (each.kind === "predicate" ? [each.slot] : [])),
    };
  }

  #variable({ name, type, elements, alias, attributes, span }: ast.VariableDeclaration): Symbol | undefined {
    for (const { name: attribute } of attributes)
      if (!ofVariables.has(attribute.text))
        this.#report.error(
          "PTX8104",
          `unknown attribute ${attribute.text}`,
          attribute.span,
          [...ofVariables].join(", "),
        );
    const { kind } = factsOf(type);
    if (kind === "bool" || kind === "packed")
      this.#report.error("PTX8104", `a variable cannot have elements of type ${type}`, span, "ud, d, f ...");
    if (type === "bf" && !this.#platform.bf)
      this.#report.error("PTX8209", `${this.#platform.name} has no type bf`, span, "--platform DG2, PVC or XE2");
    const bytes = elements * bytesOfType(type);
    const most = 256 * this.#platform.grf;
    if (elements < 1 || bytes > most)
      this.#report.error("PTX8104", `${elements} elements are ${bytes} bytes`, span, `1 to ${most} bytes`);
    const own = { kind: "variable" as const, type, elements, writable: true };
    if (alias === undefined) {
      const place = this.#storage.variable(name.text, type, elements, name.span);
      return { ...own, place, root: place, offset: 0, rootBytes: bytes };
    }
    const base = this.find(alias.of.text);
    if (base?.kind !== "variable") {
      this.#report.error("PTX8102", `there is no variable ${alias.of.text}`, alias.of.span);
      return undefined;
    }
    const offset = base.offset + alias.offset;
    if (alias.offset < 0 || offset >= base.rootBytes) {
      this.#report.error("PTX8105", `byte ${alias.offset} of ${alias.of.text} is not in it`, alias.of.span);
      return undefined;
    }
    const within = Math.min(bytes, base.rootBytes - offset);
    const count = Math.floor(within / bytesOfType(type));
    if (count < 1 && elements >= 1) {
      const [left, needs] = [base.rootBytes - offset, bytesOfType(type)];
      this.#report.error(
        "PTX8105",
        `${alias.of.text} has ${left} bytes from there, and an element of ${name.text} has ${needs}`,
        alias.of.span,
      );
      return undefined;
    }
    const place = this.#storage.variable(name.text, type, Math.max(count, 1), name.span, { of: base.root, offset });
    return { ...own, place, root: base.root, offset, rootBytes: base.rootBytes, writable: base.writable };
  }

  #flag({ kind, name, elements, span }: ast.FlagDeclaration): Symbol | undefined {
    switch (kind) {
      case "predicate":
        if (![1, 2, 4, 8, 16, 32].includes(elements))
          this.#report.error("PTX8104", `a predicate of ${elements} elements`, span, "1, 2, 4, 8, 16 or 32");
        return { kind, slot: this.#storage.predicate(name.text, name.span), elements };
      case "address":
        // The latest platforms have 32.
        if (elements < 1 || (elements > 16 && (elements !== 32 || this.#platform.grf === 32)))
          this.#report.error("PTX8104", `an address of ${elements} elements`, span, "1 to 16");
        return { kind, place: this.#storage.variable(name.text, "ud", elements, name.span), elements };
      default:
        // The index in the binding table; users do not see it as a register.
        return { kind, place: this.#storage.variable(`%${name.text}`, "ud", Math.max(elements, 1), name.span) };
    }
  }

  /** A predefined variable is placed at its first use. */
  #ofItself(name: string): Symbol | undefined {
    if (BINDLESS.has(name)) {
      const known = this.#predefined.get(name);
      if (known !== undefined) return known;
      const kind = name === "S31" ? "sampler" : "surface";
      const made: Symbol = { kind, place: this.#storage.variable(name, "ud", 1, NOWHERE) };
      this.#predefined.set(name, made);
      return made;
    }
    const found = predefinedNamed(name);
    if (found === undefined) return undefined;
    const known = this.#predefined.get(found.name);
    if (known !== undefined) return known;
    const { type, writable } = found;
    // Arguments and results are counted in registers.
    const elements = found.elements * (inRegisters.has(found.name) ? this.#platform.grf / 32 : 1);
    const place = this.#storage.variable(found.name, type, elements, { start: 0, end: 0 });
    const symbol: Symbol = {
      kind: "variable" as const,
      place,
      type,
      elements,
      writable,
      root: place,
      offset: 0,
      rootBytes: elements * bytesOfType(type),
      ...(found.name === "%null" ? { isNull: true as const } : {}),
    };
    this.#predefined.set(found.name, symbol);
    return symbol;
  }
}

const inRegisters: ReadonlySet<string> = new Set(["%arg", "%retval"]);

/** The attributes of variables (D/4_visa_header.md, and what Intel's dumps have). */
const ofVariables: ReadonlySet<string> = new Set(["Input", "Output", "Input_Output", "NoWidening", "Scope"]);
