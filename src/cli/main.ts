import { main } from "./app.ts";
import { readDescriptor } from "./bounded.ts";
import { Exit } from "./exit.ts";
import type { Signal } from "./io.ts";
import { conversation } from "./repl/keyboard.ts";

/** The command `ptxrun`; `checkWorker` is the file that a check's worker threads run, `build` names the code. */
export async function command(checkWorker: string, build: string): Promise<void> {
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
    checkWorker,
    build,
    now: () => performance.now(),
  });
}

/** A worker thread of `check`. */
export async function worker(): Promise<void> {
  const { answer } = await import("./check/worker.ts");
  answer();
}

/** Listens to the signals that ask for an end. */
function onSignal(act: (signal: Signal) => void): () => void {
  const signals: readonly Signal[] = ["SIGINT", "SIGTERM"];
  for (const signal of signals) process.on(signal, act);
  return () => {
    for (const signal of signals) process.off(signal, act);
  };
}
