import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { Exit } from "../../environment/exit.ts";
import type { Io } from "../../environment/io.ts";
import { isSet } from "../../environment/is-set.ts";
import { reason } from "../../environment/reason.ts";
import { report } from "../../environment/report.ts";
import { problem } from "../../host/problem.ts";
import type { Finding } from "../../present/finding.ts";
import { printable } from "../../present/text/escape.ts";
import type { Diagnostic, Staged } from "../../source/diagnostic.ts";
import { findProgram } from "../../system/find-program.ts";
import { publish } from "../findings/write.ts";
import { findLibraries } from "./libraries.ts";
import type { ExecOptions } from "./options.ts";

const mac = process.platform === "darwin";

/** The loader's variable for folders that it searches first. */
const SEARCHED: string = mac ? "DYLD_LIBRARY_PATH" : "LD_LIBRARY_PATH";

/** Signals that ask a program to act; when the user types them, the terminal sends them to the program as well. */
const passed: readonly NodeJS.Signals[] = ["SIGTERM", "SIGHUP", "SIGUSR2", "SIGCONT"];
const typed: readonly NodeJS.Signals[] = ["SIGINT", "SIGQUIT"];

/**
 * `ptxrun exec`: runs a program with our libraries before others, and returns its exit code; instead of 0, another one
 * where something was found.
 */
export async function exec(program: string, argv: readonly string[], options: ExecOptions, io: Io): Promise<number> {
  const { value: folder, diagnostics } = findLibraries(io);
  if (folder === undefined) {
    report(diagnostics, options, io);
    return Exit.usage;
  }
  const { value: notes, diagnostics: none } = makeFolder(program);
  if (notes === undefined) {
    report(none, options, io);
    return Exit.usage;
  }
  try {
    const found = join(notes, "found");
    const kept = join(notes, "findings");
    const isTold = options.reporter !== undefined || isSet(io.env.GITHUB_ACTIONS);
    const env = { ...surroundings(folder, found, options, io), ...(isTold && { PTXRUN_FINDINGS: kept }) };
    const ended = await runs(program, argv, env, io.cwd);
    if (typeof ended !== "number") {
      report([ended], options, io);
      return Exit.usage;
    }
    const unwritten = isTold ? tell(program, ended, keptIn(kept), options, io) : [];
    report(unwritten, options, io);
    if (unwritten.length > 0) return Exit.usage;
    return ended === Exit.ok && existsSync(found) ? (options.errorExitcode ?? Exit.finding) : ended;
  } finally {
    rmSync(notes, { recursive: true, force: true });
  }
}

/** What workers have appended to a file: a line each. */
const keptIn = (file: string): readonly Finding[] =>
  existsSync(file)
    ? readFileSync(file, "utf8")
        .split("\n")
        .flatMap((line) => (line === "" ? [] : [JSON.parse(line) as Finding]))
    : [];

function tell(program: string, ended: number, findings: readonly Finding[], { reporter }: ExecOptions, io: Io) {
  const heading = `${printable(program)} exits ${ended}, ${findings.length} found in its kernels`;
  return publish({ command: "exec", heading, findings, reporter, annotates: true }, io);
}

/** A folder of this user for the file that marks findings. */
function makeFolder(program: string): Staged<string | undefined> {
  try {
    return { value: mkdtempSync(join(tmpdir(), "ptxrun-exec-")), diagnostics: [] };
  } catch (error) {
    const why = problem("PTX2251", `cannot run ${program}: in ${tmpdir()} nothing can be made: ${reason(error)}`, {
      expected: "a folder for files of a moment, as TMPDIR names one",
    });
    return { value: undefined, diagnostics: [why] };
  }
}

/** The program's environment. */
function surroundings(folder: string, found: string, options: ExecOptions, io: Io): NodeJS.ProcessEnv {
  const before = process.env[SEARCHED];
  return {
    ...process.env,
    ...settings(options, io.cwd),
    [SEARCHED]: before === undefined || before === "" ? folder : `${folder}:${before}`,
    ...preloaded(folder),
    ...compiling(folder, io.cwd),
    // A program may start others, which run the worker with this Node.
    PTXRUN_NODE: process.env["PTXRUN_NODE"] || process.execPath,
    PTXRUN_FOUND: found,
  };
}

/** What sends a runtime within the program to ours, before what is preloaded already. */
function preloaded(folder: string): { readonly LD_PRELOAD?: string } {
  const redirect = join(folder, "libptxrun-redirect.so");
  if (mac || !existsSync(redirect)) return {};
  const before = process.env["LD_PRELOAD"];
  return { LD_PRELOAD: before === undefined || before === "" ? redirect : `${redirect}:${before}` };
}

/** Where there is an nvcc, ours before it: programs that compile at run time want PTX in place of machine code. */
function compiling(folder: string, cwd: string): NodeJS.ProcessEnv {
  const before = process.env["PATH"] ?? "";
  const real = process.env["PTXRUN_NVCC"] || findProgram(["nvcc"], before, cwd);
  const ours = join(folder, "bin");
  if (real === undefined || !existsSync(join(ours, "nvcc"))) return {};
  return { PATH: `${ours}${delimiter}${before}`, PTXRUN_NVCC: real };
}

/** The settings for the libraries and their worker. */
export function settings(options: ExecOptions, cwd: string): Readonly<Record<string, string>> {
  const { target, sanitize, executor, maxMem, timeout, onError, onlyAnnounced, stats, trace, output, record } = options;
  return {
    ...(target !== undefined && { PTXRUN_TARGET: target }),
    ...(sanitize !== undefined && { PTXRUN_SANITIZE: sanitize }),
    ...(executor !== undefined && { PTXRUN_EXECUTOR: executor }),
    ...(maxMem !== undefined && { PTXRUN_MAX_MEM: String(maxMem) }),
    ...(timeout !== undefined && { PTXRUN_TIMEOUT: String(timeout / 1000) }),
    ...(onError !== undefined && { PTXRUN_ON_ERROR: onError }),
    ...(onlyAnnounced && { PTXRUN_ONLY_ANNOUNCED: "1" }),
    ...(stats && { PTXRUN_STATS: "1" }),
    ...(trace && { PTXRUN_TRACE: "1" }),
    ...(record !== undefined && { PTXRUN_RECORD: resolve(cwd, record) }),
    ...(output !== undefined && { PTXRUN_LOG: resolve(cwd, output) }),
  };
}

/** Runs the program to its end; returns its exit code, or why it cannot be run. */
function runs(
  program: string,
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
  cwd: string,
): Promise<number | Diagnostic> {
  return new Promise((done) => {
    // Handlers are installed before the program begins: a signal in between would end this process and leave the
    // program running.
    const pass = (signal: NodeJS.Signals): void => {
      child.kill(signal);
    };
    const hear = (signal: NodeJS.Signals): void => {
      if (process.stdin.isTTY !== true) child.kill(signal);
    };
    for (const signal of passed) process.on(signal, pass);
    for (const signal of typed) process.on(signal, hear);
    const child = spawn(program, [...argv], { env, cwd, stdio: "inherit" });
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
