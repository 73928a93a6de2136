import { type ChildProcess, fork } from "node:child_process";
import type { Answer, Asked } from "./child.ts";

/** How long one input may take, milliseconds, and how much memory it may leave the process with, bytes. */
export interface Bounds {
  readonly time: number;
  readonly memory: number;
}

/** Feeds inputs in a process of its own, which may hang, be killed or run out of memory. */
export class Feeder {
  readonly #file: string;
  readonly #bounds: Bounds;
  #child: ChildProcess | undefined;

  constructor(file: string, bounds: Bounds) {
    this.#file = file;
    this.#bounds = bounds;
  }

  /** What came of an input: a process that hangs or dies is an answer too. */
  async feed(asked: Asked): Promise<Pick<Answer, "failure" | "shapes">> {
    this.#child ??= this.#start();
    const child = this.#child;
    const answer = await new Promise<Answer | string>((done) => {
      const settle = (answer: Answer | string): void => {
        clearTimeout(timer);
        child.removeAllListeners("message").removeAllListeners("exit");
        done(answer);
      };
      const timer = setTimeout(() => settle(`hangs: more than ${this.#bounds.time / 1000} s`), this.#bounds.time);
      child.once("message", (answer) => settle(answer as Answer));
      child.once("exit", (code, signal) => settle(`dies: ${signal ?? `exit ${code}`}`));
      child.send(asked);
    });
    if (typeof answer === "string") {
      this.close();
      return { failure: answer, shapes: [] };
    }
    const { failure, memory, shapes } = answer;
    if (memory <= this.#bounds.memory) return { ...(failure !== undefined && { failure }), shapes };
    this.close();
    return { failure: `takes more than ${this.#bounds.memory / 2 ** 20} MiB`, shapes };
  }

  close(): void {
    this.#child?.kill("SIGKILL");
    this.#child = undefined;
  }

  #start(): ChildProcess {
    const execArgv = ["--max-old-space-size=1024", "--no-wasm-tier-up"];
    return fork(this.#file, { execArgv, stdio: ["ignore", "ignore", "pipe", "ipc"] });
  }
}
