import { hasErrors } from "../../source/diagnostic.ts";
import { readPlace } from "../expression/place.ts";
import { type LinePart, Refusal, refuse, within } from "../expression/refusal.ts";
import { move } from "../motion.ts";
import type { Shell } from "../shell.ts";
import { count, nothing, something } from "./arguments.ts";
import type { Command } from "./command.ts";

export const running: readonly Command[] = [
  {
    name: "step",
    short: ["s", "si", "stepi"],
    group: "running",
    usage: "step [--source] [N]",
    help: "execute N instructions of the focused thread, and show what it wrote\n--source: until it is at another line of what the program was compiled from, as .loc says, N times",
    takes: "expression",
    words: ["--source"],
    run: (shell, argument) => {
      if (stepsLines(shell, argument, false)) return;
      const times = count(shell, argument);
      move(shell, (debugger_, travel) => debugger_.step(times, travel), { steps: true });
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
      move(shell, (debugger_, travel) => debugger_.next(times, travel), { steps: true });
    },
  },
  {
    name: "continue",
    short: ["c", "fg"],
    group: "running",
    usage: "continue [N]",
    help: "run until something stops it; with N, ignore the next N-1 hits of the breakpoint that it is at",
    takes: "expression",
    run: (shell, argument) => {
      const { stop } = shell.debugger;
      const times = count(shell, argument);
      if (times > 1 && (stop.reason === "breakpoint" || stop.reason === "watchpoint"))
        shell.debugger.ignore(stop.id, times - 1);
      move(shell, (debugger_, travel) => debugger_.continue(travel));
    },
  },
  {
    name: "until",
    short: ["u", "advance"],
    group: "running",
    usage: "until PLACE",
    help: "run until the focused thread comes to a place",
    takes: "place",
    run: (shell, argument) => {
      something(argument, "until PLACE");
      const pc = readPlace(argument, shell.debugger.session.program);
      move(shell, (debugger_, travel) => debugger_.until(pc, travel));
    },
  },
  {
    name: "finish",
    short: ["fin"],
    group: "running",
    usage: "finish",
    help: "run until the focused thread has left its function; in the kernel itself, until it exits",
    takes: "none",
    run: (shell, argument) => {
      nothing(argument, "finish");
      move(shell, (debugger_, travel) => debugger_.finish(travel));
    },
  },
  {
    name: "run",
    short: ["r"],
    group: "running",
    usage: "run",
    help: "start again, with the original inputs and memory, and continue; changes by hand are forgotten",
    takes: "none",
    repeat: false,
    run: (shell, argument) => {
      nothing(argument, "run");
      const wrong = shell.debugger.restart();
      if (hasErrors(wrong)) throw new Refusal(wrong);
      move(shell, (debugger_, travel) => debugger_.continue(travel));
    },
  },
  {
    name: "restart",
    group: "running",
    usage: "restart",
    help: "start again, and stop before the first instruction; breakpoints stay, changes by hand are forgotten",
    takes: "none",
    repeat: false,
    run: (shell, argument) => {
      nothing(argument, "restart");
      const said = shell.debugger.restart();
      if (hasErrors(said)) throw new Refusal(said);
      shell.complain(said);
      move(shell, (debugger_) => debugger_.stop);
    },
  },
];

/** `step --source 2`; false where that is not asked for. */
function stepsLines(shell: Shell, argument: LinePart, over: boolean): boolean {
  const found = /^(?:--source|-s)(?=\s|$)/.exec(argument.text);
  if (found === null) return false;
  if (shell.debugger.session.program.code.every(({ location }) => location === undefined))
    throw refuse("PTX2407", "the program does not say what it was compiled from", argument, {
      expected: "PTX with .loc, as nvcc -lineinfo writes it",
    });
  const times = count(shell, within(argument, found[0].length));
  move(shell, (debugger_, travel) => debugger_.stepLine(times, over, travel), { steps: true });
  return true;
}
