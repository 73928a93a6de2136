import { resolve } from "node:path";
import { nativeCompiler } from "../interp/compiled/module/native-code.ts";
import { type Checks, executors } from "../interp/create-session.ts";
import type { Executor } from "../interp/state/executor.ts";
import { CHECKS, readChecks } from "../launch/value/checks.ts";
import { readBytesCount, readJobs } from "../launch/value/quantity.ts";

/** The worker's settings from its environment, which is that of the client's process: the variables in docs/exec.md. */
export interface Settings {
  readonly sanitize?: Checks;
  /** What executes launches; else WebAssembly, and a C compiler's code once a kernel has run for long. */
  readonly executor?: Executor;
  /** Bytes of the device's memory at most. */
  readonly maxMemory?: number;
  /**
   * Whether kernels that `ptx_run` starts may touch only announced ranges of the caller's memory, and nothing without
   * any.
   */
  readonly onlyAnnounced?: boolean;
  readonly stats: boolean;
  readonly trace: boolean;
  /** The file that `stats` and `trace` write to, instead of standard error. */
  readonly log?: string;
  /** The folder where launches are recorded. */
  readonly record?: string;
  /** The file that is created once the checks have found something. */
  readonly found?: string;
  /** The file to which faults and findings are appended, a line of JSON each. */
  readonly findings?: string;
  /** How many threads run blocks of big grids: as many as there are processors, by default. */
  readonly jobs?: number;
  /** Seconds after which the client ends a launch. */
  readonly timeout?: number;
  /** Variables that cannot be read, and are ignored. */
  readonly problems: readonly string[];
}

/** Reads PTXRUN_SANITIZE, PTXRUN_EXECUTOR, PTXRUN_MAX_MEM, PTXRUN_STATS, PTXRUN_TRACE, PTXRUN_LOG, PTXRUN_RECORD, PTXRUN_FOUND, PTXRUN_FINDINGS, PTXRUN_ONLY_ANNOUNCED, PTXRUN_JOBS and PTXRUN_TIMEOUT. */
export function settingsOf(env: Readonly<Record<string, string | undefined>>): Settings {
  const problems: string[] = [];
  const read = <T>(name: string, from: (text: string) => T | undefined, wanted: string): T | undefined => {
    const text = env[name];
    if (text === undefined || text === "") return undefined;
    const value = from(text);
    if (value === undefined) problems.push(`ptxrun: ${name} is ${text}, and not ${wanted}: it is ignored\n`);
    return value;
  };
  const flag = (name: string): boolean =>
    read(name, (text) => (text === "1" ? true : text === "0" ? false : undefined), "0 or 1") ?? false;
  const sanitize = read("PTXRUN_SANITIZE", readChecks, CHECKS);
  const executor = read("PTXRUN_EXECUTOR", readExecutor, "js, wasm, or native where there is a C compiler");
  const maxMemory = read("PTXRUN_MAX_MEM", readBytesCount, "bytes, such as 1G");
  const jobs = read("PTXRUN_JOBS", readJobs, "a number of threads, or auto");
  // The client, which enforces the limit, reports its errors.
  const timeout = Number(env["PTXRUN_TIMEOUT"] || undefined);
  // The worker runs in the root folder; users mean paths relative to the program's initial folder.
  const path = (name: string) => read(name, (text) => resolve(env["PWD"] ?? "/", text), "a path");
  const [log, record] = [path("PTXRUN_LOG"), path("PTXRUN_RECORD")];
  const [found, findings] = [path("PTXRUN_FOUND"), path("PTXRUN_FINDINGS")];
  return {
    ...(sanitize && { sanitize }),
    ...(executor && { executor }),
    ...(maxMemory !== undefined && { maxMemory }),
    ...(typeof jobs === "number" && { jobs }),
    ...(log !== undefined && { log }),
    ...(record !== undefined && { record }),
    ...(found !== undefined && { found }),
    ...(findings !== undefined && { findings }),
    ...(timeout > 0 && { timeout }),
    onlyAnnounced: flag("PTXRUN_ONLY_ANNOUNCED"),
    stats: flag("PTXRUN_STATS"),
    trace: flag("PTXRUN_TRACE"),
    problems,
  };
}

const readExecutor = (text: string): Executor | undefined =>
  text === "native" && nativeCompiler() === undefined ? undefined : executors.get(text);
