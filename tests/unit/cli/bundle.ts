import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { inject } from "vitest";
import { bundle } from "../../../bundle/bundle.js";

/** The command line as the package ships it, built from this checkout into a folder of its own. */
export class Bundle {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async make(): Promise<Bundle> {
    const folder = mkdtempSync(join(tmpdir(), "ptxrun-bundle-"));
    cpSync(await made(inject("bundles")), folder, { recursive: true });
    writeFileSync(join(folder, "ptxrun.cjs"), 'require("./start.cjs").command();\n');
    // As in a checkout, what V8 compiles is kept here and not in somebody's home.
    mkdirSync(join(folder, "code"), { mode: 0o700 });
    // Where the process says how much memory it had at most, in KiB; standard output and errors stay what they are.
    writeFileSync(
      join(folder, "most.mjs"),
      'import { writeSync } from "node:fs";\nprocess.on("exit", () => writeSync(3, String(process.resourceUsage().maxRSS)));\n',
    );
    return new Bundle(folder);
  }

  /** The script that node runs. */
  get entry(): string {
    return join(this.#folder, "ptxrun.cjs");
  }

  /** Runs `ptxrun ARGV...` as a process; what a shell command prints, if one is given, is its standard input. */
  run(argv: readonly string[], cwd: string, from?: string): Ran {
    const words = ["--import", join(this.#folder, "most.mjs"), this.entry, ...argv];
    // By a shell, and not by `exec`: the kernel counts the memory of the process that forks for the one that is made.
    const command = from === undefined ? '"$0" "$@"; exit $?' : `${from} 2>/dev/null | "$0" "$@"`;
    const { status, signal, output } = spawnSync("/bin/sh", ["-c", command, process.execPath, ...words], {
      cwd,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe", "pipe"],
      maxBuffer: 2 ** 28,
      env: { ...process.env, CI: "", NO_COLOR: "1" },
    });
    return { exit: status ?? signal, out: output[1] ?? "", err: output[2] ?? "", kibibytes: Number(output[3]) };
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/**
 * The folder with the bundle of this run of the tests, for which all who need one wait: making it takes seconds. `home` is
 * where the run keeps it, see `bundles.ts`.
 */
async function made(home: string): Promise<string> {
  const there = join(home, "bundle");
  try {
    mkdirSync(join(home, "begun"));
  } catch {
    while (!existsSync(there)) {
      if (existsSync(join(home, "failed"))) throw new Error("the bundle could not be made, as another file says");
      await setTimeout(50);
    }
    return there;
  }
  try {
    mkdirSync(join(home, "making"));
    await bundle(join(home, "making"), { small: false });
  } catch (error) {
    writeFileSync(join(home, "failed"), "");
    throw error;
  }
  renameSync(join(home, "making"), there);
  return there;
}

export interface Ran {
  readonly exit: number | string | null;
  readonly out: string;
  readonly err: string;
  /** Memory of the process at its highest. */
  readonly kibibytes: number;
}
