import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { Script } from "node:vm";
import { brotliDecompressSync } from "node:zlib";
import { pack, unpack } from "../../system/container.ts";
import { isOwn, isTrusted, makeFolder, userFolder } from "../../system/place.ts";
import { plain } from "../../system/plain.ts";

/** Command lines that run complete kernels; a snippet of one instruction would only wait longer. */
const kinds: ReadonlySet<string> = new Set(["run", "check", "client"]);

/**
 * V8's option for relaxed SIMD, whose multiply-add makes a kernel of f32 several times faster. V8 11.3 (Node 20) has it
 * completely, but only behind this option; from 11.4 on it is on by default. Its rounding is tested before it is used
 * (`wasm/fused.ts`).
 */
export function relaxedOption(kind: string, v8: string): string | undefined {
  return kinds.has(kind) && v8.startsWith("11.3.") ? "--experimental-wasm-relaxed-simd" : undefined;
}

const commands: ReadonlySet<string> = new Set([
  "campaign",
  "ce",
  "check",
  "completion",
  "dap",
  "diff",
  "exec",
  "explain",
  "hunt",
  "isa",
  "lint",
  "link",
  "doctor",
  "lit",
  "litmus",
  "lsp",
  "mcp",
  "man",
  "repl",
  "sweep",
  "trace",
  "visa",
]);
const short: ReadonlySet<string> = new Set(["-V", "--version", "-h", "--help", "help"]);

/**
 * Which part of ptxrun a command line uses. Each has a separate code cache: reading a cache takes time, so it should
 * contain only what its runs need. A wrong guess costs only that time.
 */
export function kindOf([first = "", ...rest]: readonly string[]): string {
  if (commands.has(first)) return first;
  if (short.has(first)) return "help";
  return [first, ...rest].some((word) => /^(?:-e|--eval)/.test(word)) ? "snippet" : "run";
}

/** Files that a folder may hold: a few versions of Node, and the kinds of command lines of each. */
const MAX_CACHED_FILES = 40;
/** Largest cache file that is read, bytes; V8 makes a tenth of it. */
const LARGEST = 32 * 2 ** 20;

/**
 * A file with the compiled code of some scripts. It is read from the first folder that has it and written to the first
 * that is writable. On any failure the run continues without it.
 */
export class CodeCache {
  readonly #name: string;
  readonly #folders: readonly string[];
  readonly #own: string | undefined;
  readonly #user: number | undefined;

  /** A checkout's folder, if it exists, comes before the user's own, which is created when a file has to be written. */
  constructor(name: string, checkout: string, own: string | undefined, user: number | undefined) {
    this.#name = `${name}.code`;
    this.#folders = own === undefined ? [checkout] : [checkout, own];
    this.#own = own;
    this.#user = user;
  }

  /** The code of each script; nothing when there is no file, or not the one that was written. */
  read(): readonly Uint8Array[] {
    for (const folder of this.#folders) {
      if (!isTrusted(folder, this.#user)) continue;
      const bytes = this.#bytes(join(folder, this.#name));
      const parts = bytes && unpack(bytes);
      if (parts !== undefined) return parts;
    }
    return [];
  }

  #bytes(path: string): Uint8Array | undefined {
    let file: number | undefined;
    try {
      // Nonblocking, in case it is a pipe.
      file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
      const stats = fstatSync(file);
      return stats.isFile() && stats.size <= LARGEST && isOwn(stats, this.#user)
        ? plain(readFileSync(file))
        : undefined;
    } catch {
      return undefined;
    } finally {
      if (file !== undefined) closeSync(file);
    }
  }

  /**
   * Writes the file atomically, so that no process reads half of it. `make` takes time, so it is called only when
   * some folder is writable.
   */
  write(make: () => readonly Uint8Array[]): void {
    for (const folder of this.#folders) {
      try {
        const made = folder === this.#own && makeFolder(folder, this.#user);
        if (!made && !isTrusted(folder, this.#user)) continue;
        this.#write(folder, make);
        return;
      } catch {
        // Read-only, or full: the next folder, or none.
      }
    }
  }

  #write(folder: string, make: () => readonly Uint8Array[]): void {
    const temporary = join(folder, `${this.#name}.${process.pid}`);
    const file = openSync(temporary, "wx", 0o600);
    try {
      try {
        writeFileSync(file, pack(make()));
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
      renameSync(temporary, join(folder, this.#name));
    } catch (error) {
      rmSync(temporary, { force: true });
      throw error;
    }
    trim(folder);
  }
}

/** Removes the oldest files above the limit, and the temporary files of processes that were killed. */
function trim(folder: string): void {
  const files = readdirSync(folder).filter((name) => /\.code(?:\.\d+)?$/.test(name));
  if (files.length <= MAX_CACHED_FILES) return;
  // Another process may remove some of them at the same moment.
  const timeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const aged = files.map((name) => join(folder, name)).map((path) => ({ path, time: timeOf(path) }));
  aged.sort((one, other) => other.time - one.time);
  for (const { path } of aged.slice(MAX_CACHED_FILES)) rmSync(path, { force: true });
}

/** What the bundle's file `cli.br` exports (src/cli/main.ts). */
interface CommandLine {
  command(installed: {
    readonly checkWorker: string;
    readonly poolWorker: string;
    readonly build: string;
    readonly home: string;
  }): void;
  worker(): void;
  poolMember(): void;
  clientWorker(poolWorker: string): void;
}
/** The exports of `core.cjs`: everything but the command line. */
interface Core {
  room(path: string): object;
}

/** The identity of the two files, which the build puts here; code compiled from others is never used. */
declare const BUNDLE: string;
/** The folder of this file, and of the others. */
declare const __dirname: string;

/** After a run this long, V8 may have dropped code that only the start used. */
const LONGEST = 5;

const wrapper = "(function (module, require) {";

/** A CommonJS file, compiled from its text or loaded from V8's compiled code. */
class CodeFile {
  readonly #script: Script;

  /** `text` is the file's, as bytes. */
  constructor(name: string, text: Uint8Array, cachedData: Uint8Array | undefined) {
    // The bundle is ASCII: no decoding.
    this.#script = new Script(`${wrapper}${latin1(text)}\n})`, {
      filename: join(__dirname, name),
      // Positions in a stack are those in the file.
      columnOffset: -wrapper.length,
      ...(cachedData !== undefined && { cachedData }),
    });
  }

  /** True when it was compiled from its text. */
  get isFresh(): boolean {
    return this.#script.cachedDataRejected !== false;
  }

  code(): Uint8Array {
    return plain(this.#script.createCachedData());
  }

  run<Exports>(require: (name: string) => unknown): Exports {
    const module = { exports: {} };
    this.#script.runInThisContext()(module, require);
    return module.exports as Exports;
  }
}

const fileOf = (name: string): Uint8Array => plain(readFileSync(join(__dirname, name)));
const latin1 = ({ buffer, byteOffset, length }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, length).toString("latin1");
const builtin = (name: string): unknown => process.getBuiltinModule(name);

/** Loads the bundle for one kind of use; code that this run compiled is saved for the next when `keep` is set. */
function load(kind: string, keep: boolean): CommandLine {
  // First: V8 rejects code that was compiled with other options.
  const option = relaxedOption(kind, process.versions.v8);
  if (option !== undefined) setFlagsFromString(option);
  const cache = cacheOf(kind);
  const [coreCode, cliCode, unpacked] = cache?.read() ?? [];
  // The command line is packed: its text is stored with the code, because unpacking it takes longer than reading
  // it.
  const text = unpacked ?? plain(brotliDecompressSync(fileOf("cli.br")));
  const files = [
    new CodeFile("core.cjs", fileOf("core.cjs"), coreCode),
    new CodeFile("cli.cjs", text, cliCode),
  ] as const;
  const core = files[0].run<Core>(builtin);
  const cli = files[1].run<CommandLine>((name) =>
    name.startsWith("core:") ? core.room(name.slice("core:".length)) : builtin(name),
  );
  if (keep && cache !== undefined && files.some((file) => file.isFresh)) {
    // At the end, because then the functions that ran are compiled.
    process.once("exit", () => {
      if (process.uptime() < LONGEST) cache.write(() => [...files.map((file) => file.code()), text]);
    });
  }
  return cli;
}

/** The code cache of this Node for one kind of use; none where the user wants none (a variable of Node's own). */
function cacheOf(kind: string): CodeCache | undefined {
  const { env, platform, arch, version, execArgv } = process;
  if (env["NODE_DISABLE_COMPILE_CACHE"]) return undefined;
  const user = process.getuid?.();
  const own = userFolder({ platform, env, user });
  const flags = cacheName([...execArgv, env["NODE_OPTIONS"] ?? ""].join(" ").trim());
  return new CodeCache(`${kind}-${BUNDLE}-${version}-${arch}${flags}`, join(__dirname, "code"), own, user);
}

/** V8's options affect compiled code: the name differs when they do. */
function cacheName(flags: string): string {
  if (flags === "") return "";
  let hash = 0;
  for (let at = 0; at < flags.length; at++) hash = (Math.imul(hash, 31) + flags.charCodeAt(at)) | 0;
  return `-${(hash >>> 0).toString(16)}`;
}

/** The command `ptxrun`. */
export function command(): void {
  load(kindOf(process.argv.slice(2)), true).command({
    checkWorker: join(__dirname, "check-worker.cjs"),
    poolWorker: join(__dirname, "pool-worker.cjs"),
    build: BUNDLE,
    home: join(__dirname, ".."),
  });
}

/** A worker thread of `check`: it is terminated, with no time to save anything. */
export function worker(): void {
  load("check", false).worker();
}

/** A worker thread that runs blocks of a grid. */
export function poolMember(): void {
  load("run", false).poolMember();
}

/** The worker process of a client: many are started for a few small launches. */
export function clientWorker(): void {
  load("client", true).clientWorker(join(__dirname, "pool-worker.cjs"));
}
