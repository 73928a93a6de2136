import { pages } from "./page.ts";

/** PTX24xx: commands and expressions of the REPL (usage). */
export const repl = pages({
  PTX2401: {
    title: "a command that the REPL does not have",
    why: "A command is its name, an abbreviation from `help`, or any beginning of a name that no other shares. A line that begins with a mnemonic is an instruction and is executed.",
    wrong: "stpe 3",
    right: "step 3",
  },
  PTX2402: {
    title: "a command's arguments that cannot be read",
    why: "`help COMMAND` shows what a command takes.",
    wrong: "step -1",
    right: "reverse-step 1",
  },
  PTX2403: {
    title: "an expression that cannot be read",
    why: "Expressions have registers (%r1, or r1), memory ([shared:tile+4]:f32), labels, special registers, $step, $pc, $_ and C's operators.",
    wrong: "print %r1 +",
    right: "print %r1 + 1",
  },
  PTX2404: {
    title: "a name that means nothing here",
    why: "Names are registers, special registers, variables, parameters and labels of the program. A register's percent sign may be left out where that leaves one meaning.",
  },
  PTX2405: {
    title: "a place that the program does not have",
    why: "A place is a label, a label and a number of instructions (LOOP+2), a function, a line of the program, or an instruction's index behind an asterisk (*7).",
    wrong: "break LOPO",
    right: "break LOOP",
  },
  PTX2406: {
    title: "memory that cannot be read or written",
    why: "The address lies in no allocation of its space, or the space belongs to a block that does not run now.",
  },
  PTX2407: {
    title: "a command that is not possible here",
    why: "What it needs is not there: a running thread, a program, or something to go back to.",
  },
  PTX2408: {
    title: "an instruction that cannot be executed by itself",
    why: "A line of PTX is executed for the focused thread alone: it cannot leave the program, branch in it, or wait for other threads.",
    wrong: "bar.sync 0;",
    right: "add.u32 %r1, %r1, 1;",
  },
});
