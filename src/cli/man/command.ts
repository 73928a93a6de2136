import type { Command } from "commander";
import { Exit, type ExitCode } from "../../environment/exit.ts";
import type { Io } from "../../environment/io.ts";
import { shapeOf } from "../tree.ts";
import { version } from "../version.ts";
import { manual } from "./roff.ts";

/** `ptxrun man`: the manual page, made from what --help prints. */
export function man(program: Command, io: Io): ExitCode {
  io.out(manual(shapeOf(program), version));
  return Exit.ok;
}
