import type { Diagnostic, Staged } from "../../../../src/source/diagnostic.ts";
import type { Source, Span } from "../../../../src/source/source.ts";
import type { Proxy as MemoryProxy, Model, Placement } from "../../model/event.ts";
import { type Claim, defaultBound, type LitmusTest, type ReadOptions } from "../litmus-test.ts";
import { type Instruction, meaningOf, type Operand } from "./instruction.ts";
import { Memory } from "./memory.ts";
import { type Parts, partsOf, split, trimmed, withoutComments } from "./text.ts";
import { type Column, threadOf } from "./thread.ts";

const label = /^([A-Za-z_][\w.$]*)\s*:/;
const number = /^[-+]?(?:0[xX][\da-fA-F]+|\d+)$/;
const proxies: ReadonlySet<string> = new Set(["generic", "texture", "surface", "constant"]);

/** Reads a test in the published format; undefined, with diagnostics, where it has an error. */
export function readPublished(source: Source, options: ReadOptions = {}): Staged<LitmusTest | undefined> {
  return new Reader(source, options).test();
}

class Reader {
  readonly #source: Source;
  readonly #text: string;
  readonly #bound: number;
  readonly #model: Model | undefined;
  readonly #memory = new Memory();
  readonly #diagnostics: Diagnostic[] = [];
  /** Initial registers of threads, by the name of the thread. */
  readonly #registers = new Map<string, Map<string, bigint>>();

  constructor(source: Source, { bound = defaultBound, model }: ReadOptions) {
    this.#source = source;
    this.#text = withoutComments(source.text);
    this.#bound = bound;
    this.#model = model;
  }

  test(): Staged<LitmusTest | undefined> {
    const parts = partsOf(this.#source);
    if ("missing" in parts) {
      this.#refuse("PTX1910", "this is not a litmus test of the published format", parts.span, parts.missing);
      return { value: undefined, diagnostics: this.#diagnostics };
    }
    for (const entry of split(this.#text, parts.initial, ";")) this.#initial(trimmed(this.#text, entry));
    const columns = this.#columns(parts);
    const claims = this.#claims(parts);
    if (this.#diagnostics.length > 0) return { value: undefined, diagnostics: this.#diagnostics };
    const threads = columns.map((column, index) => threadOf(column, index, this.#memory, this.#bound));
    const filter = parts.claims.find(({ word }) => word === "filter");
    const test: LitmusTest = {
      name: parts.name,
      description: parts.description,
      source: this.#source,
      litmus: { threads, initial: this.#memory.initial(), ...(this.#model && { model: this.#model }) },
      claims,
      ...(filter ? { filter: filter.condition } : {}),
      bound: this.#bound,
      memory: this.#memory.names(),
      addresses: this.#memory.addresses(),
      registers: new Map(columns.map((column) => [column.name, registersOf(column)])),
    };
    return { value: test, diagnostics: [] };
  }

  #refuse(code: Diagnostic["code"], message: string, span: Span, expected: string): void {
    this.#diagnostics.push({ code, severity: "error", message, source: this.#source, span, expected });
  }

  #slice = ({ start, end }: Span): string => this.#text.slice(start, end);

  /** One entry between the braces. */
  #initial(span: Span): void {
    const text = this.#slice(span).replaceAll(/\s+/g, " ");
    if (text === "") return;
    const alias =
      /^([\w$%.]+) ?@ ?(\w+)(?: aliases ([\w$%.]+))?$/.exec(text) ?? /^([\w$%.]+)( )aliases ([\w$%.]+)$/.exec(text);
    if (alias) {
      const [, name = "", word = "", of] = alias;
      const proxy = word.trim().toLowerCase() || "generic";
      if (proxies.has(proxy)) {
        this.#memory.alias(name, of ?? `${name} itself`, proxy as MemoryProxy);
        return;
      }
    }
    const register = /^(?:\w+ )?(?:P?(\d+)|([A-Za-z]\w*)) ?: ?([\w$%.]+)(?: ?= ?(.*))?$/.exec(text);
    if (register) {
      const [, digits, name, of = "", value = "0"] = register;
      const thread = digits === undefined ? (name ?? "") : `P${digits}`;
      const known = this.#registers.get(thread) ?? new Map<string, bigint>();
      known.set(of, this.#number(value, span));
      this.#registers.set(thread, known);
      return;
    }
    const variable = /^(?:\w+ )?\[?([A-Za-z_$%][\w$%.]*)(?:\[(\w+)\])?\]?(?: ?= ?(.*))?$/.exec(text);
    if (!variable) {
      this.#refuse(
        "PTX1911",
        "this does not give memory or registers a value",
        span,
        "x = 1, a[4], P1:r0 = 1 or s @ surface aliases x",
      );
      return;
    }
    const [, name = "", index, value] = variable;
    const list = /^\{(.*)\}$/.exec(value ?? "")?.[1];
    if (list !== undefined) {
      this.#memory.declare(name, Number(index ?? 1));
      for (const [at, each] of list.split(",").entries()) this.#memory.set(name, at, this.#number(each.trim(), span));
    } else if (value === undefined) this.#memory.declare(name, Number(index ?? 1));
    else this.#memory.set(name, Number(index ?? 0), this.#number(value, span));
  }

  /** A number, or the address of memory. */
  #number(text: string, span: Span): bigint {
    const word = text.trim();
    if (number.test(word)) return word.startsWith("-") ? -BigInt(word.slice(1)) : BigInt(word.replace("+", ""));
    const element = /^&?([A-Za-z_$%][\w$%.]*)(?:\[(\d+)\])?$/.exec(word);
    if (element) return this.#memory.address(element[1] as string, Number(element[2] ?? 0));
    this.#refuse("PTX1911", `${word} is not a value`, span, "a number, or the name of memory for its address");
    return 0n;
  }

  #columns({ rows }: Parts): Column[] {
    const [head, ...body] = rows;
    if (!head) {
      this.#refuse(
        "PTX1912",
        "the test has no threads",
        { start: 0, end: this.#text.length },
        "a row such as P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;",
      );
      return [];
    }
    const names = head.map((cell) => this.#thread(cell));
    const columns = names.map(({ name, placement }) => {
      const registers = this.#registers.get(name) ?? new Map<string, bigint>();
      return { name, placement, instructions: [] as Instruction[], labels: new Map<string, number>(), registers };
    });
    for (const row of body) {
      if (row.length > columns.length) {
        const span = row[columns.length] as Span;
        this.#refuse("PTX1913", `the row has ${row.length} cells, and there are ${columns.length} threads`, span, ";");
      }
      for (const [i, column] of columns.entries()) {
        const cell = row[i];
        if (cell) this.#cell(cell, column);
      }
    }
    for (const column of columns) this.#judge(column);
    return columns;
  }

  /** `P0@cta 0,gpu 0`. */
  #thread(cell: Span): { name: string; placement: Placement } {
    const [head = "", place = ""] = this.#slice(cell).split("@");
    const name = /^\d+$/.test(head.trim()) ? `P${head.trim()}` : head.trim();
    const numbers = new Map<string, number>();
    for (const part of place.replaceAll(/[\s=]+/g, " ").split(/,| (?=[A-Za-z])/)) {
      const found = /^(cta|cluster|gpu|sys) ?(\d+)?$/i.exec(part.trim());
      if (found) numbers.set((found[1] as string).toLowerCase(), Number(found[2] ?? 0));
      else if (part.trim() !== "")
        this.#refuse("PTX1912", `${part.trim()} is not a place`, cell, "cta N, cluster N or gpu N");
    }
    if (!/^[A-Za-z]\w*$/.test(name))
      this.#refuse("PTX1912", `${name || "nothing"} is not a name of a thread`, cell, "P0, P1 and so on");
    const own = Number(/\d+/.exec(name)?.[0] ?? 0);
    const cta = numbers.get("cta") ?? own;
    // by default, each block is a separate cluster
    return {
      name,
      placement: { block: cta, cluster: numbers.get("cluster") ?? 1_000_000 + cta, gpu: numbers.get("gpu") ?? 0 },
    };
  }

  /** Labels, and an instruction. */
  #cell(cell: Span, column: { instructions: Instruction[]; labels: Map<string, number> }): void {
    let span = cell;
    for (let found = label.exec(this.#slice(span)); found; found = label.exec(this.#slice(span))) {
      column.labels.set(found[1] as string, column.instructions.length);
      span = trimmed(this.#text, { start: span.start + found[0].length, end: span.end });
    }
    const text = this.#slice(span);
    if (text === "") return;
    const mnemonic = /^\S+/.exec(text)?.[0] ?? "";
    const does = meaningOf(mnemonic);
    if (!does) {
      const end = span.start + mnemonic.length;
      this.#refuse(
        "PTX1914",
        `unknown instruction ${mnemonic} here`,
        { start: span.start, end },
        "ld, st, suld, sust, tex, ldc, atom, red, fence, membar, bar.cta, mov, add, goto, beq, bne and their like",
      );
      return;
    }
    const rest = { start: span.start + mnemonic.length, end: span.end };
    const operands = split(this.#text, rest, ",")
      .map((each) => trimmed(this.#text, each))
      .filter(({ start, end }) => end > start)
      .map((each) => ({ text: this.#slice(each).replace(/^%/, ""), span: each }));
    const simple = text.replaceAll(/\s+/g, " ");
    // `ld r, 1` gives a register a value, as `mov r, 1` does
    const constant = does.kind === "load" && number.test(operands[1]?.text ?? "");
    column.instructions.push({ does: constant ? { kind: "compute", by: "mov" } : does, text: simple, span, operands });
  }

  /** Checks that labels exist, operands suffice, and results are registers; declares the memory that is named. */
  #judge(column: Column): void {
    const registers = registersOf(column);
    for (const { does, operands, span } of column.instructions) {
      const [least, shape] = operandsOf(
        does.kind === "atomic"
          ? `${does.kind} ${does.reduction} ${does.update}`
          : does.kind === "branch" && does.when !== "always"
            ? "test"
            : does.kind,
      );
      if (operands.length < least) this.#refuse("PTX1915", "the instruction needs more operands", span, shape);
      if (does.kind === "branch" && operands.length > 0) {
        const target = operands.at(-1) as Operand;
        if (!column.labels.has(target.text))
          this.#refuse(
            "PTX1916",
            `${column.name} has no label ${target.text}`,
            target.span,
            [...column.labels.keys()].join(", ") || "a label such as LC00:",
          );
      }
      const writes = does.kind === "load" || does.kind === "compute" || (does.kind === "atomic" && !does.reduction);
      const to = operands[0];
      if (writes && to && (number.test(to.text) || this.#memory.knows(to.text)))
        this.#refuse("PTX1915", `${to.text} is not a register`, to.span, "a register");
      for (const { text } of does.kind === "branch" ? operands.slice(0, -1) : operands) {
        const name = /^\[?\s*&?([A-Za-z_$%][\w$%.]*)(?:\[(\w+)\])?\s*\]?$/.exec(text);
        if (name && !registers.has(name[1] as string))
          this.#memory.declare(name[1] as string, Number(name[2]) + 1 || 1);
      }
    }
  }

  #claims({ claims }: Parts): Claim[] {
    const kinds: Readonly<Record<string, Claim["kind"]>> = {
      exists: "exists",
      "~exists": "never",
      notexists: "never",
      forall: "forall",
    };
    const result: Claim[] = [];
    for (const { word, condition } of claims) {
      const kind = kinds[word];
      if (kind) result.push({ kind, condition });
    }
    if (result.length === 0 && this.#diagnostics.length === 0)
      this.#refuse(
        "PTX1903",
        "the test claims nothing",
        { start: this.#text.length, end: this.#text.length },
        "exists, ~exists or forall, and a condition",
      );
    return result;
  }
}

/** The minimum number of operands of an instruction, and their kinds. */
function operandsOf(kind: string): readonly [number, string] {
  if (kind.startsWith("atomic true")) return [2, "x, n"];
  if (kind === "atomic false cas") return [4, "r, x, compared, new"];
  if (kind.startsWith("atomic")) return [3, "r, x, n"];
  const shapes: Readonly<Record<string, readonly [number, string]>> = {
    load: [2, "r, x"],
    store: [2, "x, n"],
    compute: [2, "r, a, b"],
    branch: [1, "a label"],
    test: [3, "a, b, a label"],
  };
  return shapes[kind] ?? [0, ""];
}

/** All registers of a thread: initial ones, and those that it writes. */
function registersOf({ instructions, registers }: Column): Set<string> {
  const all = new Set(registers.keys());
  for (const { does, operands } of instructions)
    if (does.kind === "load" || does.kind === "compute" || (does.kind === "atomic" && !does.reduction))
      if (operands[0]) all.add(operands[0].text);
  return all;
}
