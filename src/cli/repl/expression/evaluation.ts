import type { Debugger } from "../../../host/debugger.ts";
import type { Parameter, Register } from "../../../interp/contract/program.ts";
import type { ThreadId } from "../../../interp/contract/thread-id.ts";
import { evaluate, type Surroundings } from "./evaluate.ts";
import { parseExpression, type ReplExpression } from "./expression.ts";
import type { ProgramNames } from "./names.ts";
import type { LinePart } from "./refusal.ts";
import { specialValue } from "./special.ts";
import { type ExpressionValue, integer } from "./value.ts";

/** What expressions are about: a program under its debugger, and the values that were printed. */
export interface Viewed {
  readonly debugger: Debugger;
  readonly names: ProgramNames;
  /** `$1` is the first. */
  readonly values: readonly ExpressionValue[];
}

/** An expression that has been read, and can be evaluated again and again. */
export interface Evaluation {
  readonly part: LinePart;
  readonly expression: ReplExpression;
  /** Its value for a thread, the focused one by default. Throws a `Refusal` where it has none. */
  at(viewed: Viewed, thread?: ThreadId): ExpressionValue;
}

/** Reads an expression; throws a `Refusal` (PTX2403). */
export function evaluation(part: LinePart): Evaluation {
  const expression = parseExpression(part);
  return { part, expression, at: (viewed, thread) => evaluate(expression, part, surroundings(viewed, thread)) };
}

/** What an expression sees of a thread. */
export function surroundings(viewed: Viewed, thread: ThreadId = viewed.debugger.focus): Surroundings {
  const debugger_ = viewed.debugger;
  const names = viewed.names.within(debugger_.machine.calls(thread)[0]?.callee);
  return {
    names,
    register: (register) => registerBits(debugger_, thread, register),
    carry: () => debugger_.carry(thread),
    special: (name) => specialValue(name, thread, debugger_),
    parameter: ({ offset, bytes }: Parameter) => debugger_.read("param", BigInt(offset), bytes, thread),
    read: (space, address, bytes) => debugger_.read(space, address, bytes, thread),
    convenience: (name) => convenience(name, viewed, thread),
  };
}

/** A register's elements, each as wide as its type. */
function registerBits(debugger_: Debugger, thread: ThreadId, { name, bits, elements }: Register): readonly bigint[] {
  const all = debugger_.reader({ kind: "register", thread, name })() ?? 0n;
  return Array.from({ length: elements }, (_, at) => BigInt.asUintN(bits, all >> BigInt(at * bits)));
}

/** `$step`, `$pc`, `$_` (the last value) and `$1`; undefined for a name that may be the program's. */
function convenience(name: string, viewed: Viewed, thread: ThreadId): ExpressionValue | undefined {
  if (name === "$step") return integer(BigInt(viewed.debugger.position));
  if (name === "$pc") return integer(BigInt(viewed.debugger.pcOf(thread) ?? 0));
  const { values } = viewed;
  if (name === "$_") return values.at(-1);
  return /^\$\d+$/.test(name) ? values[Number(name.slice(1)) - 1] : undefined;
}
