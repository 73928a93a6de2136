import { globPattern } from "../../../../src/environment/glob.ts";
import type { Event, Point } from "../../../../src/host/debugger/debugger.ts";
import type { ThreadId } from "../../../../src/interp/contract/launch/thread-id.ts";
import type { Program } from "../../../../src/interp/contract/program.ts";
import { nearest } from "../../../../src/resolve/nearest.ts";
import type { Evaluation } from "../expression/evaluation.ts";
import { readOriginalPlace, startsOfLine } from "../expression/original-place.ts";
import { instructionLine, placeName, readPlace } from "../expression/place.ts";
import { type LinePart, Refusal, refuse, within } from "../expression/refusal.ts";
import { targetOf } from "../expression/target.ts";
import type { Shell } from "../shell.ts";
import { count, parted, something, words } from "./arguments.ts";
import type { Command } from "./command.ts";
import { asked, conditionOf } from "./condition.ts";

/** Commands for watchpoints: values and memory that stop a run. */
const watching: readonly Command[] = [
  {
    name: "watch",
    short: ["wa"],
    group: "stopping",
    usage: "watch E [if E]",
    help: "stop when a register, [memory] or any expression changes\nof the focused thread",
    takes: "expression",
    words: ["if"],
    repeat: false,
    run: setWatch,
  },
  ...(["rwatch", "wwatch", "awatch"] as const).map(
    (name): Command => ({
      name,
      group: "stopping",
      usage: `${name} [ADDRESS]:TYPE [if E]`,
      help: {
        rwatch: "stop after a read of memory",
        wwatch: "stop after a write of memory, even of the same value",
        awatch: "stop after a read or write of memory",
      }[name],
      takes: "expression",
      words: ["if"],
      repeat: false,
      run: (shell, argument) => setAccessWatch(shell, argument, name),
    }),
  ),
];

/** How messages name accesses of memory. */
const accessWords = { read: "reads", write: "writes", any: "reads and writes" } as const;

function setWatch(shell: Shell, argument: LinePart): void {
  something(argument, "watch E [if E]");
  const { what, condition } = parted(argument);
  const watched = shell.expression(what);
  const when = condition && conditionOf(shell, condition);
  const { type, elements } = watched.at(shell);
  const thread = shell.debugger.focus;
  const options = when && { condition: () => asked(shell, when, thread) };
  const id = shell.debugger.watch(reader(shell, watched, what), options);
  shell.watched.set(id, { text: what.text, type, ...(elements && { elements }) });
  if (condition !== undefined) shell.conditions.set(id, condition.text);
  shell.out(`watchpoint ${id}: ${what.text}\n`);
}

const accessesOf = { rwatch: "read", wwatch: "write", awatch: "any" } as const;

function setAccessWatch(shell: Shell, argument: LinePart, name: keyof typeof accessesOf): void {
  something(argument, `${name} [ADDRESS]:TYPE [if E]`);
  const { what, condition } = parted(argument);
  const watched = shell.expression(what);
  const when = condition && conditionOf(shell, condition);
  const { target, type } = memoryOf(shell, watched, what, name);
  const thread = shell.debugger.focus;
  const options = when && { condition: () => asked(shell, when, thread) };
  const id = shell.debugger.watchAccess(target, accessesOf[name], options);
  shell.watched.set(id, { text: what.text, type });
  if (condition !== undefined) shell.conditions.set(id, condition.text);
  shell.out(`watchpoint ${id}: ${accessWords[accessesOf[name]]} of ${what.text}\n`);
}

/** The memory that an expression names; a `Refusal` (PTX2403) where it is none. */
function memoryOf(shell: Shell, watched: Evaluation, what: LinePart, name: string) {
  if (watched.expression.kind === "memory") {
    const { target, type } = targetOf(watched, shell);
    if (target.kind === "memory") return { target, type };
  }
  throw refuse("PTX2403", `${what.text} is not memory`, what, {
    expected: `${name} [ADDRESS]:TYPE, such as ${name} [x]:f32; watch %r1 for what is written to a register`,
  });
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

export const events: readonly Event[] = ["fault", "nan", "divergence", "barrier", "race"];

export const breaking: readonly Command[] = [
  {
    name: "break",
    short: ["b", "br"],
    group: "stopping",
    usage: "break [PLACE | op OPCODE] [if E]",
    help: "stop before an instruction, if E holds for a thread\nPLACE: here by default\nop: before each instruction of an opcode, a mnemonic or a pattern such as bar.* or *.f64",
    takes: "place",
    words: ["if", "op"],
    repeat: false,
    run: (shell, argument) => setBreak(shell, argument, false),
  },
  {
    name: "tbreak",
    short: ["tb"],
    group: "stopping",
    usage: "tbreak [PLACE | op OPCODE] [if E]",
    help: "a breakpoint that stops once",
    takes: "place",
    words: ["if"],
    repeat: false,
    run: (shell, argument) => setBreak(shell, argument, true),
  },
  ...watching,
  {
    name: "catch",
    group: "stopping",
    usage: "catch fault|nan|divergence|barrier|race",
    help: "stop at an event\nnan: an instruction makes a NaN from numbers; divergence: a warp diverges; barrier: before one\nrace: one that --sanitize race finds",
    takes: "event",
    repeat: false,
    run: (shell, argument) => {
      const event = events.find((each) => each === argument.text);
      if (event === undefined)
        throw refuse("PTX2402", `${argument.text === "" ? "nothing" : argument.text} cannot be caught`, argument, {
          expected: events.join(", "),
        });
      if (event === "race" && !shell.options.sanitize?.race)
        throw refuse("PTX2407", "nothing looks for races in this run", argument, {
          expected: "ptxrun repl --sanitize race",
        });
      shell.out(`catchpoint ${shell.debugger.catch(event)}: ${event}\n`);
    },
  },
  {
    name: "delete",
    short: ["d", "del"],
    group: "stopping",
    usage: "delete [N...]",
    help: "delete breakpoints, watchpoints and catchpoints; all by default",
    takes: "none",
    repeat: false,
    run: (shell, argument) => each(shell, argument, (id) => shell.debugger.delete(id)),
  },
  {
    name: "enable",
    short: ["en"],
    group: "stopping",
    usage: "enable [N...]",
    help: "enable breakpoints again; all by default",
    takes: "none",
    repeat: false,
    run: (shell, argument) => each(shell, argument, (id) => shell.debugger.enable(id)),
  },
  {
    name: "disable",
    short: ["dis"],
    group: "stopping",
    usage: "disable [N...]",
    help: "disable breakpoints, but keep them; all by default",
    takes: "none",
    repeat: false,
    run: (shell, argument) => each(shell, argument, (id) => shell.debugger.disable(id)),
  },
  {
    name: "condition",
    group: "stopping",
    usage: "condition N [E]",
    help: "change the condition of a breakpoint; without E, remove it",
    takes: "expression",
    repeat: false,
    run: setCondition,
  },
  {
    name: "commands",
    group: "stopping",
    usage: "commands [N]",
    help: "run the lines that follow, up to end, whenever N stops\nN: the last breakpoint by default\nno lines: remove them; continue may be among them",
    takes: "none",
    repeat: false,
    run: setCommands,
  },
  {
    name: "ignore",
    group: "stopping",
    usage: "ignore N HITS",
    help: "ignore the next hits of a breakpoint",
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
  const opcode = /^op(?:\s+(.*))?$/s.exec(what.text);
  if (opcode !== null && !isLabel(program, "op")) {
    const pcs = withOpcode(program, opcode[1] ?? "", what);
    const when = condition && conditionOf(shell, condition);
    const id = shell.debugger.breakAt(pcs, {
      temporary,
      ...(when && { condition: (_, thread) => asked(shell, when, thread) }),
    });
    if (condition !== undefined) shell.conditions.set(id, condition.text);
    shell.texts.set(id, what.text);
    shell.out(`breakpoint ${id} at ${pcs.length} instruction${pcs.length === 1 ? "" : "s"}: ${what.text}\n`);
    return;
  }
  const here = what.text === "" ? shell.debugger.pcOf() : undefined;
  if (what.text === "" && here === undefined)
    throw refuse("PTX2407", "the focused thread is not at an instruction", argument, { expected: "break PLACE" });
  const pc = here ?? readPlace(what, program);
  const original = here === undefined ? readOriginalPlace(what.text, program) : undefined;
  const pcs = original === undefined ? [pc] : startsOfLine(original, program);
  const when = condition && conditionOf(shell, condition);
  const id = shell.debugger.breakAt(pcs, {
    temporary,
    ...(when && { condition: (_, thread) => asked(shell, when, thread) }),
  });
  if (condition !== undefined) shell.conditions.set(id, condition.text);
  if (pcs.length > 1) shell.texts.set(id, what.text);
  const more = pcs.length > 1 ? `, and ${pcs.length - 1} more of ${what.text}` : "";
  shell.out(`breakpoint ${id} at ${placeName(program, pc)}: ${instructionLine(program, pc)}${more}\n`);
}

const isLabel = ({ labels = [] }: Program, name: string): boolean => labels.some((label) => label.name === name);

/** The instructions of an opcode, a mnemonic, or a pattern; a `Refusal` (PTX2405) where there are none. */
function withOpcode({ code }: Program, pattern: string, at: LinePart): readonly number[] {
  const glob = globPattern(pattern);
  const pcs = code.flatMap(({ opcode }, pc) =>
    opcode === pattern || opcode.startsWith(`${pattern}.`) || glob.test(opcode) ? [pc] : [],
  );
  if (pcs.length > 0 && pattern !== "") return pcs;
  const known = [...new Set(code.map(({ opcode }) => opcode))];
  throw refuse("PTX2405", `no instruction of the program is ${pattern === "" ? "meant" : pattern}`, at, {
    expected: `break op OPCODE: ${known.slice(0, 8).join(", ")}${known.length > 8 ? "..." : ""}`,
    meant: nearest(pattern, known),
  });
}

/** `condition 1 %r1 == 3`, `condition 1`. */
function setCondition(shell: Shell, argument: LinePart): void {
  const [id] = words(argument);
  if (id === undefined) throw refuse("PTX2402", "an argument is missing", argument, { expected: "condition N [E]" });
  const number = pointNumber(shell, id);
  const text = within(argument, id.text.length);
  const bare = text.text.startsWith("if ") ? within(text, 3) : text;
  const when = bare.text === "" ? undefined : conditionOf(shell, bare);
  const ask = when && ((thread?: ThreadId) => asked(shell, when, thread ?? shell.debugger.focus));
  if (!shell.debugger.condition(number, ask))
    throw refuse("PTX2407", `${number} is a catchpoint, which has no condition`, id);
  if (when === undefined) shell.conditions.delete(number);
  else shell.conditions.set(number, bare.text);
  shell.out(when === undefined ? `${number} has no condition now\n` : `${number} stops if ${bare.text}\n`);
}

/** `commands 1`: the lines that follow, up to `end`, run whenever the point stops the program. */
function setCommands(shell: Shell, argument: LinePart): void {
  const last = shell.debugger.points.at(-1);
  if (argument.text === "" && last === undefined)
    throw refuse("PTX2407", "there is no breakpoint yet", argument, { expected: "break PLACE, then commands" });
  const id = argument.text === "" ? (last?.id ?? 0) : pointNumber(shell, argument);
  shell.collect("end", (lines) => {
    if (lines.length === 0) shell.scripts.delete(id);
    else shell.scripts.set(id, lines);
    const many = `${lines.length} line${lines.length === 1 ? "" : "s"}`;
    shell.out(lines.length === 0 ? `${id} has no commands now\n` : `${id} carries out ${many} when it stops\n`);
  });
}

/** Applies an action to the points that are named, or to all. */
function each(shell: Shell, argument: LinePart, act: (id: number) => boolean): void {
  const named = words(argument).map((word) => pointNumber(shell, word));
  for (const id of argument.text === "" ? shell.debugger.points.map((point) => point.id) : named) act(id);
}

function pointNumber(shell: Shell, word: LinePart): number {
  const id = Number(word.text);
  if (/^\d+$/.test(word.text) && shell.debugger.points.some((point) => point.id === id)) return id;
  const known = shell.debugger.points.map((point) => point.id).join(", ");
  throw refuse("PTX2407", `there is no breakpoint ${word.text}`, word, {
    expected: known === "" ? "break PLACE first" : known,
  });
}

/** A line of `info break`. */
export function describePoint(shell: Shell, point: Point): string {
  const { program } = shell.debugger.session;
  const { id, kind, enabled, temporary, hits, ignore, pc, event, accesses } = point;
  const what =
    pc !== undefined
      ? `${placeName(program, pc)}: ${instructionLine(program, pc)}`
      : `${accesses === undefined ? "" : `${accessWords[accesses]} of `}${event ?? shell.texts.get(id) ?? shell.watched.get(id)?.text ?? ""}`;
  const condition = shell.conditions.get(id);
  const notes = [
    ...(condition === undefined ? [] : [`if ${condition}`]),
    ...(shell.scripts.has(id) ? ["with commands"] : []),
    ...(enabled ? [] : ["disabled"]),
    ...(temporary ? ["once"] : []),
    ...(hits === 0 ? [] : [hits === 1 ? "1 hit" : `${hits} hits`]),
    ...(ignore === 0 ? [] : [`ignores ${ignore}`]),
  ];
  return `${id}  ${(kind === "access" ? "watch" : kind).padEnd(5)}  ${what}${notes.length === 0 ? "" : `  (${notes.join(", ")})`}`;
}
