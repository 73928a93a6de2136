import type { Operand } from "../../interp/contract/operand.ts";
import type { Instruction } from "../../interp/contract/program.ts";
import type { Form } from "../../isa/form/define.ts";
import type * as ast from "../../parser/ast.ts";
import type { Scope } from "../declaration/scope.ts";
import type { FunctionParameter, Signature } from "../module/names/signature.ts";
import { nearest } from "../nearest.ts";
import { reject } from "../report.ts";
import { passOne } from "./call-argument.ts";
import { slotOf } from "./operand/register.ts";

/** A call's operands split: `call (r), f, (a), list`. */
interface CallOperands {
  readonly results: readonly ast.Operand[];
  readonly callee: ast.OperandName;
  readonly args: readonly ast.Operand[];
  readonly list: ast.OperandName | undefined;
}

/** The functions that a call may reach, and their parameters and results. */
interface Callee {
  readonly operand: Operand;
  readonly candidates: readonly number[] | undefined;
  readonly signatures: readonly Signature[];
  /** Its code is not in the text. */
  readonly missing?: boolean;
}

const none: Operand = { kind: "vector", items: [] };

/** `call` in all its forms; undefined after PTX1301, 1421, 1422, 1423 and others. */
export function resolveCall(
  instruction: ast.Instruction,
  form: Form,
  scope: Scope,
): Pick<Instruction, "plan" | "operands"> | undefined {
  const parts = takeApart(instruction, form, scope);
  if (!parts) return undefined;
  const callee = parts.list ? indirect(parts, parts.list, scope) : direct(parts, scope);
  if (!callee) return undefined;
  // The parameters of an unknown function are also unknown; a run ends here.
  if (callee.missing) return { plan: { shape: "call" }, operands: [none, callee.operand, none] };
  let passed: { readonly results: Operand[]; readonly args: Operand[] } | undefined;
  // The operands are checked against every function of a list.
  for (const signature of callee.signatures) {
    const results = pass(parts.results, signature.results, true, parts, scope);
    const args = results && pass(parts.args, signature.parameters, false, parts, scope);
    if (!results || !args) return undefined;
    passed ??= { results, args };
  }
  if (!passed) throw new Error("a call without a signature");
  const open = callee.signatures.some(({ parameters }) => parameters.some(({ bytes }) => bytes === undefined));
  if (open) return { plan: { shape: "gap", form: "call with an argument list of open length" }, operands: [] };
  const vector = (items: readonly Operand[]): Operand => ({ kind: "vector", items });
  const operands = [vector(passed.results), callee.operand, vector(passed.args)];
  if (callee.candidates) operands.push(vector(callee.candidates.map((pc) => ({ kind: "target", pc }))));
  return { plan: { shape: "call" }, operands };
}

function takeApart(instruction: ast.Instruction, form: Form, scope: Scope): CallOperands | undefined {
  const rest = [...instruction.operands];
  const take = (): readonly ast.Operand[] => listOf(rest[0], scope) ?? [];
  const results = take();
  if (listOf(rest[0], scope)) rest.shift();
  const callee = rest.shift();
  const args = take();
  if (listOf(rest[0], scope)) rest.shift();
  const list = rest.shift();
  const named = (operand: ast.Operand | undefined): operand is ast.OperandName =>
    operand?.kind === "name" && !operand.component;
  if (named(callee) && (list === undefined || named(list)) && rest.length === 0) return { results, callee, args, list };
  return reject(scope, "PTX1301", instruction, "these are not the operands of a call", {
    expected: form.syntax,
    manual: form.manual,
  });
}

/** The operands in parentheses; the parser reads `(1)` as an expression. */
function listOf(operand: ast.Operand | undefined, scope: Scope): readonly ast.Operand[] | undefined {
  if (operand?.kind === "list") return operand.items;
  return operand?.kind === "expr" && scope.source.text[operand.start] === "(" ? [operand] : undefined;
}

function direct({ callee }: CallOperands, scope: Scope): Callee | undefined {
  const { text } = callee.name;
  const symbol = scope.lookup(text);
  if (symbol?.kind === "register")
    return reject(scope, "PTX1423", callee, `a call through ${text} does not say what it may reach`, {
      expected: "a .callprototype, a .calltargets list or a table of functions after it",
    });
  const entry = symbol?.kind === "function" ? scope.callables.entry(text) : undefined;
  if (entry === undefined) return noFunction(callee.name, scope);
  if (entry.entry)
    return reject(scope, "PTX1421", callee, `${text} is a kernel`, { expected: "a device function, declared .func" });
  const operand = { kind: "target" as const, pc: scope.callables.index(entry.name) };
  if (entry.missing) noteMissing(callee.name, entry.missing, scope);
  return { operand, candidates: undefined, signatures: [entry.signature], missing: entry.missing === "code" };
}

function noteMissing(name: ast.Name, missing: "declaration" | "code", scope: Scope): void {
  const severity = "note";
  if (missing === "declaration")
    reject(scope, "PTX9014", name, `${name.text} is not declared, and taken for the driver's`, { severity });
  else
    reject(scope, "PTX9015", name, `the code of ${name.text} is not in the text: a run ends where this is called`, {
      severity,
      help: [{ message: "add its .func; Compiler Explorer hides it with its filter of library functions" }],
    });
}

function noFunction(name: ast.Name, scope: Scope): undefined {
  const near = nearest(name.text, scope.names("function"));
  const later = scope.callables.entry(name.text)?.entry === false;
  if (later)
    return reject(scope, "PTX1421", name, `${name.text} is declared only after this call`, {
      expected: "its declaration before the call",
      help: [{ message: "move it up, or write its head with a `;` before this function" }],
      manual: "control-flow-instructions-call",
    });
  return reject(scope, "PTX1421", name, `no function ${name.text} is declared before this`, {
    expected: "a .func, or a register that holds its address",
    ...(near && {
      help: [{ message: `did you mean ${near}?`, replace: { span: { start: name.start, end: name.end }, text: near } }],
    }),
    manual: "control-flow-instructions-call",
  });
}

function indirect({ callee }: CallOperands, list: ast.OperandName, scope: Scope): Callee | undefined {
  const symbol = scope.lookup(callee.name.text);
  if (symbol?.kind !== "register" || !/^[bus](32|64)$/.test(symbol.type) || symbol.elements > 1)
    return reject(scope, "PTX1302", callee, `${callee.name.text} does not hold a function's address`, {
      expected: "a register of 64 bits",
    });
  const targets = candidatesOf(list, scope);
  if (!targets) return undefined;
  return { operand: slotOf(scope.use(symbol)), ...targets };
}

/** The functions that a list, a table or a prototype allows. */
function candidatesOf(list: ast.OperandName, scope: Scope): Omit<Callee, "operand"> | undefined {
  const { callables } = scope;
  const symbol = scope.lookup(list.name.text);
  const node = symbol?.kind === "list" || symbol?.kind === "prototype" ? scope.listAt(list.name) : undefined;
  if (node?.kind === "callprototype") {
    const signature = callables.prototype(node);
    return { candidates: callables.pointed(signature), signatures: [signature] };
  }
  const names =
    node?.kind === "calltargets"
      ? node.names.map(({ text }) => text)
      : symbol?.kind === "variable"
        ? symbol.functions
        : [];
  const entries = names.flatMap((name) => callables.entry(name) ?? []);
  if (entries.length > 0)
    return {
      candidates: entries.map(({ name }) => callables.index(name)),
      signatures: entries.map(({ signature }) => signature),
    };
  return reject(scope, "PTX1423", list, `${list.name.text} is not a list of functions before this call`, {
    expected: "a .callprototype, a .calltargets list or a table of functions",
  });
}

/** Checks the operands in parentheses against a list of parameters and returns them, one for each register. */
function pass(
  written: readonly ast.Operand[],
  formal: readonly FunctionParameter[],
  result: boolean,
  { callee }: CallOperands,
  scope: Scope,
): Operand[] | undefined {
  // An array of open length may be left out, or be passed any array.
  const least = formal.filter(({ count }) => count !== undefined).length;
  if (written.length > formal.length || written.length < least) {
    const what = result ? "result" : "argument";
    return reject(
      scope,
      "PTX1422",
      callee,
      `${counted(written.length, what)} where ${callee.name.text} has ${formal.length}`,
      {
        expected: counted(formal.length, what),
        manual: "control-flow-instructions-call",
      },
    );
  }
  const passed = written.map((operand, index) => passOne(operand, formal[index] as FunctionParameter, result, scope));
  return passed.every((each) => each !== undefined) ? passed.flat() : undefined;
}

const counted = (count: number, what: string): string =>
  count === 0 ? `no ${what}s` : count === 1 ? `one ${what}` : `${count} ${what}s`;
