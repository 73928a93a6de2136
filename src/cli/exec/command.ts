import { spawn } from "node:child_process";
import { constants } from "node:os";
import { resolve } from "node:path";
import { Exit } from "../../environment/exit.ts";
import type { Io } from "../../environment/io.ts";
import { reason } from "../../environment/reason.ts";
import { report } from "../../environment/report.ts";
import { problem } from "../../host/problem.ts";
import type { Diagnostic } from "../../source/diagnostic.ts";
import { findLibraries, SEARCHED } from "./libraries.ts";
import type { ExecOptions } from "./options.ts";

/** Signals that ask a program for something; where a person types them, the terminal sends them to the program as well. */
const passed: readonly NodeJS.Signals[] = ["SIGTERM", "SIGHUP", "SIGUSR2", "SIGCONT"];
const typed: readonly NodeJS.Signals[] = ["SIGINT", "SIGQUIT"];

/** `ptxrun exec`: runs a program with our libraries before others, and gives its exit code. */
export async function exec(program: string, argv: readonly string[], options: ExecOptions, io: Io): Promise<number> {
  const { value: folder, diagnostics } = findLibraries(io);
  if (folder === undefined) {
    report(diagnostics, options, io);
    return Exit.usage;
  }
  const before = process.env[SEARCHED];
  const env = {
    ...process.env,
    ...settings(options, io.cwd),
    [SEARCHED]: before === undefined || before === "" ? folder : `${folder}:${before}`,
    // A program may start others, which find the worker by the Node that runs this.
    PTXRUN_NODE: process.env["PTXRUN_NODE"] || process.execPath,
  };
  const ended = await runs(program, argv, env, io.cwd);
  if (typeof ended === "number") return ended;
  report([ended], options, io);
  return Exit.usage;
}

/** What the libraries and their worker are told. */
export function settings(options: ExecOptions, cwd: string): Readonly<Record<string, string>> {
  const { target, sanitize, maxMem, timeout, onError, stats, trace, output, record } = options;
  return {
    ...(target !== undefined && { PTXRUN_TARGET: target }),
    ...(sanitize !== undefined && { PTXRUN_SANITIZE: sanitize }),
    ...(maxMem !== undefined && { PTXRUN_MAX_MEM: String(maxMem) }),
    ...(timeout !== undefined && { PTXRUN_TIMEOUT: String(timeout / 1000) }),
    ...(onError !== undefined && { PTXRUN_ON_ERROR: onError }),
    ...(stats && { PTXRUN_STATS: "1" }),
    ...(trace && { PTXRUN_TRACE: "1" }),
    ...(record !== undefined && { PTXRUN_RECORD: resolve(cwd, record) }),
    ...(output !== undefined && { PTXRUN_LOG: resolve(cwd, output) }),
  };
}

/** Runs the program to its end; gives its exit code, or why it cannot be run. */
function runs(
  program: string,
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
  cwd: string,
): Promise<number | Diagnostic> {
  return new Promise((done) => {
    const child = spawn(program, [...argv], { env, cwd, stdio: "inherit" });
    const pass = (signal: NodeJS.Signals): void => {
      child.kill(signal);
    };
    const hear = (signal: NodeJS.Signals): void => {
      if (process.stdin.isTTY !== true) child.kill(signal);
    };
    for (const signal of passed) process.on(signal, pass);
    for (const signal of typed) process.on(signal, hear);
    const end = (result: number | Diagnostic): void => {
      for (const signal of passed) process.off(signal, pass);
      for (const signal of typed) process.off(signal, hear);
      done(result);
    };
    child.on("error", (error) => {
      if (child.pid === undefined) end(notRun(program, error));
    });
    child.on("exit", (code, signal) => end(code ?? 128 + (signal === null ? 0 : constants.signals[signal])));
  });
}

const notRun = (program: string, error: unknown): Diagnostic =>
  problem("PTX2251", `cannot run ${program}: ${reason(error)}`, {
    expected: "a program, by its path or as the PATH has it",
  });
