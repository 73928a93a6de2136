import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import type { Instruction, Operand, Register } from "../../src/interp/program.ts";
import type { RegisterType } from "../../src/isa/operands.ts";
import type * as ast from "../../src/parser/ast.ts";
import { parseSnippet } from "../../src/parser/index.ts";
import { resolveInstruction } from "../../src/resolve/instruction.ts";
import type { Symbol as Named, RegisterSymbol, Scope } from "../../src/resolve/scope.ts";
import { archOf } from "../../src/resolve/target.ts";
import type { Diagnostic } from "../../src/source/diagnostic.ts";
import { Source } from "../../src/source/source.ts";

/** One instruction and how its names are declared, as ptxas 13.0 was asked. */
export interface Record {
  readonly text: string;
  readonly decl: Readonly<globalThis.Record<string, string>>;
  readonly target: string;
  readonly version: string;
  readonly family?: string;
  readonly cat?: string;
  readonly quirk?: string;
}

export function readRecords(name: string): Record[] {
  const bytes = gunzipSync(readFileSync(new URL(`../data/${name}`, import.meta.url)));
  return bytes
    .toString("utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record);
}

/** What became of a record's text: instructions that resolved, and everything that was said. */
export interface Outcome {
  readonly instructions: readonly Instruction[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Parses and resolves a record in a scope made of its declarations alone. */
export function resolveRecord(record: Record): Outcome {
  const source = new Source("record", record.text);
  const parsed = parseSnippet(source);
  const diagnostics: Diagnostic[] = [...parsed.diagnostics];
  const scope = scopeOf(source, record, diagnostics);
  const instructions: Instruction[] = [];
  for (const statement of parsed.value.statements) {
    if (statement.kind !== "instruction") continue;
    const resolved = resolveInstruction(statement, scope);
    if (resolved) instructions.push(resolved);
  }
  return { instructions, diagnostics };
}

const nowhere = { start: 0, end: 0 };
const spaces = ["global", "const", "shared", "local", "param"] as const;

function symbolOf(name: string, declared: string): Named | undefined {
  if (declared === "label") return { kind: "label", name, span: nowhere };
  if (declared === "kparam") {
    const bytes = name === "kpb" ? 128 : name === "kp1" ? 4 : 8;
    return { kind: "variable", name, space: "param", type: "b64", bytes, offset: 0, span: nowhere };
  }
  const statement = /^(?:module|local):(.*)$/s.exec(declared)?.[1];
  if (statement !== undefined) {
    if (statement.includes(".func")) return { kind: "function", name, span: nowhere };
    const space = spaces.find((each) => statement.includes(`.${each}`)) ?? "global";
    const offset = space === "global" || space === "const" ? undefined : 0;
    return { kind: "variable", name, space, type: "b8", bytes: 64, offset, span: nowhere };
  }
  const [, vector, type] = /^(?:v([24])\.)?(\w+)$/.exec(declared) ?? [];
  if (type === undefined) return undefined;
  return {
    kind: "register",
    name,
    type: type as RegisterType | "pred",
    elements: (vector === undefined ? 1 : Number(vector)) as 1 | 2 | 4,
    span: nowhere,
  };
}

/** A scope whose slots are handed out in the order of first use. */
export function scopeOf(source: Source, record: Record, diagnostics: Diagnostic[]): Scope {
  const symbols = new Map<string, Named>();
  for (const [name, declared] of Object.entries(record.decl)) {
    const symbol = symbolOf(name, declared);
    if (symbol) symbols.set(name, symbol);
  }
  const [major = "0", minor = "0"] = record.version.split(".");
  const arch = archOf(record.target)?.arch;
  if (!arch) throw new Error(`${record.target} is no target`);
  const used = new Map<string, Register>();
  let next = 0;
  const fresh = (bank: "r" | "q", bits: 8 | 16 | 32 | 64 | 128): Operand & { kind: "slot" } => ({
    kind: "slot",
    bank,
    slot: next++,
    bits,
  });
  const bankOf = (bits: number): "r" | "q" => (bits > 32 ? "q" : "r");
  return {
    source,
    version: Number(major) * 10 + Number(minor),
    target: arch,
    lookup: (name) => symbols.get(name),
    names: (kind) => [...symbols.values()].filter((symbol) => symbol.kind === kind).map(({ name }) => name),
    use(symbol: RegisterSymbol): Register {
      const known = used.get(symbol.name);
      if (known) return known;
      const { name, type, elements, span } = symbol;
      const bits = type === "pred" ? 1 : type === "f16x2" ? 32 : Number(type.slice(1));
      const bank = bits === 1 ? "p" : bankOf(bits);
      const made = { name, type, elements, span, bits: bits as Register["bits"], bank, slot: next } as const;
      next += elements;
      used.set(name, made);
      return made;
    },
    constant: (_bits, width) => fresh(bankOf(width), width),
    addressOf: (_variable, _offset, width) => fresh(bankOf(width), width),
    special: (_name, width) => fresh(bankOf(width), width),
    label: (_name: ast.Name) => ({ kind: "target", pc: 0 }),
    diagnose: (diagnostic) => void diagnostics.push(diagnostic),
  };
}

/** The errors among diagnostics, as `PTX1203`. */
export const errorCodes = ({ diagnostics }: Outcome): string[] =>
  diagnostics.filter(({ severity }) => severity === "error").map(({ code }) => code);
