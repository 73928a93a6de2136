import type * as ast from "../../parser/ast.ts";
import { type PlainBody, PlainInstruction } from "../../parser/plain/instruction.ts";
import { namesOf } from "./names/names-in.ts";
import type { FunctionEntry, ModuleSymbol } from "./names/symbols.ts";
import { overviewOf } from "./overview.ts";

/** How a body refers to functions, by names alone. */
export interface References {
  /** Functions that it calls by name. */
  readonly called: ReadonlySet<string>;
  /** Functions whose address it takes, so that they may be called through it. */
  readonly taken: ReadonlySet<string>;
  /** It calls through a register. */
  readonly indirect: boolean;
  /** It allocates stack memory itself. */
  readonly allocates: boolean;
}

type SymbolsByName = ReadonlyMap<string, ModuleSymbol>;

/** Finds the functions that a body refers to. A name that the body declares itself counts, too. */
export function referencesOf(body: ast.Block, names: SymbolsByName): References {
  const called = new Set<string>();
  const taken = new Set<string>();
  const own = new Set<string>();
  let indirect = false;
  let allocates = false;
  const isFunction = (name: string): boolean => names.get(name)?.kind === "function";
  const plain = new Map<PlainBody, PlainMentions>();
  let last: PlainBody | undefined;
  let known: PlainMentions | undefined;
  const instruction = (statement: ast.Instruction): void => {
    if (statement instanceof PlainInstruction) {
      if (statement.body !== last || known === undefined) {
        last = statement.body;
        known = plain.get(last) ?? mentionsIn(last, names);
        plain.set(last, known);
      }
      // Nearly no instruction calls, and building an instruction's tree takes longer than checking
      // its opcode.
      if (!known.calls || !CALLS.test(statement.opcode)) {
        if (known.functions.length > 0) statement.mark(known.marked);
        return;
      }
    }
    const { mnemonic, operands } = statement;
    if (mnemonic.text === "alloca" || mnemonic.text.startsWith("stack")) allocates = true;
    const callee = mnemonic.text === "call" ? calleeOf(operands) : undefined;
    if (mnemonic.text === "call" && (callee === undefined || !isFunction(callee) || own.has(callee))) indirect = true;
    for (const name of namesOf(statement)) if (isFunction(name)) (name === callee ? called : taken).add(name);
  };
  const open: ast.Block[] = [body];
  for (let block = open.pop(); block !== undefined; block = open.pop()) {
    const { statements } = block;
    for (let at = 0; at < statements.length; at++) {
      const statement = statements[at] as ast.Statement;
      switch (statement.kind) {
        case "block":
          open.push(statement);
          break;
        case "declaration":
          for (const { name } of statement.variables) own.add(name.text);
          break;
        case "calltargets":
          for (const { text } of statement.names) if (isFunction(text)) taken.add(text);
          break;
        case "instruction":
          instruction(statement);
          break;
      }
    }
  }
  for (const { functions, marked } of plain.values())
    for (const { word, name } of functions) if (marked[word] === 1) taken.add(name);
  return { called, taken, indirect, allocates };
}

const CALLS = /^(?:call|alloca|stack)/;

/** The possible references of the plain instructions of a body. */
interface PlainMentions {
  /** Some call, or allocate. */
  readonly calls: boolean;
  /** The words that are names of functions, by their numbers. */
  readonly functions: readonly { readonly word: number; readonly name: string }[];
  /** Words that are mentioned, where there are functions among them. */
  readonly marked: Uint8Array;
}

function mentionsIn({ opcodes, words }: PlainBody, names: SymbolsByName): PlainMentions {
  const { percent } = overviewOf(names);
  const functions: { word: number; name: string }[] = [];
  for (let word = 0; word < words.texts.length; word++) {
    if (!percent && words.texts[word]?.charCodeAt(0) === PERCENT) continue;
    const name = words.name(word);
    if (name !== undefined && names.get(name)?.kind === "function") functions.push({ word, name });
  }
  const marked = new Uint8Array(functions.length === 0 ? 0 : words.texts.length);
  return { calls: opcodes.texts.some((opcode) => CALLS.test(opcode)), functions, marked };
}
const PERCENT = 37;

/** The name of the called function, which comes after the results in parentheses. */
export function calleeOf([first, second]: readonly ast.Operand[]): string | undefined {
  const callee = first?.kind === "name" ? first : second;
  return callee?.kind === "name" ? callee.name.text : undefined;
}

/** The functions that a kernel may call, directly or not. */
export interface Reached {
  /** In the order of the module, including aliases and functions without a body. */
  readonly functions: readonly FunctionEntry[];
  /** Names of those that may be entered again before they return. */
  readonly recursive: ReadonlySet<string>;
  /** Names of those that allocate stack memory themselves. */
  readonly allocating: ReadonlySet<string>;
  /** A stack is needed by one of the bodies. */
  readonly stack: boolean;
  /** Functions that may be called through a register. */
  readonly pointed: ReadonlySet<string>;
}

/** What `reach` needs from the module. */
export interface ReferenceLookup {
  readonly names: SymbolsByName;
  /** References of a function's body; undefined when it has none. */
  references(entry: FunctionEntry): References | undefined;
  /** Every function whose address is taken in any initial value or body of the module. */
  pointed(): ReadonlySet<string>;
}

/** Follows the calls from a kernel's body. */
export function reach(kernel: References, bodies: ReferenceLookup): Reached {
  const { names } = bodies;
  const found = new Map<FunctionEntry, References | undefined>();
  const open: string[] = [];
  let pointed: ReadonlySet<string> = new Set();
  let stack = kernel.allocates;
  const visit = ({ called, taken, indirect, allocates }: References): void => {
    open.push(...called, ...taken);
    stack ||= allocates;
    if (!indirect || pointed.size > 0) return;
    pointed = bodies.pointed();
    open.push(...pointed);
  };
  visit(kernel);
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const entry = names.get(name);
    if (entry?.kind !== "function" || entry.entry || found.has(entry)) continue;
    const references = bodies.references(entry);
    found.set(entry, references);
    if (entry.aliasee !== undefined) open.push(entry.aliasee);
    if (references) visit(references);
  }
  const edges = new Map(
    [...found].map(([{ name, aliasee }, references]) => [name, leads(references, aliasee, pointed)]),
  );
  const recursive = cyclic(edges);
  const allocating = new Set([...found].flatMap(([{ name }, references]) => (references?.allocates ? [name] : [])));
  return {
    allocating,
    functions: [...found.keys()].sort((a, b) => a.index - b.index),
    recursive,
    stack: stack || recursive.size > 0,
    pointed,
  };
}

function leads(
  references: References | undefined,
  aliasee: string | undefined,
  pointed: ReadonlySet<string>,
): ReadonlySet<string> {
  const all = new Set([...(references?.called ?? []), ...(references?.indirect ? pointed : [])]);
  if (aliasee !== undefined) all.add(aliasee);
  return all;
}

/**
 * Nodes on a cycle or on a path between two cycles: what remains when nodes without successors, or without
 * predecessors, are removed.
 */
function cyclic(edges: ReadonlyMap<string, ReadonlySet<string>>): ReadonlySet<string> {
  const forward = trimmed(edges);
  const backward = new Map<string, Set<string>>([...forward].map((name) => [name, new Set()]));
  for (const name of forward) for (const to of edges.get(name) ?? []) backward.get(to)?.add(name);
  return trimmed(backward);
}

/** Removes nodes without successors until there are none. */
function trimmed(edges: ReadonlyMap<string, ReadonlySet<string>>): ReadonlySet<string> {
  const from = new Map<string, string[]>();
  const ways = new Map<string, number>();
  for (const [name, targets] of edges) {
    const known = [...targets].filter((target) => edges.has(target));
    ways.set(name, known.length);
    for (const target of known) {
      const before = from.get(target);
      if (before) before.push(name);
      else from.set(target, [name]);
    }
  }
  const dead = [...ways].flatMap(([name, count]) => (count === 0 ? [name] : []));
  const left = new Set(edges.keys());
  for (let name = dead.pop(); name !== undefined; name = dead.pop()) {
    left.delete(name);
    for (const before of from.get(name) ?? []) {
      const count = (ways.get(before) ?? 0) - 1;
      ways.set(before, count);
      if (count === 0) dead.push(before);
    }
  }
  return left;
}
