import { spawn } from "node:child_process";
import type { Ptxrun } from "../ptxrun.ts";
import { type Report, readReport } from "./results.ts";

export interface CheckRequest {
  readonly files: readonly string[];
  /** Of one file only: cases whose name holds it. */
  readonly filter?: string;
  /** More options of `ptxrun check`. */
  readonly args: readonly string[];
  readonly cwd: string | undefined;
  readonly signal: AbortSignal;
}

/** Runs `ptxrun check` and reads its report; what it says on standard error is the error's text where there is none. */
export function runCheck({ command, args, env }: Ptxrun, request: CheckRequest): Promise<Report> {
  const { files, filter, cwd, signal } = request;
  const options = [
    "check",
    "--reporter",
    "json",
    ...request.args,
    ...(filter === undefined ? [] : ["--filter", filter]),
  ];
  return new Promise((resolve, reject) => {
    const child = spawn(command, [...args, ...options, "--", ...files], {
      cwd,
      signal,
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let out = "";
    let said = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      out += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
    child.on("error", reject);
    child.on("close", () => {
      try {
        resolve(readReport(out));
      } catch {
        reject(new Error(said.trim() || "ptxrun check printed no report"));
      }
    });
  });
}
