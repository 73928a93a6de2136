import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** The same arithmetic in C++: a process that runs a kernel whenever it is asked. */
export class Native {
  readonly #process: ChildProcess;
  readonly #answers: AsyncIterator<string>;

  private constructor(program: string) {
    this.#process = spawn(program, { stdio: ["pipe", "pipe", "inherit"] });
    this.#answers = createInterface({ input: this.#process.stdout! })[Symbol.asyncIterator]();
  }

  /** Compiles `source` without vector instructions; undefined where there is no g++. */
  static start(source: string): Native | undefined {
    if (spawnSync("g++", ["--version"]).error !== undefined) return undefined;
    const folder = mkdtempSync(join(tmpdir(), "ptxrun-bench-"));
    process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
    const program = join(folder, "kernels");
    const flags = ["-O3", "-march=native", "-fno-tree-vectorize", "-std=c++17"];
    execFileSync("g++", [...flags, source, "-o", program], { stdio: "inherit" });
    return new Native(program);
  }

  /** The least CPU seconds of one run, of as many as take `atLeast` seconds; and the checksum of the output. */
  async run(kernel: string, atLeast: number): Promise<{ readonly seconds: number; readonly checksum: string }> {
    this.#process.stdin!.write(`${kernel} ${atLeast}\n`);
    const { value } = await this.#answers.next();
    const [seconds = "", checksum = ""] = String(value).split(" ");
    if (checksum === "") throw new Error(`the native side does not know ${kernel}`);
    return { seconds: Number(seconds), checksum };
  }

  stop(): void {
    this.#process.stdin!.end();
  }
}
