import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { Script } from "node:vm";
import { brotliDecompressSync } from "node:zlib";
import { plain } from "../plain.ts";
import { CodeCache } from "./code-cache.ts";
import { kindOf } from "./kind.ts";
import { userFolder } from "./place.ts";
import { relaxedOption } from "./relaxed.ts";

/** What the bundle's file `cli.br` exports (src/cli/main.ts). */
interface CommandLine {
  command(installed: {
    readonly checkWorker: string;
    readonly crewWorker: string;
    readonly build: string;
    readonly home: string;
  }): void;
  worker(): void;
  crewMember(): void;
  clientWorker(): void;
}
/** What `core.cjs` exports: all rooms but the command line's. */
interface Core {
  room(path: string): object;
}

/** The identity of the two files, which the build puts here; code that was made from others is never taken. */
declare const BUNDLE: string;
/** Where this file lies, and the others. */
declare const __dirname: string;

/** A run this long may have lost code that only its start used: V8 forgets what has not run for a while. */
const LONGEST = 5;

const wrapper = "(function (module, require) {";

/** A CommonJS file, compiled from its text or taken from V8's compiled code. */
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

/** Loads the bundle for one kind of use; what this run compiled is kept for the next when `keep` is set. */
function load(kind: string, keep: boolean): CommandLine {
  // First: V8 takes no code that was compiled with other options.
  const option = relaxedOption(kind, process.versions.v8);
  if (option !== undefined) setFlagsFromString(option);
  const cache = cacheOf(kind);
  const [coreCode, cliCode, unpacked] = cache?.read() ?? [];
  // The command line is packed: its text is kept with the code, because unpacking it takes longer than reading it.
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
  const flags = nameOf([...execArgv, env["NODE_OPTIONS"] ?? ""].join(" ").trim());
  return new CodeCache(`${kind}-${BUNDLE}-${version}-${arch}${flags}`, join(__dirname, "code"), own, user);
}

/** V8's options are part of what code is made for: a name that differs when they do. */
function nameOf(flags: string): string {
  if (flags === "") return "";
  let hash = 0;
  for (let at = 0; at < flags.length; at++) hash = (Math.imul(hash, 31) + flags.charCodeAt(at)) | 0;
  return `-${(hash >>> 0).toString(16)}`;
}

/** The command `ptxrun`. */
export function command(): void {
  load(kindOf(process.argv.slice(2)), true).command({
    checkWorker: join(__dirname, "check-worker.cjs"),
    crewWorker: join(__dirname, "crew-worker.cjs"),
    build: BUNDLE,
    home: join(__dirname, ".."),
  });
}

/** A worker thread of `check`: it ends when it is told to, with no time to keep anything. */
export function worker(): void {
  load("check", false).worker();
}

/** A worker thread that runs blocks of a grid. */
export function crewMember(): void {
  load("run", false).crewMember();
}

/** The worker process of a client: many are started for a few small launches. */
export function clientWorker(): void {
  load("client", true).clientWorker();
}
