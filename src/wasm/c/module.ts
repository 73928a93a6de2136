import type { ModuleWriter, Signature } from "../module.ts";
import { bodyAsC } from "./body.ts";
import { typeNames } from "./operations.ts";
import { prelude } from "./prelude.ts";

/** A module as C, and what whoever loads it has to know. */
export interface ModuleAsC {
  /**
   * Functions on an `Instance *g`, which has the globals first, then `memory` and `host`; `exported` lists what the module
   * exports, each as a function on an array of i32.
   */
  readonly text: string;
  /** Names of the imported functions, in the order in which `host` is asked for them; and of the exported ones. */
  readonly imports: readonly string[];
  readonly exports: readonly string[];
  /** Exported globals: by name, which i32 of the instance it is. */
  readonly globals: ReadonlyMap<string, number>;
}

/** What is around a module, as C. */
export interface HostInC {
  /** Defines the type `Host`, what an instance has for the host. */
  readonly types: string;
  /** Defines `int32_t imported(Instance *, int index, int count, const int32_t *arguments)`, which calls an imported function. */
  readonly functions: string;
  /** Makes `exported` reachable. */
  readonly entry: string;
}

/** Prints a module as C for GCC or Clang. Its imported and exported functions take and give i32. */
export function moduleAsC(module: ModuleWriter, host: HostInC): ModuleAsC {
  const { types, imports, functions, globals, table } = module.parts;
  const typeOf = (at: number): Signature =>
    types[at < imports.length ? imports[at]!.type : functions[at - imports.length]!.type]!;
  const nameOf = (at: number): string => `f${at}`;
  const heads = functions.map(({ type }, at) => headOf(nameOf(imports.length + at), types[type]!));
  const surroundings = { types, typeOf, nameOf };
  const exported = functions.flatMap(({ name, type }, at) =>
    name === undefined ? [] : [{ name, type: types[type]!, index: imports.length + at }],
  );
  const text = [
    prelude(),
    host.types,
    `typedef struct Instance { int32_t ${globals.map((_, at) => `global${at}`).join(", ")}; uint8_t *memory; Host host; } Instance;`,
    host.functions,
    ...imports.map(({ type }, at) => importAsC(nameOf(at), at, types[type]!)),
    ...heads.map((head) => `${head};`),
    ...(table.length > 0
      ? [`static void *const table[] = {${table.map((at) => `(void *)${nameOf(at)}`).join(", ")}};`]
      : []),
    ...functions.map(({ code, type }, at) => {
      const body = bodyAsC(code.body, types[type]!, surroundings);
      return `${heads[at]} {\nuint8_t *const m = g->memory;\n${body}\n}`;
    }),
    ...exported.map(({ type: { takes, gives }, index }, at) => {
      const call = `${nameOf(index)}(${["g", ...takes.map((_, each) => `a[${each}]`)].join(", ")})`;
      return `static int32_t export${at}(Instance *g, const int32_t *a) { ${gives.length > 0 ? `return ${call};` : `${call}; return 0;`} }`;
    }),
    `static int32_t (*const exported[])(Instance *, const int32_t *) = {${exported.map((_, at) => `export${at}`).join(", ")}};`,
    host.entry,
  ].join("\n");
  return {
    text,
    imports: imports.map(({ name }) => name),
    exports: exported.map(({ name }) => name),
    globals: new Map(globals.flatMap(({ name }, at) => (name === undefined ? [] : [[name, at] as const]))),
  };
}

function headOf(name: string, { takes, gives }: Signature): string {
  const parameters = takes.map((type, at) => `${typeNames[type]} l${at}`);
  const result = gives[0] === undefined ? "void" : typeNames[gives[0]];
  return `static ${result} ${name}(${["Instance *restrict g", ...parameters].join(", ")})`;
}

function importAsC(name: string, index: number, { takes, gives }: Signature): string {
  const list = takes.length === 0 ? "0" : `(int32_t[]){${takes.map((_, at) => `l${at}`).join(", ")}}`;
  const call = `imported(g, ${index}, ${takes.length}, ${list})`;
  return `${headOf(name, { takes, gives })} { ${gives.length > 0 ? `return ${call}` : call}; }`;
}
