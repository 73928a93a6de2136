import { Bytes } from "./bytes.ts";
import { type Code, type ValueType, valueTypes } from "./code.ts";

/** The parameter and result types of a function. */
export interface Signature {
  readonly takes: readonly ValueType[];
  readonly gives: readonly ValueType[];
}

interface FunctionBody {
  readonly type: number;
  readonly code: Code;
  readonly name: string | undefined;
}

/** A mutable i32 of the module. */
interface Global {
  readonly initial: number;
  readonly name: string | undefined;
}

/** Writes a module in WebAssembly's binary format (core specification, 5.5): an imported memory, functions, one table. */
export class ModuleWriter {
  readonly #types: Signature[] = [];
  readonly #imports: { readonly name: string; readonly type: number }[] = [];
  readonly #functions: FunctionBody[] = [];
  readonly #globals: Global[] = [];
  readonly #pages: number | undefined;
  readonly #shared = new Map<string, number>();
  #table: readonly number[] = [];

  /** `pages`: of 64 KiB, the size of the shared memory `m.memory` that it imports; without it, none. */
  constructor(pages?: number) {
    this.#pages = pages;
  }

  /** The index of a type. */
  type(signature: Signature): number {
    const known = this.#types.findIndex((type) => same(type, signature));
    return known >= 0 ? known : this.#types.push(signature) - 1;
  }

  /** Imports a function `m.NAME` from the host; all imports come before the first own function. Returns its index. */
  import(name: string, signature: Signature): number {
    if (this.#functions.length > 0) throw new Error("imported functions come first");
    return this.#imports.push({ name, type: this.type(signature) }) - 1;
  }

  /** Adds a function, exported if it has a name. Returns its index. */
  function(signature: Signature, code: Code, name?: string): number {
    return this.#imports.length + this.#functions.push({ type: this.type(signature), code, name }) - 1;
  }

  /** The index of a function that several parts of the module call, written where the first of them asks for its `name`. */
  once(name: string, write: () => Signature & { readonly code: Code }): number {
    const known = this.#shared.get(name);
    if (known !== undefined) return known;
    const { takes, gives, code } = write();
    const made = this.function({ takes, gives }, code);
    this.#shared.set(name, made);
    return made;
  }

  /** Adds a mutable i32, exported if it has a name. Returns its index. */
  global(initial: number, name?: string): number {
    return this.#globals.push({ initial, name }) - 1;
  }

  /** Sets the functions that indirect calls reach, by index in the table. */
  table(functions: readonly number[]): void {
    this.#table = functions;
  }

  /** All that was written, for another form of it. */
  get parts(): {
    readonly types: readonly Signature[];
    readonly imports: readonly { readonly name: string; readonly type: number }[];
    readonly functions: readonly FunctionBody[];
    readonly globals: readonly Global[];
    readonly table: readonly number[];
  } {
    const [types, imports, functions, globals, table] = [
      this.#types,
      this.#imports,
      this.#functions,
      this.#globals,
      this.#table,
    ];
    return { types, imports, functions, globals, table };
  }

  /** The module in the binary format. */
  result(): Uint8Array<ArrayBuffer> {
    const out = new Bytes().bytes([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);
    const section = (id: number, items: number, write: (into: Bytes) => void): void => {
      if (items === 0) return;
      const content = new Bytes().unsigned(items);
      write(content);
      out.byte(id).unsigned(content.length).append(content);
    };
    section(1, this.#types.length, (into) => {
      for (const { takes, gives } of this.#types) {
        into.byte(0x60);
        for (const types of [takes, gives]) into.unsigned(types.length).bytes(types.map((type) => valueTypes[type]));
      }
    });
    const pages = this.#pages;
    section(2, this.#imports.length + (pages === undefined ? 0 : 1), (into) => {
      if (pages !== undefined) into.name("m").name("memory").byte(2).byte(3).unsigned(pages).unsigned(pages);
      for (const { name, type } of this.#imports) into.name("m").name(name).byte(0).unsigned(type);
    });
    section(3, this.#functions.length, (into) => {
      for (const { type } of this.#functions) into.unsigned(type);
    });
    section(4, this.#table.length > 0 ? 1 : 0, (into) =>
      into.byte(0x70).byte(1).unsigned(this.#table.length).unsigned(this.#table.length),
    );
    section(6, this.#globals.length, (into) => {
      for (const { initial } of this.#globals) into.byte(valueTypes.i32).byte(1).byte(0x41).signed(initial).byte(0x0b);
    });
    const exported = [
      ...this.#functions.map(({ name }, at) => ({ name, kind: 0, index: this.#imports.length + at })),
      ...this.#globals.map(({ name }, index) => ({ name, kind: 3, index })),
    ].flatMap(({ name, kind, index }) => (name === undefined ? [] : [{ name, kind, index }]));
    section(7, exported.length, (into) => {
      for (const { name, kind, index } of exported) into.name(name).byte(kind).unsigned(index);
    });
    section(9, this.#table.length > 0 ? 1 : 0, (into) => {
      into.unsigned(0).byte(0x41).signed(0).byte(0x0b).unsigned(this.#table.length);
      for (const index of this.#table) into.unsigned(index);
    });
    section(10, this.#functions.length, (into) => {
      for (const { code } of this.#functions) code.write(into);
    });
    return new Uint8Array(out.result());
  }
}

const same = (a: Signature, b: Signature): boolean =>
  a.takes.join() === b.takes.join() && a.gives.join() === b.gives.join();
