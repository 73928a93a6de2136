import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { Bundle } from "../../tests/unit/cli/bundle.ts";
import {
  buildDriver,
  buildLibrary,
  buildLinker,
  buildRedirect,
  buildRuntime,
  compile,
  compiler,
  redirects,
} from "../build.js";

const folder = import.meta.dirname;
const native = join(folder, "..");

/** Why programs of C cannot be built here; undefined where they can. */
export const noCompiler: string | undefined =
  process.platform === "win32"
    ? "the library is for Linux and macOS"
    : compiler() === undefined
      ? "there is no C compiler (CC, or cc)"
      : undefined;

/** What all libraries are made of, for a program that calls what none of them shows. */
const sources = (): string[] =>
  readdirSync(native)
    .filter((name) => name.endsWith(".c") && name !== "ptx_run.c")
    .map((name) => join(native, name))
    .concat("-ldl");

/** Whether a command is there. */
export const has = (command: string): boolean => spawnSync(command, ["--version"]).status === 0;

/** Milliseconds after which a program is taken for one that never ends: no machine is as slow as that. */
const ENDLESS = 600_000;

export interface Ended {
  readonly exit: number | string | null;
  readonly out: string;
  readonly err: string;
}

/** The C library, with the worker that this checkout makes beside it, and programs that are linked with it. */
export class Programs {
  readonly #bundle: Bundle;
  /** Where the library is. */
  readonly folder: string;

  private constructor(bundle: Bundle) {
    this.#bundle = bundle;
    this.folder = join(dirname(bundle.entry), "native");
  }

  /** With the library of `ptx_run`, with that of the driver, or with that and the runtime's. */
  static async make(which: "ptx_run" | "driver" | "runtime" = "ptx_run"): Promise<Programs> {
    const programs = new Programs(await Bundle.make());
    if (which === "ptx_run") buildLibrary(programs.folder);
    else buildDriver(programs.folder);
    if (which === "driver") buildLinker(programs.folder);
    if (which === "runtime") buildRuntime(programs.folder);
    if (which === "runtime" && redirects) buildRedirect(programs.folder);
    // Where the library looks: a folder beside its own.
    const dist = join(dirname(programs.#bundle.entry), "dist");
    mkdirSync(dist);
    writeFileSync(join(dist, "client-worker.cjs"), 'require("../start.cjs").clientWorker();\n');
    return programs;
  }

  /** Compiles a program, linked with the library of this name; with none for `false`, and with what it is made of for `sources`. */
  build(
    source: string,
    linked: "ptxrun" | "cuda" | "cudart" | "sources" | false = "ptxrun",
    options: readonly string[] = [],
  ): string {
    const name = source.replace(/.*\//, "").replace(/\.c$/, "");
    const program = join(this.folder, `${name}${options.join("")}`);
    const library =
      linked === "sources" ? sources() : linked ? ["-L", this.folder, `-l${linked}`, `-Wl,-rpath,${this.folder}`] : [];
    if (linked === "cudart") library.push("-lcuda", "-ldl", "-I", join(native, "cudart"));
    compile([
      "-O1",
      "-g",
      "-pthread",
      "-I",
      native,
      "-I",
      join(native, "cuda"),
      "-o",
      program,
      resolve(folder, source),
      ...library,
      ...options,
    ]);
    return program;
  }

  /** Compiles a file that checks our types, or those in another folder of headers. */
  check(source: string, theirs?: string): void {
    const ours = join(native, source.startsWith("runtime") ? "cudart" : "cuda");
    const headers = theirs === undefined ? ["-I", ours] : ["-DTHEIRS", "-isystem", theirs];
    compile(["-fsyntax-only", ...headers, resolve(folder, source)]);
  }

  run(command: string, argv: readonly string[], env: Readonly<Record<string, string>> = {}): Ended {
    const { PTXRUN_HOME: _, PTXRUN_NODE: __, ...rest } = process.env;
    const { status, signal, stdout, stderr } = spawnSync(command, argv, {
      encoding: "utf8",
      timeout: ENDLESS,
      env: { ...rest, PTXRUN_NODE: process.execPath, ...env },
    });
    return { exit: status ?? signal, out: stdout, err: stderr };
  }

  /** Runs `ptxrun exec ARGV...` with the libraries in the folder. */
  exec(argv: readonly string[], env: Readonly<Record<string, string>> = {}): Ended {
    const [command = "", ...words] = this.execLine(argv);
    return this.run(command, words, { PTXRUN_NATIVE: this.folder, ...env });
  }

  /** The words of that command line. */
  execLine(argv: readonly string[]): readonly string[] {
    return [process.execPath, this.#bundle.entry, "exec", ...argv];
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
    this.#bundle.remove();
  }
}
