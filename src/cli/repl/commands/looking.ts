import { printable } from "../../../present/escape.ts";
import { shortName } from "../../../source/demangle/index.ts";
import { instructionLine, placeName } from "../expression/place.ts";
import { refuse } from "../expression/refusal.ts";
import { focusOn } from "../focus.ts";
import { examine } from "../show/examine.ts";
import { explainHere } from "../show/explain.ts";
import { readFormat, show } from "../show/format.ts";
import { information, topics } from "../show/info.ts";
import { fragmentNames, showLanes } from "../show/lanes.ts";
import { list } from "../show/list.ts";
import { something, words } from "./arguments.ts";
import type { Command } from "./command.ts";

export const looking: readonly Command[] = [
  {
    name: "print",
    short: ["p", "inspect"],
    group: "looking",
    usage: "print[/FORMAT] E",
    help: "the value of an expression: registers, [space:address]:type, labels, %tid.x, $step, $pc, $_ and C's operators\nFORMAT is x d u t f16 bf16 f16x2 bf16x2 f32 f64 e4m3 or e5m2",
    takes: "expression",
    formats: true,
    run: (shell, argument, slash) => {
      const format = readFormat(slash);
      const value = argument.text === "" ? shell.values.at(-1) : shell.expression(argument).at(shell);
      if (value === undefined) throw refuse("PTX2402", "there is nothing to print", argument, { expected: "print E" });
      shell.values.push(value);
      shell.out(`$${shell.values.length} = ${show(value, format)}\n`);
    },
  },
  {
    name: "x",
    group: "looking",
    usage: "x[/NFU] ADDRESS",
    help: "memory from an address: N units of U bytes in a format F (print's, or f); U is b (1), h (2), w (4) or g (8)\nan empty line continues after them",
    takes: "expression",
    formats: true,
    run: examine,
  },
  {
    name: "display",
    group: "looking",
    usage: "display[/FORMAT] E",
    help: "print an expression now and at every stop; without one, all that are displayed",
    takes: "expression",
    formats: true,
    repeat: false,
    run: (shell, argument, slash) => {
      if (argument.text === "") {
        shell.showDisplays();
        return;
      }
      const format = readFormat(slash);
      const evaluation = shell.expression(argument);
      evaluation.at(shell);
      const id = (shell.displays.at(-1)?.id ?? 0) + 1;
      const display = { id, text: argument.text, format, evaluation };
      shell.displays.push(display);
      shell.showDisplay(display);
    },
  },
  {
    name: "undisplay",
    group: "looking",
    usage: "undisplay [N...]",
    help: "stop displaying one, or all of them",
    takes: "none",
    repeat: false,
    run: (shell, argument) => {
      const named = words(argument);
      for (const word of named) {
        const at = shell.displays.findIndex(({ id }) => String(id) === word.text);
        if (at < 0) throw refuse("PTX2407", `${word.text} is not displayed`, word);
        shell.displays.splice(at, 1);
      }
      if (named.length === 0) shell.displays.length = 0;
    },
  },
  {
    name: "info",
    short: ["i"],
    group: "looking",
    usage:
      "info regs|warps|threads|barriers|async|mbarriers|break|buffers|display|textures|tensor|changes|kernels|functions",
    help: "registers of the focused thread (those named, or all; * marks what changed), warps and where their lanes stand,\nthreads, barriers with who has arrived, what is in flight and for what it waits, mbarrier objects, breakpoints,\nbuffers and variables, displays, textures and surfaces, tensor memory (lanes and columns behind it,\n`info tensor 0-7 32-39`), what was changed by hand,\nkernels of the file, functions that this one may call: as declared and mangled",
    takes: "topic",
    words: topics,
    run: (shell, argument) => {
      something(argument, `info ${topics.join("|")}`);
      information(shell, argument);
    },
  },
  {
    name: "lanes",
    group: "looking",
    usage: "lanes[/FORMAT] R | ROLE | {R, ...} as ROLE of OPCODE",
    help: "what all lanes of the focused warp hold: a register, lane by lane; or, at mma or behind it, the matrix a, b, c, d,\ne (metadata), scale-a or scale-b, and where its elements lie; or registers as such a matrix of any mma or wmma.mma",
    takes: "expression",
    words: fragmentNames,
    formats: true,
    run: showLanes,
  },
  {
    name: "where",
    short: ["bt", "backtrace"],
    group: "looking",
    usage: "where",
    help: "the functions that the focused thread is in, innermost first",
    takes: "none",
    run: (shell) => {
      const { program } = shell.debugger.session;
      const frames = shell.debugger.where();
      if (frames.length === 0) shell.out("the focused thread does not run\n");
      for (const [depth, { name, pc, location }] of frames.entries()) {
        const from = location === undefined ? "" : `  (${location.file}:${location.line})`;
        const what = name === "" ? "" : `${printable(shortName(name))}, `;
        shell.out(`#${depth}  ${what}${placeName(program, pc)}: ${instructionLine(program, pc)}${from}\n`);
      }
    },
  },
  {
    name: "list",
    short: ["l"],
    group: "looking",
    usage: "list [PLACE]",
    help: "lines of the program around a place, here by default\nan empty line continues after them",
    takes: "place",
    run: list,
  },
  {
    name: "focus",
    short: ["f", "thread"],
    group: "looking",
    usage: "focus [block X] [thread Y]",
    help: "look at another thread: linear indices, or x,y,z; without any, which one it is",
    takes: "none",
    words: ["block", "thread"],
    repeat: false,
    run: focusOn,
  },
  {
    name: "explain",
    short: ["e", "ex"],
    group: "looking",
    usage: "explain [ROW COLUMN]",
    help: "work through the instruction that the focused thread is about to execute, with its operands' values\nof a matrix multiplication one element of D: that of the row and column, or the first of the focused lane",
    takes: "none",
    run: explainHere,
  },
];
