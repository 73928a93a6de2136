import { instructionLine, placeName, threadName } from "../expression/place.ts";
import { targetOf } from "../expression/target.ts";
import { lateness, move } from "../motion.ts";
import { editText } from "../show/changes.ts";
import { show } from "../show/format.ts";
import { count, nothing, something, whole } from "./arguments.ts";
import type { Command } from "./command.ts";

export const goingBack: readonly Command[] = [
  {
    name: "reverse-step",
    short: ["rs", "rsi", "reverse-stepi", "back"],
    group: "going back",
    usage: "reverse-step [N]",
    help: "take back N instructions of the focused thread",
    takes: "expression",
    run: (shell, argument) => {
      const times = count(shell, argument);
      move(shell, (debugger_, travel) => debugger_.stepBack(times, travel), { steps: true, back: true });
    },
  },
  {
    name: "reverse-next",
    short: ["rn", "rni", "reverse-nexti"],
    group: "going back",
    usage: "reverse-next [N]",
    help: "the same, with a call that has returned as one instruction",
    takes: "expression",
    run: (shell, argument) => {
      const times = count(shell, argument);
      move(shell, (debugger_, travel) => debugger_.nextBack(times, travel), { steps: true, back: true });
    },
  },
  {
    name: "reverse-continue",
    short: ["rc"],
    group: "going back",
    usage: "reverse-continue",
    help: "run backward to the last place where something would have stopped it, or to the beginning",
    takes: "none",
    run: (shell, argument) => {
      nothing(argument, "reverse-continue");
      move(shell, (debugger_, travel) => debugger_.continueBack(travel), { back: true });
    },
  },
  {
    name: "reverse-finish",
    group: "going back",
    usage: "reverse-finish",
    help: "back to the call of the focused thread's function",
    takes: "none",
    run: (shell, argument) => {
      nothing(argument, "reverse-finish");
      move(shell, (debugger_, travel) => debugger_.finishBack(travel), { back: true });
    },
  },
  {
    name: "goto",
    group: "going back",
    usage: "goto STEP",
    help: "forward or back to a step, the number after @ in the prompt",
    takes: "expression",
    repeat: false,
    run: (shell, argument) => {
      something(argument, "goto STEP");
      const step = whole(shell, argument);
      move(shell, (debugger_, travel) => debugger_.goTo(step, travel));
    },
  },
  {
    name: "last-write",
    short: ["lw"],
    group: "going back",
    usage: "last-write X",
    help: "the last write of a register, cc.cf or [memory] before this step, by an instruction or by hand; nothing moves",
    takes: "expression",
    repeat: false,
    run: (shell, argument) => {
      something(argument, "last-write X");
      const { target, type } = targetOf(shell.expression(argument), shell);
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
      const value = (bits: bigint | undefined): string => (bits === undefined ? "unknown" : show({ bits, type }));
      const by =
        write.edit === undefined
          ? `${placeName(program, pc)}: ${instructionLine(program, pc)}`
          : `by hand: ${editText(shell, write.edit)}`;
      shell.out(`@${step} ${threadName(thread, program)} ${by}\n`);
      shell.out(`  old: ${value(write.old)}\n  new: ${value(write.new)}\n`);
    },
  },
];
