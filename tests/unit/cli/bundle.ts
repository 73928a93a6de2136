import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { build } from "esbuild";

const root = resolve(import.meta.dirname, "../../..");

/** The command line as the package ships it, built from this checkout into a folder of its own. */
export class Bundle {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async make(): Promise<Bundle> {
    const folder = mkdtempSync(join(tmpdir(), "ptxrun-bundle-"));
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
    await build({
      entryPoints: {
        cli: join(root, "src/cli/main.ts"),
        "check-worker": join(root, "src/cli/check/worker.ts"),
      },
      outdir: folder,
      splitting: true,
      bundle: true,
      platform: "node",
      format: "esm",
      logLevel: "error",
      banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    });
    // Where the process says how much memory it had at most, in KiB; standard output and errors stay what they are.
    writeFileSync(
      join(folder, "most.js"),
      'import { writeSync } from "node:fs";\nprocess.on("exit", () => writeSync(3, String(process.resourceUsage().maxRSS)));\n',
    );
    return new Bundle(folder);
  }

  /** The script that node runs. */
  get entry(): string {
    return join(this.#folder, "cli.js");
  }

  /** Runs `ptxrun ARGV...` as a process; what a shell command prints, if one is given, is its standard input. */
  run(argv: readonly string[], cwd: string, from?: string): Ran {
    const words = ["--import", join(this.#folder, "most.js"), join(this.#folder, "cli.js"), ...argv];
    const piped = ["-c", `${from} 2>/dev/null | "$0" "$@"`, process.execPath, ...words];
    const { status, signal, output } = spawnSync(
      from === undefined ? process.execPath : "/bin/sh",
      from === undefined ? words : piped,
      {
        cwd,
        encoding: "utf8",
        stdio: ["ignore", "pipe", "pipe", "pipe"],
        maxBuffer: 2 ** 28,
        env: { ...process.env, CI: "", NO_COLOR: "1" },
      },
    );
    return { exit: status ?? signal, out: output[1] ?? "", err: output[2] ?? "", kibibytes: Number(output[3]) };
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

export interface Ran {
  readonly exit: number | string | null;
  readonly out: string;
  readonly err: string;
  /** Memory of the process at its highest. */
  readonly kibibytes: number;
}
