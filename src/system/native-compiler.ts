import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { constants, cpus, setPriority, tmpdir } from "node:os";
import { join } from "node:path";
import type { NativeCompiler, NativeModule } from "../interp/compiled/module/native-code.ts";
import { moduleAsC } from "../wasm/c/module.ts";
import type { ModuleExports, ModuleImports } from "../wasm/engine.ts";
import type { ModuleWriter } from "../wasm/module.ts";
import { findProgram } from "./find-program.ts";
import { nodeHost } from "./native-host.ts";
import { isTrusted, makeFolder, userFolder } from "./place.ts";

/**
 * Nothing that could change a result: no contraction, wrapping integers, and vectors of one memory as any type. -O2 takes half as
 * long again, and what it makes is no faster: the module is written as a compiler would have it.
 */
const OPTIONS: readonly string[] = [
  "-O1",
  "-march=native",
  "-fwrapv",
  "-fno-strict-aliasing",
  "-ffp-contract=off",
  "-fno-math-errno",
  "-fno-trapping-math",
  "-w",
  "-shared",
  "-fPIC",
];

/** Libraries that the folder keeps at most; the ones that have not been used for longest go first. */
const MOST = 512;

/** What a library gives: the bytes of an instance, what makes one, and the exported functions. */
type Loaded = readonly [size: number, instantiate: (words: Int32Array, memory: Uint8Array) => void, ...Exported[]];
type Exported = (words: Int32Array, imports: readonly unknown[], ...given: number[]) => number;

const loaded = new Map<string, Loaded>();

/**
 * Compiles modules by the system's C compiler, CC or cc, gcc or clang on the PATH, and keeps the libraries in the user's
 * folder of caches by what they are made of: the text, the compiler, the processor. Undefined where there is no compiler.
 */
export function systemCompiler(env: NodeJS.ProcessEnv): NativeCompiler | undefined {
  if (process.platform === "win32") return undefined;
  const compiler = compilerIn(env);
  return compiler === undefined ? undefined : new Compiler(compiler, () => folderFor(env));
}

/** The path of the compiler. */
const compilerIn = ({ CC, PATH = "" }: NodeJS.ProcessEnv): string | undefined =>
  findProgram(CC !== undefined && CC !== "" ? [CC] : ["cc", "gcc", "clang"], PATH, process.cwd());

/** The user's folder, or one for this process alone. */
function folderFor(env: NodeJS.ProcessEnv): string {
  const user = process.getuid?.();
  const own = userFolder({ platform: process.platform, env, user });
  if (own !== undefined && makeFolder(own, user)) {
    const folder = join(own, "native");
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (isTrusted(folder, user)) return folder;
  }
  const folder = mkdtempSync(join(tmpdir(), "ptxrun-native-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

class Compiler implements NativeCompiler {
  readonly #compiler: string;
  readonly #findFolder: () => string;
  #folder: string | undefined;
  #identity: string | undefined;
  /** What will make libraries beside, in order, while one is being made. */
  readonly #waiting: (() => void)[] = [];
  #isBusy = false;

  constructor(compiler: string, findFolder: () => string) {
    this.#compiler = compiler;
    this.#findFolder = findFolder;
  }

  compile(module: ModuleWriter): NativeModule {
    const [made, text] = this.#print(module);
    if (this.isThere(made)) return made;
    const [source, library] = this.#write(made, text);
    try {
      const { execFileSync } = process.getBuiltinModule("node:child_process");
      execFileSync(this.#compiler, [...OPTIONS, "-o", library, source], { stdio: ["ignore", "ignore", "pipe"] });
      renameSync(library, made.path);
      load(made);
    } catch (error) {
      const said = (error as { readonly stderr?: Buffer }).stderr?.toString().trim();
      throw new Error(`${this.#compiler}: ${said?.split("\n")[0] || (error as Error).message}`);
    } finally {
      rmSync(source, { force: true });
      rmSync(library, { force: true });
    }
    return made;
  }

  compileBeside(module: ModuleWriter): NativeModule {
    const [made, text] = this.#print(module);
    if (this.isThere(made)) return made;
    this.#waiting.push(() => this.#begin(made, text));
    if (!this.#isBusy) this.#next();
    return made;
  }

  /** Begins with the next library: one at a time, since a framework may have hundreds of kernels. */
  #next(): void {
    const begin = this.#waiting.shift();
    this.#isBusy = begin !== undefined;
    begin?.();
  }

  #begin(made: NativeModule, text: string): void {
    const [source, library] = this.#write(made, text);
    // A shell renames the library: this thread may run kernels for long before it hears of anything.
    const script = '"$@" && mv -f "$LIBRARY" "$PLACE"; rm -f "$LIBRARY" "$SOURCE"';
    const { spawn } = process.getBuiltinModule("node:child_process");
    const child = spawn("/bin/sh", ["-c", script, "sh", this.#compiler, ...OPTIONS, "-o", library, source], {
      env: { ...process.env, LIBRARY: library, PLACE: made.path, SOURCE: source },
      stdio: "ignore",
    });
    // What runs goes first.
    if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
    child.once("error", () => this.#next());
    child.once("exit", () => this.#next());
    child.unref();
  }

  isThere(module: NativeModule): boolean {
    if (!existsSync(module.path)) return false;
    try {
      // Those that are used stay.
      utimesSync(module.path, new Date(), new Date());
      load(module);
      return true;
    } catch {
      // Somebody removed it just now, or the system runs no code from there.
      return false;
    }
  }

  instantiate(module: NativeModule, buffer: ArrayBufferLike, imports: ModuleImports): ModuleExports {
    const [size, instantiate, ...functions] = load(module);
    const words = new Int32Array(new ArrayBuffer(size));
    instantiate(words, new Uint8Array(buffer));
    const list = module.imports.map((name) => imports[name]);
    const exports = new Map<string, unknown>(
      module.exports.map((name, at) => [name, (...given: number[]) => functions[at]!(words, list, ...given)]),
    );
    for (const [name, at] of module.globals) exports.set(name, new Global(words, at));
    return Object.fromEntries(exports);
  }

  #print(module: ModuleWriter): readonly [NativeModule, text: string] {
    const { text, ...exchanged } = moduleAsC(module, nodeHost);
    return [{ path: this.#pathOf(text), ...exchanged }, text];
  }

  /** The C file and the library that is being made, in names that nobody else uses. */
  #write({ path }: NativeModule, text: string): readonly [source: string, library: string] {
    this.#trim();
    const own = `${path}.${process.getBuiltinModule("node:crypto").randomUUID()}`;
    writeFileSync(`${own}.c`, text, { mode: 0o600 });
    return [`${own}.c`, own];
  }

  #pathOf(text: string): string {
    this.#folder ??= this.#findFolder();
    this.#identity ??= JSON.stringify([
      this.#compiler,
      statSync(this.#compiler).mtimeMs,
      process.arch,
      cpus()[0]?.model,
      OPTIONS,
    ]);
    const { createHash } = process.getBuiltinModule("node:crypto");
    const name = createHash("sha256").update(this.#identity).update(text).digest("hex").slice(0, 40);
    return join(this.#folder, `${name}.node`);
  }

  #trim(): void {
    const files = readdirSync(this.#folder!).filter((file) => file.endsWith(".node"));
    if (files.length < MOST) return;
    const ages = files.map((file) => ({ file, used: statSync(join(this.#folder!, file)).mtimeMs }));
    ages.sort((a, b) => a.used - b.used);
    for (const { file } of ages.slice(0, MOST / 4)) rmSync(join(this.#folder!, file), { force: true });
  }
}

/** A global of an instance. */
class Global {
  readonly #words: Int32Array;
  readonly #at: number;

  constructor(words: Int32Array, at: number) {
    this.#words = words;
    this.#at = at;
  }

  get value(): number {
    return this.#words[this.#at]!;
  }

  set value(value: number) {
    this.#words[this.#at] = value;
  }
}

function load({ path }: NativeModule): Loaded {
  const known = loaded.get(path);
  if (known !== undefined) return known;
  const module: { exports: unknown } = { exports: {} };
  process.dlopen(module, path);
  const exports = module.exports as Loaded;
  loaded.set(path, exports);
  return exports;
}
