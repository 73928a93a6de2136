import type { Event, Point } from "../../../host/debugger.ts";
import type { ThreadId } from "../../../interp/contract/thread-id.ts";
import type { Evaluation } from "../expression/evaluation.ts";
import { instructionLine, placeName, readPlace } from "../expression/place.ts";
import { type LinePart, Refusal, refuse } from "../expression/refusal.ts";
import { targetOf } from "../expression/target.ts";
import { holds } from "../expression/value.ts";
import type { Shell } from "../shell.ts";
import { count, parted, something, words } from "./arguments.ts";
import type { Command } from "./command.ts";

export const events: readonly Event[] = ["fault", "nan", "divergence", "barrier"];

export const breaking: readonly Command[] = [
  {
    name: "break",
    short: ["b", "br"],
    group: "stopping",
    usage: "break [PLACE] [if E]",
    help: "stop before the instruction at a place, here by default, where the condition holds for a thread",
    takes: "place",
    words: ["if"],
    repeat: false,
    run: (shell, argument) => setBreak(shell, argument, false),
  },
  {
    name: "tbreak",
    short: ["tb"],
    group: "stopping",
    usage: "tbreak [PLACE] [if E]",
    help: "the same, once",
    takes: "place",
    words: ["if"],
    repeat: false,
    run: (shell, argument) => setBreak(shell, argument, true),
  },
  {
    name: "watch",
    short: ["wa"],
    group: "stopping",
    usage: "watch E [if E]",
    help: "stop when the value of a register, of [memory] or of any expression of the focused thread has changed",
    takes: "expression",
    words: ["if"],
    repeat: false,
    run: setWatch,
  },
  {
    name: "catch",
    group: "stopping",
    usage: "catch fault|nan|divergence|barrier",
    help: "stop at a fault, when an instruction makes a NaN from numbers, when a warp diverges, or before a barrier",
    takes: "event",
    repeat: false,
    run: (shell, argument) => {
      const event = events.find((each) => each === argument.text);
      if (event === undefined)
        throw refuse("PTX2402", `${argument.text === "" ? "nothing" : argument.text} cannot be caught`, argument, {
          expected: events.join(", "),
        });
      shell.out(`catchpoint ${shell.debugger.catch(event)}: ${event}\n`);
    },
  },
  {
    name: "delete",
    short: ["d", "del"],
    group: "stopping",
    usage: "delete [N...]",
    help: "forget breakpoints, watchpoints and catchpoints by number, or all of them",
    takes: "none",
    repeat: false,
    run: (shell, argument) => each(shell, argument, (id) => shell.debugger.delete(id)),
  },
  {
    name: "enable",
    short: ["en"],
    group: "stopping",
    usage: "enable [N...]",
    help: "let them stop the program again",
    takes: "none",
    repeat: false,
    run: (shell, argument) => each(shell, argument, (id) => shell.debugger.enable(id)),
  },
  {
    name: "disable",
    short: ["dis"],
    group: "stopping",
    usage: "disable [N...]",
    help: "keep them, but do not stop the program",
    takes: "none",
    repeat: false,
    run: (shell, argument) => each(shell, argument, (id) => shell.debugger.disable(id)),
  },
  {
    name: "ignore",
    group: "stopping",
    usage: "ignore N HITS",
    help: "ignore the next hits of one",
    takes: "none",
    repeat: false,
    run: (shell, argument) => {
      const [id, hits] = words(argument);
      if (id === undefined || hits === undefined)
        throw refuse("PTX2402", "an argument is missing", argument, { expected: "ignore N HITS" });
      const times = count(shell, hits);
      const number = pointNumber(shell, id);
      shell.debugger.ignore(number, times);
      shell.out(`the next ${times === 1 ? "hit" : `${times} hits`} of ${number} will pass\n`);
    },
  },
];

function setBreak(shell: Shell, argument: LinePart, temporary: boolean): void {
  const { program } = shell.debugger.session;
  const { what, condition } = parted(argument);
  const here = what.text === "" ? shell.debugger.pcOf() : undefined;
  if (what.text === "" && here === undefined)
    throw refuse("PTX2407", "the focused thread stands nowhere", argument, { expected: "break PLACE" });
  const pc = here ?? readPlace(what, program);
  const when = condition && conditionOf(shell, condition);
  const id = shell.debugger.breakAt(pc, {
    temporary,
    ...(when && { condition: (_, thread) => asked(shell, when, thread) }),
  });
  if (condition !== undefined) shell.conditions.set(id, condition.text);
  shell.out(`breakpoint ${id} at ${placeName(program, pc)}: ${instructionLine(program, pc)}\n`);
}

/** Reads a condition, and tries it: an unknown name is reported now and not at the first hit. */
function conditionOf(shell: Shell, condition: LinePart): Evaluation {
  something(condition, "if E");
  const read = shell.expression(condition);
  try {
    read.at(shell);
  } catch (error) {
    // Memory that cannot be read here may be there at the breakpoint.
    if (!(error instanceof Refusal) || error.diagnostics.some(({ code }) => code !== "PTX2406")) throw error;
  }
  return read;
}

/** Whether a condition holds. One without a value stops the program, too, and its problem is shown. */
function asked(shell: Shell, condition: Evaluation, thread: ThreadId): boolean {
  try {
    return holds(condition.at(shell, thread));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    shell.complain(error.diagnostics);
    return true;
  }
}

function setWatch(shell: Shell, argument: LinePart): void {
  something(argument, "watch E [if E]");
  const { what, condition } = parted(argument);
  const watched = shell.expression(what);
  const when = condition && conditionOf(shell, condition);
  const { type } = watched.at(shell);
  const thread = shell.debugger.focus;
  const options = when && { condition: () => asked(shell, when, thread) };
  const id = shell.debugger.watch(reader(shell, watched, what), options);
  shell.watched.set(id, { text: what.text, type });
  if (condition !== undefined) shell.conditions.set(id, condition.text);
  shell.out(`watchpoint ${id}: ${what.text}\n`);
}

/** Reads a value after every instruction, as directly as the expression allows. */
function reader(shell: Shell, watched: Evaluation, part: LinePart): () => bigint | undefined {
  const { kind } = watched.expression;
  const element = kind === "name" && /\.[xyzwrgba]$/.test(part.text);
  if ((kind === "name" && !element && !part.text.startsWith("$")) || kind === "memory") {
    const found = kind === "memory" ? undefined : shell.subject.names.find(part.text);
    if (kind === "memory" || found?.kind === "register" || found?.kind === "carry")
      return shell.debugger.reader(targetOf(watched, shell).target);
  }
  const thread = shell.debugger.focus;
  return () => {
    try {
      return watched.at(shell, thread).bits;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return undefined;
    }
  };
}

/** Does something to the points that are named, or to all. */
function each(shell: Shell, argument: LinePart, act: (id: number) => boolean): void {
  const named = words(argument).map((word) => pointNumber(shell, word));
  for (const id of argument.text === "" ? shell.debugger.points.map((point) => point.id) : named) act(id);
}

function pointNumber(shell: Shell, word: LinePart): number {
  const id = Number(word.text);
  if (/^\d+$/.test(word.text) && shell.debugger.points.some((point) => point.id === id)) return id;
  const known = shell.debugger.points.map((point) => point.id).join(", ");
  throw refuse("PTX2407", `there is no breakpoint ${word.text}`, word, { expected: known === "" ? undefined : known });
}

/** A line of `info break`. */
export function describePoint(shell: Shell, point: Point): string {
  const { program } = shell.debugger.session;
  const { id, kind, enabled, temporary, hits, ignore, pc, event } = point;
  const what =
    pc !== undefined
      ? `${placeName(program, pc)}: ${instructionLine(program, pc)}`
      : (event ?? shell.watched.get(id)?.text ?? "");
  const condition = shell.conditions.get(id);
  const notes = [
    ...(condition === undefined ? [] : [`if ${condition}`]),
    ...(enabled ? [] : ["disabled"]),
    ...(temporary ? ["once"] : []),
    ...(hits === 0 ? [] : [hits === 1 ? "1 hit" : `${hits} hits`]),
    ...(ignore === 0 ? [] : [`ignores ${ignore}`]),
  ];
  return `${id}  ${kind.padEnd(5)}  ${what}${notes.length === 0 ? "" : `  (${notes.join(", ")})`}`;
}
