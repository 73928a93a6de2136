import { Exit } from "../environment/exit.ts";
import type { Signal } from "../environment/io.ts";
import { useNativeCompiler } from "../interp/compiled/module/native-code.ts";
import { readDescriptor } from "../system/bounded.ts";
import { filesFrom } from "../system/files.ts";
import { systemCompiler } from "../system/native-compiler.ts";
import { main } from "./app.ts";
import { conversation } from "./repl/keyboard.ts";

/** The files of the worker threads, those of `check` and those that run blocks of a grid, and the build's name. */
export interface Installed {
  readonly checkWorker: string;
  readonly poolWorker: string;
  readonly build: string;
  /** The folder of the package. */
  readonly home: string;
}

/** The command `ptxrun`. */
export async function command(installed: Installed): Promise<void> {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: Error & { code?: string }) => {
      // A reader that stops early (`ptxrun ... | head`) needs no message; a full disk does.
      if (error.code === "EPIPE") process.exit();
      if (stream === process.stdout) process.stderr.write(`cannot write the result: ${error.code}\n`);
      process.exit(Exit.usage);
    });
  }
  const cwd = process.cwd();
  useNativeCompiler(() => systemCompiler(process.env));
  process.exitCode = await main(process.argv.slice(2), {
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
    input: (most) => readDescriptor(0, most),
    env: process.env,
    cwd,
    files: filesFrom(cwd),
    terminal: {
      out: process.stdout.isTTY === true,
      err: process.stderr.isTTY === true,
      columns: () => process.stderr.columns,
      // Created lazily: the stream behind standard input takes time to create.
      get conversation() {
        return process.stdin.isTTY && process.stdout.isTTY ? conversation() : undefined;
      },
    },
    streams: () => ({ input: process.stdin, output: process.stdout }),
    onSignal,
    ...installed,
    now: () => performance.now(),
  });
}

/** A worker thread of `check`. */
export async function worker(): Promise<void> {
  const { answer } = await import("./check/worker.ts");
  answer();
}

/** A worker thread that runs blocks of a grid. */
export async function poolMember(): Promise<void> {
  const { serve } = await import("../system/worker.ts");
  serve();
}

/** The process that runs kernels for a program that has loaded the C library of `native`. */
export async function clientWorker(poolWorker: string): Promise<void> {
  const { work } = await import("../clients/worker.ts");
  work(poolWorker);
}

/** Listens to the signals that ask for termination. */
function onSignal(act: (signal: Signal) => void): () => void {
  const signals: readonly Signal[] = ["SIGINT", "SIGTERM"];
  for (const signal of signals) process.on(signal, act);
  return () => {
    for (const signal of signals) process.off(signal, act);
  };
}
