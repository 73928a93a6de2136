import type { ModuleExports, ModuleImports } from "../../../wasm/engine.ts";
import type { ModuleWriter } from "../../../wasm/module.ts";

/** A module that a C compiler has compiled. Plain data, which structured clone accepts. */
export interface NativeModule {
  /** The shared library. */
  readonly path: string;
  /** Names of imported and exported functions, in the library's order. */
  readonly imports: readonly string[];
  readonly exports: readonly string[];
  /** Exported globals: by name, which i32 of an instance it is. */
  readonly globals: ReadonlyMap<string, number>;
}

/** Compiles and loads modules as C; only who has a file system can be one. */
export interface NativeCompiler {
  /** Compiles a module, if its library is not there. Throws an Error with what the compiler says. */
  compile(module: ModuleWriter): NativeModule;
  /** Returns at once, and has the library made by another process, if it is not there. */
  compileBeside(module: ModuleWriter): NativeModule;
  /** Whether the library is there, and can be loaded. */
  isThere(module: NativeModule): boolean;
  /** Binds a module to a memory and to functions. */
  instantiate(module: NativeModule, buffer: ArrayBufferLike, imports: ModuleImports): ModuleExports;
}

/** When modules of programs that nobody asks to be native are. */
type Tiers = "asked" | "long";

let find: () => NativeCompiler | undefined = () => undefined;
let found: { readonly compiler: NativeCompiler | undefined } | undefined;
let tiers: Tiers = "asked";

/** Says who compiles C from now on; with "long" also the programs that have run for long, beside their launches. */
export function useNativeCompiler(compiler: () => NativeCompiler | undefined, when: Tiers = "asked"): void {
  find = compiler;
  found = undefined;
  tiers = when;
}

/** Who compiles C; undefined where nobody can. */
export function nativeCompiler(): NativeCompiler | undefined {
  found ??= { compiler: find() };
  return found.compiler;
}

/** Whether programs that have run for long become native by themselves. */
export const compilesLong = (): boolean => tiers === "long";
