import { Code } from "../../wasm/code.ts";
import type { ModuleWriter } from "../../wasm/module.ts";
import { VectorEmitter } from "./emit.ts";
import type { VectorFunction } from "./vector.ts";

/** The functions of vectors that a module needs, each written once. */
export class VectorFunctions {
  readonly #module: ModuleWriter;
  readonly #known = new Map<string, number>();

  constructor(module: ModuleWriter) {
    this.#module = module;
  }

  /** The index of a function in the module; writes it where it is new. */
  index(of: VectorFunction): number {
    const known = this.#known.get(of.name);
    if (known !== undefined) return known;
    const code = new Code(of.takes);
    const emitter = new VectorEmitter(code, {
      input: (at, into) => into.get(at),
      function: (inner) => this.index(inner),
    });
    emitter.expect(of.gives);
    emitter.push(of.gives);
    const takes = Array.from({ length: of.takes }, () => "v128" as const);
    const index = this.#module.function({ takes, gives: ["v128"] }, code);
    this.#known.set(of.name, index);
    return index;
  }
}
