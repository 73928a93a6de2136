import { spawn } from "node:child_process";
import { constants } from "node:os";
import { Exit } from "../../../src/environment/exit.ts";
import type { Signal } from "../../../src/environment/io.ts";
import type { CommandIo } from "../../../src/system/command-io.ts";
import type { Printed } from "./outcome.ts";
import { type Unit, wordsOf } from "./unit.ts";

/** Runs a command line of ptxrun in this process, as `app.ts` does. */
export type Main = (argv: readonly string[], io: CommandIo) => Promise<number>;

/** Bytes kept of each output stream of another command: the end holds its result. */
const MOST_PRINTED = 1 << 20;

/** Does one part, and returns what it has printed. */
export function execute(unit: Unit, io: CommandIo, main: Main): Promise<Printed> {
  const words = wordsOf(unit);
  return unit.job.kind === "command" ? executeOther(words, io) : executeOwn(words, io, main);
}

async function executeOwn(words: readonly string[], io: CommandIo, main: Main): Promise<Printed> {
  let [out, err] = ["", ""];
  const quiet: CommandIo = {
    ...io,
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    // No user watches a part of a campaign: no questions, colours or annotations.
    env: { NO_COLOR: "1" },
    terminal: { out: false, err: false },
    input: () => ({ bytes: new Uint8Array() }),
  };
  const exit = await main(words, quiet);
  const asked = exit === Exit.interrupted ? "SIGINT" : exit === Exit.terminated ? "SIGTERM" : undefined;
  return { exit, out, err, ...(asked && { asked }) };
}

/** Runs another command without a shell. A signal that ends us ends it too. */
function executeOther([command = "", ...words]: readonly string[], { cwd, onSignal }: CommandIo): Promise<Printed> {
  return new Promise((done) => {
    const child = spawn(command, words, { cwd, stdio: ["ignore", "pipe", "pipe"] });
    let [out, err] = ["", ""];
    let asked: Signal | undefined;
    const deaf = onSignal?.((signal) => {
      asked = signal;
      child.kill(signal);
    });
    const end = (exit: number, said = err): void => {
      deaf?.();
      done({ exit, out, err: said, ...(asked && { asked }) });
    };
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      out = (out + text).slice(-MOST_PRINTED);
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      err = (err + text).slice(-MOST_PRINTED);
    });
    // A shell's exit code where there is no such command.
    child.on("error", ({ message }) => end(127, message));
    child.on("close", (code, signal) => end(code ?? 128 + (signal === null ? 0 : constants.signals[signal])));
  });
}
