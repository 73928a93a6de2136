import type { Evaluation } from "../expression/evaluation.ts";
import { type LinePart, Refusal, refuse } from "../expression/refusal.ts";
import { targetOf } from "../expression/target.ts";
import type { Shell } from "../shell.ts";
import { parted, something } from "./arguments.ts";
import type { Command } from "./command.ts";
import { asked, conditionOf } from "./condition.ts";

/** Points that values and memory stop a run at. */
export const watching: readonly Command[] = [
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
  ...(["rwatch", "wwatch", "awatch"] as const).map(
    (name): Command => ({
      name,
      group: "stopping",
      usage: `${name} [ADDRESS]:TYPE [if E]`,
      help: {
        rwatch: "stop after an instruction that has read memory",
        wwatch: "stop after an instruction that has written memory, even the value that was there",
        awatch: "stop after an instruction that has read or written memory",
      }[name],
      takes: "expression",
      words: ["if"],
      repeat: false,
      run: (shell, argument) => setAccessWatch(shell, argument, name),
    }),
  ),
];

/** How accesses of memory are called. */
export const accessWords = { read: "reads", write: "writes", any: "reads and writes" } as const;

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
  throw refuse("PTX2403", `${what.text} is no memory`, what, {
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
