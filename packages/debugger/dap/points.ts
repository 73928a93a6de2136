import type { DebugProtocol } from "@vscode/debugprotocol";
import type { Debugger, Event } from "../../../src/host/debugger/debugger.ts";
import type { ThreadId } from "../../../src/interp/contract/launch/thread-id.ts";
import { asked, conditionOf } from "../console/commands/condition.ts";
import type { Evaluation } from "../console/expression/evaluation.ts";
import { startsOfLine } from "../console/expression/original-place.ts";
import { lineOf, readPlace } from "../console/expression/place.ts";
import { Refusal, whole } from "../console/expression/refusal.ts";
import { targetOf } from "../console/expression/target.ts";
import { show } from "../console/show/format.ts";
import type { Debuggee } from "./debuggee.ts";
import { DapError, inOneLine } from "./protocol/problem.ts";
import type { Sources } from "./sources.ts";

type Wishes = Pick<DebugProtocol.SourceBreakpoint, "condition" | "hitCondition" | "logMessage">;
type Breakpoint = DebugProtocol.Breakpoint;

/** What can be caught, as clients list it. */
export const filters: readonly DebugProtocol.ExceptionBreakpointsFilter[] = [
  { filter: "fault", label: "Faults", description: "a bad access, a trap, a limit: these always stop", default: true },
  {
    filter: "race",
    label: "Races",
    description: "an access that races with another; with sanitize: race",
    default: false,
  },
  {
    filter: "nan",
    label: "New NaNs",
    description: "an instruction that gives a NaN though no operand was one",
    default: false,
  },
  { filter: "divergence", label: "Divergence", description: "lanes of a warp that part", default: false },
  { filter: "barrier", label: "Barriers", description: "before a warp arrives at a barrier", default: false },
];

/** The breakpoints of a client: those of one kind are set together, and replace the earlier ones of that kind. */
export class Points {
  readonly #debuggee: Debuggee;
  readonly #sources: Sources;
  readonly #log: (text: string, pc: number) => void;
  /** The debugger's numbers, by the request that set them. */
  readonly #ids = new Map<string, number[]>();
  /** Whether the program goes forward: going back counts no hits and logs nothing. */
  forward = true;

  constructor(debuggee: Debuggee, sources: Sources, log: (text: string, pc: number) => void) {
    this.#debuggee = debuggee;
    this.#sources = sources;
    this.#log = log;
  }

  /** Lines of the program, or of the source that it was compiled from. */
  lines(source: DebugProtocol.Source, wanted: readonly DebugProtocol.SourceBreakpoint[]): Breakpoint[] {
    const file = this.#sources.fileOf(source);
    const { program } = this.#debuggee.debugger.session;
    return this.#replace(`source ${file ?? ""}`, wanted, (wish) => {
      if (file === undefined) {
        const pc = readPlace(whole("line", String(wish.line)), program);
        return { pcs: [pc], place: { source, line: lineOf(program, pc) } };
      }
      const pcs = startsOfLine({ file, line: wish.line }, program);
      const [first] = pcs;
      if (first === undefined) throw new DapError(`nothing was compiled from line ${wish.line} or after it`);
      return { pcs, place: { source, line: program.code[first]?.location?.line ?? wish.line } };
    });
  }

  /** Functions and labels by name. */
  functions(wanted: readonly DebugProtocol.FunctionBreakpoint[]): Breakpoint[] {
    return this.#replace("function", wanted, ({ name }) =>
      this.#at(readPlace(whole("name", name), this.#debuggee.debugger.session.program)),
    );
  }

  instructions(wanted: readonly DebugProtocol.InstructionBreakpoint[]): Breakpoint[] {
    const { code } = this.#debuggee.debugger.session.program;
    return this.#replace("instruction", wanted, ({ instructionReference, offset = 0 }) => {
      const pc = Number(instructionReference) + offset;
      if (code[pc] === undefined) throw new DapError(`there is no instruction ${instructionReference}`);
      return this.#at(pc);
    });
  }

  /** Values: a register or an expression stops when it changes, memory when it is accessed. */
  data(wanted: readonly DebugProtocol.DataBreakpoint[]): Breakpoint[] {
    this.#clear("data");
    return wanted.map(({ dataId, accessType = "write", condition, hitCondition }) =>
      this.#attempt(() => {
        const { shell, debugger: debugger_ } = this.#debuggee;
        const watched = shell.expression(whole("expression", dataId));
        const when = this.#when({ ...(condition && { condition }), ...(hitCondition && { hitCondition }) });
        const holds = { condition: () => when(debugger_, debugger_.focus) };
        const { type } = watched.at(shell);
        const id =
          watched.expression.kind === "memory"
            ? debugger_.watchAccess(memoryTarget(watched, shell), accessOf[accessType], holds)
            : debugger_.watch(reader(watched, this.#debuggee), holds);
        shell.watched.set(id, { text: dataId, type });
        this.#keep("data", id);
        return { id, verified: true };
      }),
    );
  }

  /** Exception filters; unknown names are refused. */
  exceptions(wanted: readonly string[]): Breakpoint[] {
    this.#clear("exception");
    const race = this.#debuggee.shell.options.sanitize.race;
    return wanted.map((name) =>
      this.#attempt(() => {
        const known = filters.find(({ filter }) => filter === name);
        if (known === undefined)
          throw new DapError(`${name} cannot be caught; expected ${filters.map(({ filter }) => filter).join(", ")}`);
        if (name === "race" && !race)
          throw new DapError('nothing looks for races in this run; launch with "sanitize": "mem,init,sync,race"');
        const id = this.#debuggee.debugger.catch(name as Event);
        this.#keep("exception", id);
        return { id, verified: true };
      }),
    );
  }

  #at(pc: number): Place {
    const { program } = this.#debuggee.debugger.session;
    const { source, line } = this.#sources.place(pc, program.code[pc]);
    return { pcs: [pc], place: { source, line, instructionReference: reference(pc) } };
  }

  #replace<W extends Wishes>(key: string, wanted: readonly W[], find: (wish: W) => Place): Breakpoint[] {
    this.#clear(key);
    return wanted.map((wish) =>
      this.#attempt(() => {
        const { pcs, place } = find(wish);
        const condition = this.#when(wish);
        const id = this.#debuggee.debugger.breakAt(pcs, { condition });
        this.#keep(key, id);
        return { id, verified: true, ...place };
      }),
    );
  }

  /** A breakpoint that cannot be set is shown as such, with the reason; the others are still set. */
  #attempt(set: () => Breakpoint): Breakpoint {
    try {
      return set();
    } catch (error) {
      if (error instanceof DapError) return { verified: false, message: error.message };
      if (!(error instanceof Refusal)) throw error;
      const [first] = error.diagnostics;
      return { verified: false, message: first === undefined ? "it was refused" : inOneLine(first) };
    }
  }

  #keep(key: string, id: number): void {
    this.#ids.set(key, [...(this.#ids.get(key) ?? []), id]);
  }

  #clear(key: string): void {
    for (const id of this.#ids.get(key) ?? []) this.#debuggee.debugger.delete(id);
    this.#ids.delete(key);
  }

  /** Whether a breakpoint stops: its condition, its hit count, and whether it only logs. Converged lanes count once. */
  #when({ condition, hitCondition, logMessage }: Wishes): (debugger_: Debugger, thread: ThreadId) => boolean {
    const { shell } = this.#debuggee;
    const holds = condition ? conditionOf(shell, whole("condition", condition)) : undefined;
    const enough = hitCondition ? readHits(hitCondition) : undefined;
    const parts = logMessage ? readLog(shell, logMessage) : undefined;
    let count = 0;
    let at = -1;
    let verdict = false;
    return (debugger_, thread) => {
      if (holds !== undefined && !asked(shell, holds, thread)) return false;
      if (!this.forward) return parts === undefined;
      if (at === debugger_.position) return verdict;
      at = debugger_.position;
      count++;
      verdict = enough?.(count) ?? true;
      if (verdict && parts !== undefined) {
        this.#log(said(parts, this.#debuggee, thread), debugger_.pcOf(thread) as number);
        verdict = false;
      }
      return verdict;
    };
  }
}

interface Place {
  readonly pcs: readonly number[];
  readonly place: Partial<Breakpoint>;
}

/** The reference that clients store for an instruction. */
export const reference = (pc: number): string => `0x${pc.toString(16)}`;

const accessOf = { read: "read", write: "write", readWrite: "any" } as const;

/** `5` means the fifth hit and all after it; `== 5`, `> 5`, `% 2` mean what they say. */
function readHits(text: string): (count: number) => boolean {
  const [, operator = ">=", digits = ""] = /^(==?|>=?|<=?|%)? *(\d+)$/.exec(text.trim()) ?? [];
  const number = Number(digits);
  const tests: Readonly<Record<string, (count: number) => boolean>> = {
    "=": (count) => count === number,
    "==": (count) => count === number,
    ">": (count) => count > number,
    ">=": (count) => count >= number,
    "<": (count) => count < number,
    "<=": (count) => count <= number,
    "%": (count) => number > 0 && count % number === 0,
  };
  const test = digits === "" ? undefined : tests[operator];
  if (test === undefined) throw new DapError(`${text} counts no hits; expected 5, == 5, > 5 or % 5`);
  return test;
}

/** `sum is {%f1}`: texts, and expressions between braces. */
function readLog(shell: Debuggee["shell"], message: string): readonly (string | Evaluation)[] {
  return message
    .split(/\{([^{}]*)\}/)
    .map((piece, index) => (index % 2 === 0 ? piece : shell.expression(whole("log message", piece))));
}

const said = (parts: readonly (string | Evaluation)[], { shell }: Debuggee, thread: ThreadId): string =>
  parts
    .map((part) => {
      if (typeof part === "string") return part;
      try {
        return show(part.at(shell, thread));
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        return `<${error.diagnostics[0]?.message ?? "no value"}>`;
      }
    })
    .join("");

function memoryTarget(watched: Evaluation, shell: Debuggee["shell"]) {
  const { target } = targetOf(watched, shell);
  if (target.kind !== "memory") throw new DapError("it is not memory");
  return target;
}

/** Reads a value after every instruction. */
function reader(watched: Evaluation, { shell, debugger: debugger_ }: Debuggee): () => bigint | undefined {
  const thread = debugger_.focus;
  return () => {
    try {
      return watched.at(shell, thread).bits;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return undefined;
    }
  };
}
