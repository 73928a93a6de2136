import type { Command } from "commander";
import { Exit, type ExitCode } from "../../environment/exit.ts";
import type { Io } from "../../environment/io.ts";
import { shapeOf } from "../tree.ts";
import { bash } from "./bash.ts";
import { fish } from "./fish.ts";
import { offerKernels } from "./kernels.ts";
import { zsh } from "./zsh.ts";

const shells = { bash, zsh, fish };
export type ShellName = keyof typeof shells;

/** `ptxrun completion`: a script for a shell, generated from the commands. */
export function completion(shell: ShellName, program: Command, io: Io): ExitCode {
  io.out(shells[shell](shapeOf(program)));
  return Exit.ok;
}

/** `ptxrun kernels-for`: what these scripts ask for. */
export const kernelsFor = (shell: string, line: string, program: Command, io: Io): ExitCode =>
  offerKernels(shell, line, shapeOf(program), io);
