import { Code } from "../../wasm/code.ts";
import type { ModuleWriter } from "../../wasm/module.ts";
import { VectorEmitter } from "./emit.ts";
import type { VectorFunction } from "./vector.ts";

/** The functions of vectors that a module needs, each written once. */
export class VectorFunctions {
  readonly #module: ModuleWriter;

  constructor(module: ModuleWriter) {
    this.#module = module;
  }

  /** The index of a function in the module, on v256 where it is to be wide; writes it where it is new. */
  index(of: VectorFunction, wide = false): number {
    const name = wide ? `${of.name} wide` : of.name;
    return this.#module.once(`vector ${name}`, () => {
      const code = new Code(of.takes);
      code.wide = wide;
      const emitter = new VectorEmitter(code, {
        input: (at, into) => into.get(at),
        function: (inner) => this.index(inner, wide),
      });
      emitter.expect(of.gives);
      emitter.push(of.gives);
      const type = wide ? "v256" : "v128";
      return { takes: Array.from({ length: of.takes }, () => type), gives: [type], code };
    });
  }
}
