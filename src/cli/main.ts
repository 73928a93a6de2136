import { main } from "./app.ts";
import { readDescriptor } from "./bounded.ts";
import { Exit } from "./exit.ts";
import type { Signal } from "./io.ts";
import { conversation } from "./repl/keyboard.ts";

/** The files that worker threads run, those of `check` and those that run blocks of a grid, and the code by its name. */
export interface Installed {
  readonly checkWorker: string;
  readonly crewWorker: string;
  readonly build: string;
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
  process.exitCode = await main(process.argv.slice(2), {
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
    input: (most) => readDescriptor(0, most),
    env: process.env,
    cwd: process.cwd(),
    terminal: {
      out: process.stdout.isTTY === true,
      err: process.stderr.isTTY === true,
      columns: () => process.stderr.columns,
      // Asked for late: what stands behind standard input takes time to make.
      get conversation() {
        return process.stdin.isTTY && process.stdout.isTTY ? conversation() : undefined;
      },
    },
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
export async function crewMember(): Promise<void> {
  const { serve } = await import("./crew/worker.ts");
  serve();
}

/** Listens to the signals that ask for an end. */
function onSignal(act: (signal: Signal) => void): () => void {
  const signals: readonly Signal[] = ["SIGINT", "SIGTERM"];
  for (const signal of signals) process.on(signal, act);
  return () => {
    for (const signal of signals) process.off(signal, act);
  };
}
