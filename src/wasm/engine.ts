/** What this project needs of WebAssembly; the library's types name no web interface. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array<ArrayBuffer>) => CompiledModule;
  readonly Memory: new (limits: { initial: number; maximum: number; shared: true }) => SharedMemory;
  readonly Instance: new (module: CompiledModule, imports: { readonly m: ModuleImports }) => { exports: ModuleExports };
};

/** A module that the engine has compiled: nothing is bound to it yet. */
export interface CompiledModule {
  readonly brand?: "WebAssembly.Module";
}

/** What a module imports: the memory, and functions by name. */
export interface ModuleImports {
  readonly memory?: object;
  readonly [name: string]: object;
}

export type ModuleExports = Readonly<Record<string, unknown>>;

/** Throws an Error where the engine has no WebAssembly, or not all of it that the bytes need. */
export const compileModule = (bytes: Uint8Array<ArrayBuffer>): CompiledModule => new WebAssembly.Module(bytes);

export const instantiate = (module: CompiledModule, imports: ModuleImports): ModuleExports =>
  new WebAssembly.Instance(module, { m: imports }).exports;

/** A memory that modules import; it never grows. */
export interface SharedMemory {
  readonly buffer: ArrayBufferLike;
}

/** A memory of so many pages of 64 KiB, all zeros. Throws where the system has no address space for it (some 10 GiB each). */
export const sharedMemory = (pages: number): SharedMemory =>
  new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });

let vectors: boolean | undefined;

/** Whether the engine accepts modules with v128 instructions and a shared memory; tested once. */
export function hasVectors(): boolean {
  vectors ??= takes();
  return vectors;
}

function takes(): boolean {
  // (module (memory (import "m" "memory") 1 1 shared) (func (drop (v128.not (v128.const ...)))))
  const header = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
  const types = [1, 4, 1, 0x60, 0, 0];
  const imports = [2, 14, 1, 1, 0x6d, 6, 0x6d, 0x65, 0x6d, 0x6f, 0x72, 0x79, 2, 3, 1, 1];
  const functions = [3, 2, 1, 0];
  const body = [0, 0xfd, 12, ...Array.from({ length: 16 }, () => 0), 0xfd, 77, 0x1a, 0x0b];
  const code = [10, body.length + 2, 1, body.length, ...body];
  try {
    compileModule(new Uint8Array([...header, ...types, ...imports, ...functions, ...code]));
    return true;
  } catch {
    return false;
  }
}
