import type { Frame } from "../../../../src/host/debugger/debugger.ts";
import { printable } from "../../../../src/present/text/escape.ts";
import { shortName } from "../../../demangle/src/index.ts";
import { instructionLine, placeName } from "../expression/place.ts";
import { type LinePart, refuse } from "../expression/refusal.ts";
import { focusOn } from "../focus.ts";
import type { Shell } from "../shell.ts";
import { examine } from "../show/examine.ts";
import { explainAny } from "../show/explain.ts";
import { readFormat, show, valueFormats } from "../show/format.ts";
import { information, topics } from "../show/info.ts";
import { disassemble } from "../show/instructions.ts";
import { fragmentNames, showLanes } from "../show/lanes.ts";
import { list } from "../show/list.ts";
import { originalLine } from "../show/original.ts";
import { asWritten, typesOfUse } from "../show/use.ts";
import { tellWhy } from "../show/why.ts";
import { nothing, something, whole, words } from "./arguments.ts";
import type { Command } from "./command.ts";

/** Commands about the functions that the focused thread is in. */
const framing: readonly Command[] = [
  {
    name: "where",
    short: ["bt", "backtrace"],
    group: "looking",
    usage: "where",
    help: "the call stack of the focused thread, innermost function first\n* marks the one that up and down have chosen",
    takes: "none",
    run: (shell, argument) => {
      nothing(argument, "where");
      const frames = shell.debugger.where();
      if (frames.length === 0) shell.out("the focused thread does not run\n");
      for (const [depth, frame] of frames.entries()) tell(shell, frame, depth);
    },
  },
  {
    name: "up",
    group: "looking",
    usage: "up [N]",
    help: "select the caller: its registers, and where it continues",
    takes: "none",
    run: (shell, argument) => choose(shell, shell.frame + steps(shell, argument), argument),
  },
  {
    name: "down",
    group: "looking",
    usage: "down [N]",
    help: "select the function that it called",
    takes: "none",
    run: (shell, argument) => choose(shell, shell.frame - steps(shell, argument), argument),
  },
  {
    name: "frame",
    group: "looking",
    usage: "frame [N]",
    help: "select a function by its number in where\nwithout N: which one is selected",
    takes: "none",
    run: (shell, argument) => choose(shell, argument.text === "" ? shell.frame : whole(shell, argument), argument),
  },
];

const steps = (shell: Shell, argument: LinePart): number => (argument.text === "" ? 1 : whole(shell, argument));

function choose(shell: Shell, depth: number, argument: LinePart): void {
  const frames = shell.debugger.where();
  const frame = frames[depth];
  if (frame === undefined)
    throw refuse(
      "PTX2407",
      depth < 0
        ? "this is the innermost function"
        : frames.length === 0
          ? "the focused thread does not run"
          : "this is the kernel, which nothing has called",
      argument,
      { expected: frames.length === 0 ? undefined : `0 to ${frames.length - 1}` },
    );
  shell.frame = depth;
  tell(shell, frame, depth);
}

/** `#1  scale, scale+3: 17  call (r), twice, (a);  (add.cu:12)`. */
function tell(shell: Shell, { name, pc, location }: Frame, depth: number): void {
  const { program } = shell.debugger.session;
  const from = location === undefined ? "" : `  (${location.file}:${location.line})`;
  const what = name === "" ? "" : `${printable(shortName(name))}, `;
  const mark = shell.frame > 0 && depth === shell.frame ? "*" : "";
  shell.out(`#${depth}${mark}  ${what}${placeName(program, pc)}: ${instructionLine(program, pc)}${from}\n`);
  const text = originalLine(shell, location);
  if (text !== undefined) shell.out(`    ${text}\n`);
}

export const looking: readonly Command[] = [
  {
    name: "print",
    short: ["p", "inspect"],
    group: "looking",
    usage: "print[/FORMAT] E...",
    help: `print the values of expressions\nE: registers, [space:address]:type, labels, %tid.x, $step, $pc, $_ and C's operators; several with blanks or commas between them\nFORMAT: ${valueFormats.join(" ")}; all is every one of the value's width`,
    takes: "expression",
    formats: true,
    run: (shell, argument, slash) => {
      const format = readFormat(slash, valueFormats);
      const last = shell.values.at(-1);
      if (argument.text === "" && last === undefined)
        throw refuse("PTX2402", "there is nothing to print", argument, { expected: "print E" });
      const read = argument.text === "" ? [] : shell.expressions(argument);
      const values =
        read.length === 0 && last !== undefined ? [last] : read.map((each) => asWritten(shell, each, each.at(shell)));
      for (const [at, value] of values.entries()) {
        shell.values.push(value);
        // With several values, each carries a name.
        const what = values.length > 1 ? `${read[at]?.part.text} = ` : "";
        shell.out(
          `$${shell.values.length} = ${what}${show(value, format, format === "all" ? typesOfUse(shell, read[at]) : [])}\n`,
        );
      }
    },
  },
  {
    name: "x",
    group: "looking",
    usage: "x[/NFU] ADDRESS",
    help: "print memory: N units of U bytes in format F\nF: those of print, or f; U: b (1), h (2), w (4) or g (8)\nx/5i PLACE shows instructions; an empty line continues",
    takes: "expression",
    formats: true,
    run: examine,
  },
  {
    name: "display",
    group: "looking",
    usage: "display[/FORMAT] E...",
    help: "print expressions now and at every stop\nwithout any: all that are displayed",
    takes: "expression",
    formats: true,
    repeat: false,
    run: (shell, argument, slash) => {
      if (argument.text === "") {
        shell.showDisplays();
        return;
      }
      const format = readFormat(slash, valueFormats);
      const read = shell.expressions(argument);
      for (const evaluation of read) evaluation.at(shell);
      for (const evaluation of read) {
        const id = (shell.displays.at(-1)?.id ?? 0) + 1;
        const text = read.length === 1 ? argument.text : evaluation.part.text;
        const display = { id, text, format, evaluation };
        shell.displays.push(display);
        shell.showDisplay(display);
      }
    },
  },
  {
    name: "undisplay",
    group: "looking",
    usage: "undisplay [N...]",
    help: "stop displaying one, or all",
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
    usage: "info TOPIC",
    help: "show a topic: regs, warps, barriers, buffers and others\nregs: registers of the focused thread, those named or all; * marks what changed\nwarps, threads: where their lanes are; barriers: who has arrived\nasync: what is in flight, and for what it waits; mbarriers: mbarrier objects\nbuffers: variables too; textures: surfaces too; tensor: tensor memory, lanes and columns after it, info tensor 0-7 32-39\nbreak, display: breakpoints and displays; changes: what was changed by hand\nweak: words that the focused thread could read out of date, and loads that it has postponed (--memory weak:random)\nline: where a place is, and what it was compiled from\nkernels, functions: as declared and mangled",
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
    usage: "lanes[/FORMAT] E... | ROLE | {R, ...} as ROLE of OPCODE",
    help: "a table of all lanes of the warp, or an mma matrix\na row for each register or other expression, a column for each lane; lanes beside each other that hold the same share a column; - where there is no thread or no such value\nROLE, at mma or after it: the matrix a, b, c, d, e (metadata), scale-a or scale-b, and where its elements lie\n{R, ...} as ROLE of OPCODE: registers as such a matrix of any mma or wmma.mma",
    takes: "expression",
    words: fragmentNames,
    formats: true,
    run: showLanes,
  },
  ...framing,
  {
    name: "list",
    short: ["l"],
    group: "looking",
    usage: "list [PLACE | FIRST,LAST]",
    help: "list the program around a place, with its source lines\nPLACE: here by default; add.cu:12 lists that file itself, which is looked for beside this one and in --source-dir\nan empty line continues",
    takes: "place",
    run: list,
  },
  {
    name: "focus",
    short: ["f", "cuda"],
    group: "looking",
    usage: "focus [block X] [thread Y | warp Y lane Z | thread Y channel Z]",
    help: "switch to another thread\nindices are linear, or x,y,z, or b1 t34 as lines have them; without any: which thread it is\nof vISA thread Y is a work-item; with channel Z it is a thread of several, which are its channels",
    takes: "none",
    words: ["block", "thread", "warp", "lane", "channel"],
    repeat: false,
    run: focusOn,
  },
  ...(["thread", "block", "warp", "lane"] as const).map(
    (word): Command => ({
      name: word,
      group: "looking",
      usage: `${word} [N]`,
      help: `switch to another ${word}, as focus ${word} does`,
      takes: "none",
      repeat: false,
      run: (shell, argument) =>
        focusOn(shell, argument.text === "" ? argument : { ...argument, text: `${word} ${argument.text}` }),
    }),
  ),
  {
    name: "disassemble",
    short: ["disas"],
    group: "looking",
    usage: "disassemble [PLACE]",
    help: "list the instructions of a function, with their indices\nthe function of the focused thread by default",
    takes: "place",
    run: disassemble,
  },
  {
    name: "explain",
    short: ["e", "ex"],
    group: "looking",
    usage: "explain [WHAT]",
    help: "explain the next instruction with its operands' values\nWHAT: ROW COLUMN, one element of D of a matrix multiplication, the first of the focused lane by default\nor a place, a register, or what `ptxrun explain` takes: fma.rn.f32, fma.rn.f32 a=1 b=2 c=3, 0x3c00, PTX3002",
    takes: "place",
    run: explainAny,
  },
  {
    name: "why",
    group: "looking",
    usage: "why[/N] [X]",
    help: "trace a value to its causes, across memory and threads\nX: an element of a buffer (out[0], or 1[0] by its parameter), a register of the focused thread, cc.cf or [memory]; nothing moves\nfirst, or without X: the first thing that is wrong: a fault, a finding, or a NaN or an infinity in a buffer\nN causes at most, 24 by default",
    takes: "expression",
    formats: true,
    repeat: false,
    run: tellWhy,
  },
];
