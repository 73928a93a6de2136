import { hasErrors } from "../../../../src/source/diagnostic.ts";
import { assign } from "../assign.ts";
import { instructionLine, placeName, readPlace, threadName } from "../expression/place.ts";
import { type LinePart, Refusal, refuse, within } from "../expression/refusal.ts";
import { targetOf } from "../expression/target.ts";
import { lateness, move, tell } from "../motion.ts";
import { loadProgram, saveLines, sourceFile } from "../program/files.ts";
import { executeInstruction } from "../program/instruction.ts";
import type { Shell } from "../shell.ts";
import { editText } from "../show/changes.ts";
import { dumpState } from "../show/dump.ts";
import { show } from "../show/format.ts";
import { panels } from "../show/panels.ts";
import { count, nothing, something, whole, words } from "./arguments.ts";
import { breaking } from "./breaking.ts";
import type { Command } from "./command.ts";
import { CommandTable } from "./command-table.ts";
import { help } from "./help.ts";
import { looking } from "./looking.ts";

/** Commands of the REPL itself; `help` is a parameter, because it lists the table that these belong to. */
const shellCommands = (help: Command["run"]): readonly Command[] => [
  {
    name: "load",
    short: ["file"],
    group: "the REPL itself",
    usage: "load FILE",
    help: "debug another program, with the same options",
    takes: "file",
    repeat: false,
    run: (shell, argument) => {
      something(argument, "load FILE");
      loadProgram(shell, argument);
    },
  },
  {
    name: "source",
    short: ["so"],
    group: "the REPL itself",
    usage: "source FILE",
    help: "run commands from a file, up to the first that fails",
    takes: "file",
    repeat: false,
    run: (shell, argument) => {
      something(argument, "source FILE");
      sourceFile(shell, argument);
    },
  },
  {
    name: "save",
    group: "the REPL itself",
    usage: "save FILE",
    help: "write this session's commands to a file, for source and -x",
    takes: "file",
    repeat: false,
    run: (shell, argument) => {
      something(argument, "save FILE");
      saveLines(shell, argument);
    },
  },
  {
    name: "dump",
    group: "the REPL itself",
    usage: "dump [WHAT[=@FILE]...]",
    help: "print results as run --dump does at the end\nWHAT: regs, changed, a register, a buffer, a variable or tensor",
    takes: "expression",
    repeat: false,
    run: (shell, argument) => dumpState(shell, words(argument)),
  },
  {
    name: "layout",
    short: ["tui"],
    group: "the REPL itself",
    usage: "layout [on|off]",
    help: "full-screen view of program, registers, lanes and memory\noff shows the terminal as it was; without a terminal, the upper part is shown once",
    takes: "none",
    words: ["on", "off"],
    repeat: false,
    run: (shell, argument) => {
      if (!["", "on", "off"].includes(argument.text))
        throw refuse("PTX2402", `${argument.text} is not a layout`, argument, { expected: "layout [on|off]" });
      const { screen } = shell;
      if (screen === undefined) {
        if (argument.text !== "off")
          for (const line of panels(shell, { columns: shell.columns, rows: 24 })) shell.out(`${line.trimEnd()}\n`);
      } else if (argument.text === "off" || (argument.text === "" && screen.on)) screen.leave();
      else screen.enter();
    },
  },
  {
    name: "help",
    short: ["h", "?"],
    group: "the REPL itself",
    usage: "help [COMMAND]",
    help: "list all commands, or explain one",
    takes: "command",
    repeat: false,
    run: help,
  },
  {
    name: "quit",
    short: ["q", "exit"],
    group: "the REPL itself",
    usage: "quit",
    help: "quit; the end of the input quits, too",
    takes: "none",
    repeat: false,
    run: (shell, argument) => {
      nothing(argument, "quit");
      shell.done = true;
    },
  },
];

const running: readonly Command[] = [
  {
    name: "step",
    short: ["s", "si", "stepi"],
    group: "running",
    usage: "step [--source] [N]",
    help: "execute N instructions of the focused thread\n--source: go to another line of the source N times, by .loc",
    takes: "expression",
    words: ["--source"],
    run: (shell, argument) => {
      if (stepsLines(shell, argument, false)) return;
      const times = count(shell, argument);
      move(shell, (moves) => moves.step(times), { steps: true });
    },
  },
  {
    name: "next",
    short: ["n", "ni", "nexti"],
    group: "running",
    usage: "next [--source] [N]",
    help: "the same, with a call as one instruction",
    takes: "expression",
    words: ["--source"],
    run: (shell, argument) => {
      if (stepsLines(shell, argument, true)) return;
      const times = count(shell, argument);
      move(shell, (moves) => moves.next(times), { steps: true });
    },
  },
  {
    name: "continue",
    short: ["c", "fg"],
    group: "running",
    usage: "continue [N]",
    help: "run until a breakpoint, another stop or the end\nN: ignore the next N-1 hits of the breakpoint that it is at",
    takes: "expression",
    run: (shell, argument) => {
      const { stop } = shell.debugger;
      const times = count(shell, argument);
      if (times > 1 && (stop.reason === "breakpoint" || stop.reason === "watchpoint"))
        shell.debugger.ignore(stop.id, times - 1);
      move(shell, (moves) => moves.continue());
    },
  },
  {
    name: "until",
    short: ["u", "advance"],
    group: "running",
    usage: "until PLACE",
    help: "run until the focused thread reaches a place",
    takes: "place",
    run: (shell, argument) => {
      something(argument, "until PLACE");
      const pc = readPlace(argument, shell.debugger.session.program);
      move(shell, (moves) => moves.until(pc));
    },
  },
  {
    name: "finish",
    short: ["fin"],
    group: "running",
    usage: "finish",
    help: "run until the focused thread returns from its function\nin the kernel itself: until the thread exits",
    takes: "none",
    run: (shell, argument) => {
      nothing(argument, "finish");
      move(shell, (moves) => moves.finish());
    },
  },
  {
    name: "run",
    short: ["r"],
    group: "running",
    usage: "run",
    help: "start again with the original inputs, and continue\nchanges by hand are forgotten",
    takes: "none",
    repeat: false,
    run: (shell, argument) => {
      nothing(argument, "run");
      const wrong = shell.debugger.restart();
      if (hasErrors(wrong)) throw new Refusal(wrong);
      move(shell, (moves) => moves.continue());
    },
  },
  {
    name: "restart",
    group: "running",
    usage: "restart",
    help: "start again, and stop before the first instruction\nbreakpoints stay, changes by hand are forgotten",
    takes: "none",
    repeat: false,
    run: (shell, argument) => {
      nothing(argument, "restart");
      const said = shell.debugger.restart();
      if (hasErrors(said)) throw new Refusal(said);
      shell.complain(said);
      tell(shell, shell.debugger.stop, { thread: shell.debugger.focus, steps: false });
    },
  },
];

/** `step --source 2`; false without `--source`. */
function stepsLines(shell: Shell, argument: LinePart, over: boolean): boolean {
  const found = /^(?:--source|-s)(?=\s|$)/.exec(argument.text);
  if (found === null) return false;
  if (shell.debugger.session.program.code.every(({ location }) => location === undefined))
    throw refuse("PTX2407", "the program does not say what it was compiled from", argument, {
      expected: "PTX with .loc, as nvcc -lineinfo writes it",
    });
  const times = count(shell, within(argument, found[0].length));
  move(shell, (moves) => moves.stepLine(times, over), { steps: true });
  return true;
}

const changing: readonly Command[] = [
  {
    name: "set",
    group: "changing",
    usage: "set X = V",
    help: "change a register, cc.cf or [memory]\nV: a value as options take it (0x3c00, 1.5, 1,2), or an expression\nthe change belongs to this step: going back past it shows the old value, coming here again makes it again\nwhat was run and changed after this step is forgotten\nset listing N: show N lines of PTX around every stop",
    takes: "expression",
    repeat: false,
    run: assign,
  },
];

const goingBack: readonly Command[] = [
  {
    name: "reverse-step",
    short: ["rs", "rsi", "reverse-stepi", "back"],
    group: "going back",
    usage: "reverse-step [N]",
    help: "take back N instructions of the focused thread",
    takes: "expression",
    run: (shell, argument) => {
      const times = count(shell, argument);
      move(shell, (moves) => moves.stepBack(times), { steps: true, back: true });
    },
  },
  {
    name: "reverse-next",
    short: ["rn", "rni", "reverse-nexti"],
    group: "going back",
    usage: "reverse-next [N]",
    help: "the same, with a call as one instruction",
    takes: "expression",
    run: (shell, argument) => {
      const times = count(shell, argument);
      move(shell, (moves) => moves.nextBack(times), { steps: true, back: true });
    },
  },
  {
    name: "reverse-continue",
    short: ["rc"],
    group: "going back",
    usage: "reverse-continue",
    help: "run backward to the previous stop, or to the beginning",
    takes: "none",
    run: (shell, argument) => {
      nothing(argument, "reverse-continue");
      move(shell, (moves) => moves.continueBack(), { back: true });
    },
  },
  {
    name: "reverse-finish",
    group: "going back",
    usage: "reverse-finish",
    help: "go back to the call of the current function",
    takes: "none",
    run: (shell, argument) => {
      nothing(argument, "reverse-finish");
      move(shell, (moves) => moves.finishBack(), { back: true });
    },
  },
  {
    name: "goto",
    group: "going back",
    usage: "goto STEP",
    help: "go forward or back to a step, the number after @",
    takes: "expression",
    repeat: false,
    run: (shell, argument) => {
      something(argument, "goto STEP");
      const step = whole(shell, argument);
      move(shell, (moves) => moves.goTo(step));
    },
  },
  {
    name: "last-write",
    short: ["lw"],
    group: "going back",
    usage: "last-write X",
    help: "the last write of a register, cc.cf or [memory]\nbefore this step, by an instruction or by hand; nothing moves",
    takes: "expression",
    repeat: false,
    run: (shell, argument) => {
      something(argument, "last-write X");
      const { target, type, elements = 1 } = targetOf(shell.expression(argument), shell);
      const { debugger: debugger_ } = shell;
      let interrupted = false;
      const interrupt = (): boolean => {
        interrupted = shell.halts();
        return interrupted;
      };
      const write = debugger_.lastWrite(target, undefined, { interrupt });
      if (interrupted) {
        if (shell.late) shell.complain(lateness(shell, debugger_.stop));
        else shell.out("interrupted\n");
        return;
      }
      if (write === undefined) {
        shell.out("nothing has written it since the start\n");
        return;
      }
      const { program } = debugger_.session;
      const { step, thread, pc } = write;
      const value = (bits: bigint | undefined): string =>
        bits === undefined ? "unknown" : show({ bits, type, ...(elements > 1 && { elements }) });
      const by =
        write.edit === undefined
          ? `${placeName(program, pc)}: ${instructionLine(program, pc)}`
          : `by hand: ${editText(shell, write.edit)}`;
      shell.out(`@${step} ${threadName(thread, program)} ${by}\n`);
      shell.out(`  old: ${value(write.old)}\n  new: ${value(write.new)}\n`);
    },
  },
];

/** Every command of the REPL. */
export const table: CommandTable = new CommandTable([
  ...running,
  ...goingBack,
  ...breaking,
  ...looking,
  ...changing,
  ...shellCommands((shell, argument) => help(table, shell, argument)),
]);

/** Carries out one line: a command, or an instruction for the focused thread. */
export function dispatch(shell: Shell, line: LinePart): void {
  if (table.isInstruction(line.text, shell.debugger.session.program.simd !== undefined)) {
    shell.repeatWith(undefined);
    executeInstruction(shell, line);
    return;
  }
  const { command, argument, format } = table.find(line);
  if (command.repeat === false) shell.repeatWith(undefined);
  if (typeof command.repeat === "string") shell.repeatWith(command.repeat);
  command.run(shell, argument, format);
}
