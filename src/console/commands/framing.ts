import type { Frame } from "../../host/debugger/debugger.ts";
import { printable } from "../../present/escape.ts";
import { shortName } from "../../source/demangle/index.ts";
import { instructionLine, placeName } from "../expression/place.ts";
import { type LinePart, refuse } from "../expression/refusal.ts";
import type { Shell } from "../shell.ts";
import { originalLine } from "../show/original.ts";
import { nothing, whole } from "./arguments.ts";
import type { Command } from "./command.ts";

/** Commands about the functions that the focused thread is in. */
export const framing: readonly Command[] = [
  {
    name: "where",
    short: ["bt", "backtrace"],
    group: "looking",
    usage: "where",
    help: "the functions that the focused thread is in, innermost first; * marks the one that up and down have chosen",
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
    help: "look at the function that called this one: its registers, and where it goes on",
    takes: "none",
    run: (shell, argument) => choose(shell, shell.frame + steps(shell, argument), argument),
  },
  {
    name: "down",
    group: "looking",
    usage: "down [N]",
    help: "back to the function that it has called",
    takes: "none",
    run: (shell, argument) => choose(shell, shell.frame - steps(shell, argument), argument),
  },
  {
    name: "frame",
    group: "looking",
    usage: "frame [N]",
    help: "look at a function by its number in where; without any, which one it is",
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
