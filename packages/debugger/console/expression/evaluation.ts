import type { Debugger } from "../../../../src/host/debugger/debugger.ts";
import type { ThreadId } from "../../../../src/interp/contract/launch/thread-id.ts";
import type { Parameter, Register } from "../../../../src/interp/contract/program.ts";
import type { HostSpace } from "../../../../src/interp/contract/space.ts";
import { changes } from "../../../../src/interp/javascript/bind/other.ts";
import { evaluate, one, type Surroundings, span } from "./evaluate.ts";
import { parseExpression, parseExpressions, type ReplExpression } from "./expression.ts";
import type { ProgramNames } from "./names.ts";
import type { LinePart } from "./refusal.ts";
import { type ExpressionValue, integer } from "./value.ts";

/** A special register of a thread, `tid.x` or `clock`; undefined where there is none of that name. */
function specialValue(name: string, thread: ThreadId, debugger_: Debugger): bigint | undefined {
  const value = debugger_.session.special(name, thread);
  if (value !== undefined) return BigInt(value >>> 0);
  if (name.endsWith(".w")) return 0n;
  if (!changes.has(name)) return undefined;
  if (name.startsWith("pm")) return 0n;
  const position = BigInt(debugger_.position);
  return name.endsWith("_hi")
    ? position >> 32n
    : /64$|^globaltimer$/.test(name)
      ? position
      : BigInt.asUintN(32, position);
}

/** The state that expressions read: a program under its debugger, and the values that were printed. */
export interface Viewed {
  readonly debugger: Debugger;
  readonly names: ProgramNames;
  /** Which frame of the focused thread's call stack is selected, 0 the innermost. */
  readonly frame: number;
  /** `$1` is the first. */
  readonly values: readonly ExpressionValue[];
  /** The type of what lies at an address; undefined where nothing says so. */
  typeAt(space: HostSpace, address: bigint): string | undefined;
}

/** An expression that has been read, and can be evaluated again and again. */
export interface Evaluation {
  readonly part: LinePart;
  readonly expression: ReplExpression;
  /** Its value for a thread, the focused one by default. Throws a `Refusal` where it has none. */
  at(viewed: Viewed, thread?: ThreadId): ExpressionValue;
  /** The same where it has to be one number: the elements of a vISA variable are refused. */
  one(viewed: Viewed, thread?: ThreadId): ExpressionValue;
}

/** Reads an expression; throws a `Refusal` (PTX2403). */
export function evaluation(part: LinePart): Evaluation {
  return evaluated(parseExpression(part), part);
}

/** Reads several, each with its own piece of the line; throws a `Refusal` (PTX2403). */
export const evaluations = (part: LinePart): readonly Evaluation[] =>
  parseExpressions(part).map((expression) => evaluated(expression, span(expression, part)));

const evaluated = (expression: ReplExpression, part: LinePart): Evaluation => ({
  part,
  expression,
  at: (viewed, thread) => evaluate(expression, part, surroundings(viewed, thread)),
  one: (viewed, thread) => {
    const around = surroundings(viewed, thread);
    return one(evaluate(expression, part, around), span(expression, part), around);
  },
});

/** What an expression sees of a thread. */
export function surroundings(viewed: Viewed, thread: ThreadId = viewed.debugger.focus): Surroundings {
  const debugger_ = viewed.debugger;
  const scope = scopeOf(viewed, thread);
  const names = viewed.names.within(typeof scope === "number" ? scope : undefined);
  return {
    names,
    register: (register) => registerBits(debugger_, thread, register, scope),
    carry: () => debugger_.carry(thread),
    special: (name) => specialValue(name, thread, debugger_),
    parameter: ({ offset, bytes }: Parameter) => debugger_.read("param", BigInt(offset), bytes, thread),
    variable: (name) => debugger_.session.variable(name, thread),
    registerBytes: debugger_.session.program.simd?.registerBytes,
    read: (space, address, bytes) => debugger_.read(space, address, bytes, thread),
    typeAt: (space, address) => viewed.typeAt(space, address),
    convenience: (name) => convenience(name, viewed, thread),
  };
}

/** The thread and frame whose registers are read: the selected frame of the focused thread, else the innermost. */
export function scopeOf({ debugger: debugger_, frame }: Viewed, thread: ThreadId = debugger_.focus): number | "kernel" {
  const { block, warp, lane } = debugger_.focus;
  const own = thread.block === block && thread.warp === warp && thread.lane === lane;
  return debugger_.machine.calls(thread)[own ? frame : 0]?.callee ?? "kernel";
}

/** A register's elements, each as wide as its type. */
function registerBits(
  debugger_: Debugger,
  thread: ThreadId,
  { name, bits, elements }: Register,
  scope: number | "kernel",
): readonly bigint[] {
  const all = debugger_.reader({ kind: "register", thread, name, scope })() ?? 0n;
  return Array.from({ length: elements }, (_, at) => BigInt.asUintN(bits, all >> BigInt(at * bits)));
}

/** `$step`, `$pc`, `$_` (the last value) and `$1`; undefined for a name that may belong to the program. */
function convenience(name: string, viewed: Viewed, thread: ThreadId): ExpressionValue | undefined {
  if (name === "$step") return integer(BigInt(viewed.debugger.position));
  if (name === "$pc") return integer(BigInt(viewed.debugger.pcOf(thread) ?? 0));
  const { values } = viewed;
  if (name === "$_") return values.at(-1);
  return /^\$\d+$/.test(name) ? values[Number(name.slice(1)) - 1] : undefined;
}
