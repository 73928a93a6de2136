/** What this project needs of WebAssembly; the library's types name no web interface. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array<ArrayBuffer>) => CompiledModule;
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
