import { instantiate, type ModuleExports, type ModuleImports } from "../../../wasm/engine.ts";
import type { Linear } from "../../memory/linear.ts";
import type { Exports } from "../boundary/module-exports.ts";
import { nativeCompiler } from "../module/native-code.ts";
import type { ProgramCode } from "../module/program-code.ts";
import type { Fallback } from "./fallback.ts";
import type { RoundRobin } from "./round-robin.ts";

/** Whom a module calls. */
export interface Callee {
  readonly fallback: Fallback;
  readonly roundRobin: RoundRobin;
}

/**
 * A module bound to a memory. Launches share it, since making one takes longer than a short launch: whoever enters the module
 * says whom it calls until it returns.
 */
export class Instance {
  readonly exports: Exports;
  #callee: Callee | undefined;

  private constructor(module: ProgramCode["module"], linear: Linear) {
    const fallback = (): Fallback => this.#callee!.fallback;
    const roundRobin = (): RoundRobin => this.#callee!.roundRobin;
    const imports: ModuleImports = {
      redo: (from: number, to: number, start: number, executed: number, active: number) =>
        fallback().redo(from, to, start, executed, active),
      step: (pc: number, start: number, executed: number, active: number) =>
        fallback().step(pc, start, executed, active),
      learn: (range: number, at: number) => fallback().learn(range, at),
      hold: () => (fallback().hold() ? 1 : 0),
      know: (at: number, bytes: number) => fallback().know(at, bytes),
      tell: (pc: number, lanes: number, start: number, executed: number, active: number) =>
        fallback().notify(pc, lanes, start, executed, active),
      completed: (number: number) => roundRobin().completed(number),
      began: () => roundRobin().began(),
      met: (pc: number, lanes: number, start: number, executed: number) => fallback().met(pc, lanes, start, executed),
    };
    const exports: ModuleExports =
      "path" in module
        ? nativeCompiler()!.instantiate(module, linear.buffer, imports)
        : instantiate(module, { ...imports, memory: linear.wasm! });
    this.exports = exports as unknown as Exports;
    this.exports.state.value = 0;
  }

  /** The instance of a module in a memory. */
  static of({ module }: ProgramCode, linear: Linear): Instance {
    const all = instances.get(module) ?? new WeakMap<object, Instance>();
    instances.set(module, all);
    const instance = all.get(linear) ?? new Instance(module, linear);
    all.set(linear, instance);
    return instance;
  }

  /** Runs what enters the module: meanwhile it calls `callee`. Not for two at once. */
  enter<Result>(callee: Callee, run: () => Result): Result {
    this.#callee = callee;
    try {
      return run();
    } finally {
      this.#callee = undefined;
    }
  }
}

const instances = new WeakMap<object, WeakMap<object, Instance>>();
